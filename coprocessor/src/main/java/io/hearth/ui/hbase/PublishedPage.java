// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.hbase;

import io.hearth.ui.config.UiSettings.UiConfig;
import io.hearth.ui.model.Page;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A page as it was published, with each view written once, when it is asked for first. Thread-safe. */
public final class PublishedPage {

    private final Page page;
    private final UiConfig config;
    private final Map<ApiResource, String> jsonByResource = new ConcurrentHashMap<>();

    public PublishedPage(Page page, UiConfig config) {
        this.page = page;
        this.config = config;
    }

    Page page() {
        return page;
    }

    UiConfig config() {
        return config;
    }

    String json(ApiResource resource) {
        return jsonByResource.computeIfAbsent(resource, first -> first.json(page));
    }
}
