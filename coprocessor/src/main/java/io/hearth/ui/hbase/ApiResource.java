// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.hbase;

import io.hearth.ui.model.Page;
import java.util.Locale;
import java.util.Optional;

/** One view of the page as JSON, under {@code /hearth/api/} and its name in lower case. */
enum ApiResource {
    OVERVIEW("How even the cluster is and how much of its data is local."),
    STATE("The cluster's state: every RegionServer with its totals, and its shares of what is fair."),
    HOTTEST("The 50 hottest regions, with their last samples and why each was or was not moved."),
    HEALING("What the healer does, has done and has left to do."),
    PLANS("The last 10 plans, every pin, and what the last runs predicted and what was observed."),
    DOCTOR("The doctor's last findings, the worst first."),
    PAGE("All of these, of one moment."),
    TREEMAP("Every region as a cell of one picture, column by column.");

    private final String doc;

    ApiResource(String doc) {
        this.doc = doc;
    }

    String path() {
        return name().toLowerCase(Locale.ROOT);
    }

    String doc() {
        return doc;
    }

    String json(Page page) {
        return switch (this) {
            case OVERVIEW -> PageJson.overview(page).toString();
            case STATE -> PageJson.state(page).toString();
            case HOTTEST -> PageJson.hottest(page).toString();
            case HEALING -> PageJson.healing(page).toString();
            case PLANS -> PageJson.plans(page).toString();
            case DOCTOR -> PageJson.doctor(page).toString();
            case PAGE -> PageJson.page(page).toString();
            case TREEMAP -> RegionTreemapJson.of(page);
        };
    }

    static Optional<ApiResource> of(String path) {
        for (ApiResource resource : values()) {
            if (resource.path().equals(path)) {
                return Optional.of(resource);
            }
        }
        return Optional.empty();
    }
}
