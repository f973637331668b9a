package io.hearth.healing.loop;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.log.RareLog;
import io.hearth.healing.config.ConductConfig;
import io.hearth.healing.config.Fallback;
import io.hearth.healing.execute.BytePacer;
import io.hearth.healing.execute.Compactor;
import io.hearth.healing.execute.MoveThreads;
import io.hearth.healing.metrics.HealingCounter;
import io.hearth.healing.metrics.HealingMetrics;
import io.hearth.healing.model.FileRead;
import io.hearth.healing.model.RegionFiles;
import io.hearth.healing.model.ReportedLocality;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.observe.StoreFiles;
import io.hearth.healing.plan.FamilyBytes;
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
final class Fallbacks {

    /** Heals in a row in which DataNodes made no move at all, after which HDFS is taken to refuse for good. */
    static final int REFUSED_HEALS = 3;

    private static final long LONGEST_MS = 3_600_000;
    private static final long HOUR_SECONDS = 3_600;

    private record Asked(ServedRegion region, long sinceMs) {}

    private record Refused(ServedRegion region, String why) {}

    private final StoreFiles storeFiles;
    private final Compactor compactor;
    private final MoveThreads threads;
    private final HealingMetrics metrics;
    private final RareLog log;
    private final BytePacer pacer = new BytePacer();
    private final Map<RegionId, Asked> askedByRegion = new HashMap<>();
    private final Map<RegionId, Integer> refusedHealsByRegion = new HashMap<>();
    private final Queue<Refused> refusals = new ConcurrentLinkedQueue<>();

    Fallbacks(HealingPorts ports, MoveThreads threads, HealingMetrics metrics, RareLog log) {
        this.storeFiles = ports.storeFiles();
        this.compactor = ports.compactor();
        this.threads = threads;
        this.metrics = metrics;
        this.log = log;
    }

    /** Notes how the work on a region ended. */
    void ended(RegionHeal heal) {
        RegionId region = heal.region().region();
        if (heal.isRefused()) {
            refusedHealsByRegion.merge(region, 1, Integer::sum);
        } else {
            refusedHealsByRegion.remove(region);
        }
    }

    /** Whether HDFS has refused this region's moves so often that it is taken to be for good. */
    boolean isRefusedForGood(RegionId region) {
        return refusedHealsByRegion.getOrDefault(region, 0) >= REFUSED_HEALS;
    }

    /** Gives places back, and forgets regions that are gone or elsewhere. */
    void follow(Function<RegionId, Optional<ServedRegion>> latest, long nowMs) {
        askedByRegion
                .values()
                .removeIf(asked -> isOver(asked, latest.apply(asked.region().region()), nowMs));
        refusedHealsByRegion.keySet().removeIf(region -> latest.apply(region).isEmpty());
        for (Refused refused = refusals.poll(); refused != null; refused = refusals.poll()) {
            askedByRegion.remove(refused.region().region());
            log.warn(
                    "compaction",
                    "A major compaction of region " + refused.region().region() + " could not be asked for: "
                            + refused.why(),
                    nowMs);
        }
    }

    /** Whether the operator wants it, and one more region may be compacted. */
    boolean hasRoom(ConductConfig conduct) {
        return conduct.fallback() != Fallback.NONE && askedByRegion.size() < conduct.fallbackConcurrent();
    }

    /** Has this region compacted, if that is wanted and there is room. Returns the bytes that will be written anew. */
    long tryFor(ServedRegion region, ConductConfig conduct, long nowMs) {
        long bytesPerSecond = Math.max(1, conduct.fallbackBytesPerHour() / HOUR_SECONDS);
        if (!hasRoom(conduct) || askedByRegion.containsKey(region.region()) || !pacer.mayTake(bytesPerSecond, nowMs)) {
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
            if (pacer.tryTake(family.totalBytes(), bytesPerSecond, nowMs)) {
                bytes += family.totalBytes();
                ask(region, family, nowMs);
            }
        }
        return bytes;
    }

    private void ask(ServedRegion region, FamilyBytes family, long nowMs) {
        askedByRegion.put(region.region(), new Asked(region, nowMs));
        refusedHealsByRegion.remove(region.region());
        metrics.add(HealingCounter.COMPACTIONS_ASKED, 1);
        metrics.add(HealingCounter.COMPACTION_BYTES, family.totalBytes());
        try {
            threads.run(() -> compactor
                    .compact(region, family.family())
                    .ifPresent(why -> refusals.add(new Refused(region, why))));
        } catch (RuntimeException stopping) {
            refusals.add(new Refused(region, "no thread takes it: " + stopping));
        }
    }

    private static boolean isOver(Asked asked, Optional<ServedRegion> latest, long nowMs) {
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
