// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.hbase;

import io.hearth.common.log.RateLimitedLogger;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import org.apache.hadoop.hbase.master.HMaster;
import org.slf4j.LoggerFactory;

/**
 * What each master of this JVM shows on its page, for those who ask by another way than HTTP: of the page's own publisher, or
 * where there is no page of one that ends with the master. Thread-safe.
 */
public final class LatestPage {

    /** A publisher leads to its master; its thread keeps it alive. */
    private static final Map<HMaster, WeakReference<PagePublisher>> PUBLISHER_BY_MASTER = new WeakHashMap<>();

    private LatestPage() {}

    /** All views in one, of a few seconds ago at most; the answer is "not yet" for the first second. */
    public static ApiResponse of(HMaster master) {
        Optional<PublishedPage> published = publisher(master).fresh();
        return published
                .map(now -> ApiResponse.json(ApiResponse.OK, now.json(ApiResource.PAGE)))
                .orElseGet(() ->
                        ApiResponse.problem(ApiResponse.UNAVAILABLE, "Nothing is polled yet: ask again in a second."));
    }

    /** Says that this one publishes this master; the first one said holds until it has stopped. */
    static synchronized void offer(HMaster master, PagePublisher publisher) {
        if (known(master).isEmpty()) {
            PUBLISHER_BY_MASTER.put(master, new WeakReference<>(publisher));
        }
    }

    /** The one that publishes this master, from now on if there was none. */
    private static synchronized PagePublisher publisher(HMaster master) {
        return known(master).orElseGet(() -> {
            PagePublisher own = new PagePublisher(
                    () -> Optional.of(master),
                    master::isStopped,
                    UiMetrics.shared(),
                    new RateLimitedLogger(LoggerFactory.getLogger(PagePublisher.class)));
            PUBLISHER_BY_MASTER.put(master, new WeakReference<>(own));
            own.start();
            return own;
        });
    }

    private static Optional<PagePublisher> known(HMaster master) {
        return Optional.ofNullable(PUBLISHER_BY_MASTER.get(master))
                .map(WeakReference::get)
                .filter(publisher -> !publisher.isStopped());
    }
}
