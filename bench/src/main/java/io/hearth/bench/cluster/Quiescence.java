// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import io.hearth.testkit.process.system.SystemCommand;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Waits for what an event leaves behind to be over, so that the next one is not blamed for it. */
final class Quiescence {

    private static final long POLL_MS = 1_000;
    /** Longer than Hearth leaves a region alone that it has moved. */
    static final long QUIESCENCE_NANOS = TimeUnit.SECONDS.toNanos(25);

    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(120);

    private Quiescence() {}

    /** Until no region has moved for a while, garbage is collected, and what the system has not written to the disk yet is written. */
    static void await(ClusterHandle handle) throws IOException, InterruptedException {
        long start = System.nanoTime();
        long since = start;
        Map<String, String> hosts = RelocationTracker.hosts(handle.observer().localitySnapshot());
        while (System.nanoTime() - since < QUIESCENCE_NANOS && System.nanoTime() - start < LIMIT_NANOS) {
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
            Map<String, String> now = RelocationTracker.hosts(handle.observer().localitySnapshot());
            since = now.equals(hosts) ? since : System.nanoTime();
            hosts = now;
        }
        handle.cluster().collectGarbage();
        SystemCommand.run("sync");
    }
}
