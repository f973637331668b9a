// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.common.log.RateLimitedLogger;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.TokenBucket;
import io.hearth.healer.config.HealPolicySettings.Fallback;
import io.hearth.healer.config.HealPolicySettings.HealPolicyConfig;
import io.hearth.healer.core.HealerServices.RegionCompactor;
import io.hearth.healer.core.HealerServices.StoreFiles;
import io.hearth.healer.metrics.HealingMetrics;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.model.RegionFiles;
import io.hearth.healer.model.RegionFiles.FileRead;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.ReportedLocality;
import io.hearth.healer.move.MoveExecutor.MoveThreadPool;
import io.hearth.healer.plan.FamilyBytes;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

/**
 * What is done for regions whose blocks can't be moved: a major compaction of their worst families, so many regions at a time
 * and so many bytes an hour, where the operator has chosen it. A region keeps its place until its server reports better
 * locality, it leaves its server, or an hour has passed. Not thread-safe; only the compactor's answers come from others.
 */
final class CompactionFallback {

    /** Heals in a row in which DataNodes made no move at all, after which HDFS is taken to refuse for good. */
    static final int REFUSED_HEALS = 3;

    private static final long LONGEST_MS = 3_600_000;
    private static final long HOUR_SECONDS = 3_600;

    private record Requested(ServedRegion region, long sinceMs) {}

    private record Refused(ServedRegion region, String why) {}

    /** Heals in a row on this host: the DataNode of another may have the room, or the storage, that this one's has not. */
    private record RefusedHeals(String host, int times) {

        RefusedHeals plus(RefusedHeals next) {
            return host.equals(next.host) ? new RefusedHeals(host, times + next.times) : next;
        }
    }

    /**
     * What was asked for, which outlives the loop: one that fails again and again would ask for as much each time. Not thread-safe, but
     * for the rejections.
     */
    static final class RequestedCompactions {

        private final TokenBucket tokenBucket = new TokenBucket(1_000);
        private final Map<EncodedRegionName, Requested> byRegion = new HashMap<>();
        private final Queue<Refused> rejections = new ConcurrentLinkedQueue<>();
    }

    private final StoreFiles storeFiles;
    private final RegionCompactor compactor;
    private final MoveThreadPool threads;
    private final HealingMetrics metrics;
    private final RateLimitedLogger log;
    private final TokenBucket tokenBucket;
    private final Map<EncodedRegionName, Requested> requestedByRegion;
    private final Map<EncodedRegionName, RefusedHeals> refusedHealsByRegion = new HashMap<>();
    private final Queue<Refused> rejections;

    /** @param requested by the loops before */
    CompactionFallback(
            HealerServices services,
            MoveThreadPool threads,
            RequestedCompactions requested,
            HealingMetrics metrics,
            RateLimitedLogger log) {
        this.tokenBucket = requested.tokenBucket;
        this.requestedByRegion = requested.byRegion;
        this.rejections = requested.rejections;
        this.storeFiles = services.storeFiles();
        this.compactor = services.compactor();
        this.threads = threads;
        this.metrics = metrics;
        this.log = log;
    }

    /** Notes how the work on a region ended. */
    void ended(RegionHeal heal) {
        EncodedRegionName region = heal.region().region();
        if (heal.isRefused()) {
            refusedHealsByRegion.merge(
                    region, new RefusedHeals(heal.region().server().host(), 1), RefusedHeals::plus);
        } else {
            refusedHealsByRegion.remove(region);
        }
    }

    /** Whether HDFS has refused this region's moves to where it is now so often that it is taken to be for good. */
    boolean isRefusedForGood(ServedRegion region) {
        RefusedHeals refused = refusedHealsByRegion.get(region.region());
        return refused != null
                && refused.times() >= REFUSED_HEALS
                && refused.host().equals(region.server().host());
    }

    /** Gives places back, and forgets regions that are gone or elsewhere. */
    void follow(Function<EncodedRegionName, Optional<ServedRegion>> latest, long nowMs) {
        requestedByRegion
                .values()
                .removeIf(asked -> isOver(asked, latest.apply(asked.region().region()), nowMs));
        refusedHealsByRegion.keySet().removeIf(region -> latest.apply(region).isEmpty());
        for (Refused refused = rejections.poll(); refused != null; refused = rejections.poll()) {
            requestedByRegion.remove(refused.region().region());
            log.warn(
                    "compaction",
                    "A major compaction of region " + refused.region().region() + " could not be asked for: "
                            + refused.why(),
                    nowMs);
        }
    }

    /** Whether the operator wants it, and one more region may be compacted. */
    boolean hasRoom(HealPolicyConfig policy) {
        return policy.fallback() != Fallback.NONE && requestedByRegion.size() < policy.fallbackConcurrent();
    }

    /** Has this region compacted, if that is wanted and there is room. Returns the bytes that will be written anew. */
    long tryCompact(ServedRegion region, HealPolicyConfig policy, long nowMs) {
        long bytesPerSecond = Math.max(1, policy.fallbackBytesPerHour() / HOUR_SECONDS);
        if (!hasRoom(policy)
                || requestedByRegion.containsKey(region.region())
                || !tokenBucket.canAcquire(bytesPerSecond, nowMs)) {
            return 0;
        }
        Optional<RegionFiles> files = storeFiles.list(region, nowMs).ifKnown();
        long bytes = 0;
        for (FamilyBytes family : files.stream()
                .flatMap(known ->
                        FamilyBytes.worst(
                                known.files().stream().map(FileRead::file).toList(),
                                region.server().host())
                                .stream())
                .toList()) {
            if (tokenBucket.tryAcquire(family.totalBytes(), bytesPerSecond, nowMs)) {
                bytes += family.totalBytes();
                ask(region, family, nowMs);
            }
        }
        return bytes;
    }

    private void ask(ServedRegion region, FamilyBytes family, long nowMs) {
        requestedByRegion.put(region.region(), new Requested(region, nowMs));
        refusedHealsByRegion.remove(region.region());
        metrics.add(HealingCounter.COMPACTIONS_REQUESTED, 1);
        metrics.add(HealingCounter.COMPACTION_BYTES, family.totalBytes());
        try {
            threads.run(() -> compactor
                    .compact(region, family.family())
                    .ifPresent(why -> rejections.add(new Refused(region, why))));
        } catch (RuntimeException stopping) {
            rejections.add(new Refused(region, "no thread takes it: " + stopping));
        }
    }

    private static boolean isOver(Requested asked, Optional<ServedRegion> latest, long nowMs) {
        boolean moved = latest.filter(now -> now.server().equals(asked.region().server()))
                .isEmpty();
        boolean better = latest.flatMap(ServedRegion::reported)
                .filter(now -> now.ratio() > ratio(asked.region()))
                .isPresent();
        return moved || better || nowMs - asked.sinceMs() >= LONGEST_MS;
    }

    private static double ratio(ServedRegion region) {
        return region.reported().map(ReportedLocality::ratio).orElse(0.0);
    }
}
