package io.hearth.bench.cluster;

import io.hearth.procs.system.Tool;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Waits for what an event leaves behind to be over, so that the next one is not blamed for it. */
final class Calm {

    private static final long LOOK_MS = 1_000;
    /** Longer than Hearth leaves a region alone that it has moved. */
    static final long STILL_NANOS = TimeUnit.SECONDS.toNanos(25);

    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(120);

    private Calm() {}

    /** Until no region has moved for a while, garbage is collected, and what the system has not written to the disk yet is written. */
    static void await(Site site) throws IOException, InterruptedException {
        long start = System.nanoTime();
        long since = start;
        Map<String, String> hosts = Assignments.hosts(site.eyes().census());
        while (System.nanoTime() - since < STILL_NANOS && System.nanoTime() - start < LIMIT_NANOS) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MS);
            Map<String, String> now = Assignments.hosts(site.eyes().census());
            since = now.equals(hosts) ? since : System.nanoTime();
            hosts = now;
        }
        site.cluster().collectGarbage();
        Tool.run("sync");
    }
}
