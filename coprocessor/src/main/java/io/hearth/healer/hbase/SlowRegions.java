package io.hearth.healer.hbase;

import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.jspecify.annotations.Nullable;

/**
 * The regions whose first cell was slow to read {@value #OFTEN} times while another region's was not: what is slow there is the
 * region, not HDFS, and a read of ours would only be a burden to it. Each is left alone for an hour. Where all regions are slow none
 * is left out, since that is what the reads are for. Thread-safe.
 */
final class SlowRegions {

    static final int OFTEN = 2;
    static final long SKIP_NANOS = 3_600_000_000_000L;

    private record Slow(int times, long lastNanos) {}

    private final Map<RegionInfo, Slow> slowByRegion = new HashMap<>();
    private @Nullable RegionInfo last;
    private boolean lastWasSlow;

    /** Whether this region is not to be read now. */
    synchronized boolean skips(RegionInfo region, long nowNanos) {
        Slow slow = slowByRegion.get(region);
        return slow != null && slow.times() >= OFTEN && nowNanos - slow.lastNanos() < SKIP_NANOS;
    }

    /** A read of this region has ended. */
    synchronized void ended(RegionInfo region, boolean slow, long nowNanos) {
        slowByRegion.values().removeIf(old -> nowNanos - old.lastNanos() >= SKIP_NANOS);
        boolean othersAreSlowToo = lastWasSlow && !region.equals(last);
        if (!slow) {
            slowByRegion.remove(region);
        } else if (!othersAreSlowToo) {
            slowByRegion.merge(
                    region, new Slow(1, nowNanos), (before, one) -> new Slow(before.times() + 1, one.lastNanos()));
        }
        last = region;
        lastWasSlow = slow;
    }
}
