// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.throttle;

import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Whether reads of the RegionServers on a host take much longer than reads of the same host used to, for each host alone: a {@link
 * LatencyBaseline} each. What was read before a pause, or while regions of the host were being moved, is not held against it: opening
 * a region, and the empty caches after that, make reads slow without any move of blocks. Not thread-safe; times are milliseconds of
 * any one clock that does not go back.
 */
public final class HostReadLatency {

    /** Samples further apart than this are of different heals. */
    static final long PAUSE_MS = 30_000;

    /** A region that has moved is slow to read for so long, and its move was noticed so late at most. */
    static final long REGION_MOVED_MS = 10_000;

    /** What was not read for so long is forgotten. */
    private static final long FORGET_AFTER_MS = 3_600_000;

    private static final long NEVER_MS = Long.MIN_VALUE / 2;

    private static final class HostReads {
        private final LatencyBaseline baseline;
        private long lastMs = NEVER_MS;
        private boolean isSlow;

        HostReads(long floorMicros) {
            this.baseline = new LatencyBaseline(floorMicros);
        }
    }

    private final long floorMicros;
    private final Map<String, HostReads> readsByHost = new HashMap<>();
    private final Map<String, Long> regionsMovedMs = new HashMap<>();

    /** @param floorMicros differences up to this are no slowness, however many times the baseline they are */
    public HostReadLatency(long floorMicros) {
        this.floorMicros = floorMicros;
    }

    /** Takes in how long one read took, which came back at this time. */
    public void add(String host, long micros, long endMs) {
        if (endMs - regionsMovedMs.getOrDefault(key(host), NEVER_MS) <= REGION_MOVED_MS) {
            return;
        }
        HostReads reads = readsByHost.computeIfAbsent(key(host), first -> new HostReads(floorMicros));
        if (endMs - reads.lastMs > PAUSE_MS) {
            reads.baseline.startPeriod();
        }
        reads.lastMs = endMs;
        reads.baseline.add(micros);
        reads.isSlow = reads.baseline.isSlow();
    }

    /** Regions have moved to these hosts, or away from them, some seconds ago at most. */
    public void regionsMoved(Collection<String> hosts, long nowMs) {
        regionsMovedMs.values().removeIf(movedMs -> nowMs - movedMs > REGION_MOVED_MS);
        for (String host : hosts) {
            regionsMovedMs.put(key(host), nowMs);
            HostReads reads = readsByHost.get(key(host));
            if (reads != null) {
                reads.baseline.startPeriod();
                reads.isSlow = false;
            }
        }
    }

    /** Whether the last reads of this host were slow, none of which was long ago. */
    public boolean isSlow(String host, long nowMs) {
        HostReads reads = readsByHost.get(key(host));
        return reads != null && reads.isSlow && nowMs - reads.lastMs <= PAUSE_MS;
    }

    /** Host names have no case, and HDFS and HBase may write one differently. */
    private static String key(String host) {
        return host.toLowerCase(Locale.ROOT);
    }

    /** Forgets what was not read for an hour. */
    public void tick(long nowMs) {
        readsByHost.values().removeIf(reads -> nowMs - reads.lastMs > FORGET_AFTER_MS);
    }
}
