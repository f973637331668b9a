package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.locality.LocalityCache;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * What the NameNode has said of where the blocks of each region are, and whether it may be asked now: after it could not be
 * asked it is left alone for {@value #RETRY_AFTER_MS} ms. Thread-safe; only {@link #ask} waits for anybody.
 */
final class BlockLocations {

    static final long RETRY_AFTER_MS = 60_000;

    private final LocalityCache<RegionInfo, HDFSBlocksDistribution> cache = new LocalityCache<>(RETRY_AFTER_MS);
    private final NameNode nameNode;
    private final LongSupplier nowMs;
    private final Consumer<Throwable> onFailure;
    private volatile long askFromMs = Long.MIN_VALUE;

    /** Says where the region's blocks are; none anywhere for a table that is gone. */
    interface NameNode {

        HDFSBlocksDistribution ask(RegionInfo region) throws IOException;
    }

    BlockLocations(NameNode nameNode, LongSupplier nowMs, Consumer<Throwable> onFailure) {
        this.nameNode = nameNode;
        this.nowMs = nowMs;
        this.onFailure = onFailure;
    }

    /** The last answer for this region, which may be from before a change. */
    Optional<HDFSBlocksDistribution> known(RegionInfo region) {
        return cache.get(region);
    }

    /** Says that the blocks of this region have moved: an answer that is on its way does not land. */
    void changed(RegionInfo region) {
        cache.invalidate(region);
    }

    /** Whether the NameNode may be asked now. */
    boolean isAskable() {
        return nowMs.getAsLong() >= askFromMs;
    }

    /** Asks the NameNode about this region unless its answer is fresh, on its way, or failed a short while ago. */
    void ask(RegionInfo region) {
        cache.begin(region, nowMs.getAsLong()).ifPresent(load -> {
            try {
                cache.finish(load, nameNode.ask(region), nowMs.getAsLong());
            } catch (Throwable failure) {
                long now = nowMs.getAsLong();
                cache.fail(load, now);
                askFromMs = failure instanceof IOException ? now + RETRY_AFTER_MS : askFromMs;
                onFailure.accept(failure);
            }
        });
    }

    /** Every region that waits to be asked about again: changed, or answered longer than this ago. */
    List<RegionInfo> due(long maxAgeMs) {
        long now = nowMs.getAsLong();
        return cache.due(now, now - maxAgeMs);
    }

    /** Forgets every region that is not among these. */
    void retain(Set<RegionInfo> regions) {
        cache.retain(regions);
    }
}
