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

/** The publisher of each HMaster in this JVM: the page's, or where there is no page one that ends with the master. Thread-safe. */
final class PagePublisherRegistry {

    /** A publisher leads to its master; its thread keeps it alive. */
    private static final Map<HMaster, WeakReference<PagePublisher>> PUBLISHER_BY_MASTER = new WeakHashMap<>();

    private PagePublisherRegistry() {}

    /** Says that this one publishes this master; the first one said holds until it has stopped. */
    static synchronized void offer(HMaster master, PagePublisher publisher) {
        if (known(master).isEmpty()) {
            PUBLISHER_BY_MASTER.put(master, new WeakReference<>(publisher));
        }
    }

    /** The one that publishes this master, from now on if there was none. */
    static synchronized PagePublisher of(HMaster master) {
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
