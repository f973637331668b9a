package io.hearth.web.hbase;

import io.hearth.web.config.PageConfig;
import io.hearth.web.model.Page;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A page as it was published, with each view written once, when it is asked for first. Thread-safe. */
public final class Published {

    private final Page page;
    private final PageConfig config;
    private final Map<View, String> jsonByView = new ConcurrentHashMap<>();

    public Published(Page page, PageConfig config) {
        this.page = page;
        this.config = config;
    }

    Page page() {
        return page;
    }

    PageConfig config() {
        return config;
    }

    String json(View view) {
        return jsonByView.computeIfAbsent(view, first -> first.json(page));
    }
}
