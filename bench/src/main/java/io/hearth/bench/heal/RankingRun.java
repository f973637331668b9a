// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.heal;

import io.hearth.balancer.heat.RegionHeat;
import io.hearth.bench.plan.Statistics;
import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.bench.threshold.ThresholdReport.Figure;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ExponentialBackoff;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.HealRank;
import io.hearth.healer.model.ServedRegion.ReportedLocality;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import io.hearth.healer.queue.HealQueue;
import io.hearth.healer.queue.HealQueue.QueueConfig;
import io.hearth.healer.spi.Assignments.AssignmentSnapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;

/**
 * What orders are worth on one synthetic cluster: the share of remote reads that are gone after 30 % of the bytes. Immutable.
 *
 * @param hearth in Hearth's order
 * @param unknownFifth in Hearth's order where a fifth of the regions' heat is unknown
 * @param locality by locality alone
 * @param best in the best order there is
 */
public record RankingRun(long seed, double hearth, double unknownFifth, double locality, double best) {

    /** The share of the bytes after which the orders are compared. */
    public static final double OF_BYTES = 0.3;

    /** The share of remote reads that must be gone by then, or as many as the best order makes. */
    public static final double THRESHOLD = 0.8;

    private static final double ROUNDING = 1e-9;
    private static final String LINE = "%-42s %-14s %-14s %-14s %-14s %s%n";

    /** The run on the cluster of this seed. */
    public static RankingRun of(RemoteBytesDistribution remote, long seed) {
        RankingModel model = new RankingModel(remote, seed);
        return new RankingRun(
                seed,
                model.readsGone(model.hearthsOrder(), OF_BYTES),
                model.readsGone(model.orderWithUnknownHeat(), OF_BYTES),
                model.readsGone(model.orderByLocality(), OF_BYTES),
                model.readsGone(model.bestOrder(), OF_BYTES));
    }

    /** The runs on as many clusters. */
    public static List<RankingRun> all(RemoteBytesDistribution remote, int seeds) {
        return LongStream.rangeClosed(1, seeds)
                .mapToObj(seed -> of(remote, seed))
                .toList();
    }

    /** Whether the threshold holds, or no order could do better. */
    public boolean holds() {
        return hearth >= THRESHOLD || hearth >= best - ROUNDING;
    }

    /**
     * Regions with Zipf heat of which some bytes are not local, and what is left of their remote reads when a part of those bytes
     * has been moved in some order. Reads fall evenly on a region's bytes. Made from a seed; immutable.
     */
    private static final class RankingModel {

        static final int REGIONS = 2_000;

        private static final double EXPONENT = 0.99;
        private static final double READS_PER_SECOND = 1_000_000;
        private static final int SERVERS = 20;
        private static final QueueConfig RULES = new QueueConfig(1, 0, new ExponentialBackoff(1, 1));

        private final List<ServedRegion> regions = new ArrayList<>();
        private final Map<EncodedRegionName, Double> readsById = new HashMap<>();

        RankingModel(RemoteBytesDistribution remote, long seed) {
            Random random = new Random(seed);
            for (int rank = 1; rank <= REGIONS; rank++) {
                EncodedRegionName id =
                        new EncodedRegionName(String.format("%016x%016x", random.nextLong(), random.nextLong()));
                long bytes = remote.bytes(random);
                long local = Math.round(bytes * (1 - remote.share(random)));
                regions.add(new ServedRegion(
                        id,
                        new TableId("t"),
                        HealRank.USER,
                        TableHealingMode.ON,
                        new ServerId("rs" + random.nextInt(SERVERS), 16020, 1),
                        Optional.of(new ReportedLocality(local, bytes))));
                readsById.put(id, READS_PER_SECOND / Math.pow(rank, EXPONENT));
            }
        }

        /** The order of Hearth's queue, with all heat known. */
        List<ServedRegion> hearthsOrder() {
            return queueOrder(this::known);
        }

        /** The order of Hearth's queue where the heat of each fifth region is unknown. */
        List<ServedRegion> orderWithUnknownHeat() {
            return queueOrder(region -> region.hashCode() % 5 == 0 ? unknown() : known(region));
        }

        /** The least local regions first: what is left where no heat is known. */
        List<ServedRegion> orderByLocality() {
            return queueOrder(region -> unknown());
        }

        /** The best order there is: remote reads for each remote byte, by sorting, without the queue. */
        List<ServedRegion> bestOrder() {
            return regions.stream()
                    .filter(region -> remoteBytes(region) > 0)
                    .sorted(Comparator.comparingDouble(
                            (ServedRegion region) -> -remoteReads(region) / remoteBytes(region)))
                    .toList();
        }

        /** The share of remote reads that are gone once this share of the remote bytes has been moved in this order. */
        double readsGone(List<ServedRegion> order, double shareOfBytes) {
            double budget = shareOfBytes
                    * order.stream().mapToLong(RankingModel::remoteBytes).sum();
            double gone = 0;
            for (ServedRegion region : order) {
                double moved = Math.min(budget, (double) remoteBytes(region));
                gone += moved == 0 ? 0 : remoteReads(region) * moved / (double) remoteBytes(region);
                budget -= moved;
            }
            return gone / order.stream().mapToDouble(this::remoteReads).sum();
        }

        private List<ServedRegion> queueOrder(Function<EncodedRegionName, RegionHeat> heat) {
            HealQueue queue = new HealQueue();
            queue.observe(AssignmentSnapshot.of(regions, List.of()), RULES, heat, 0);
            List<ServedRegion> order = new ArrayList<>();
            for (Optional<ServedRegion> next = queue.take(0, server -> true);
                    next.isPresent();
                    next = queue.take(0, server -> true)) {
                order.add(next.get());
            }
            return order;
        }

        private RegionHeat known(EncodedRegionName region) {
            LoadVector load = LoadVector.ofReads(readsById.getOrDefault(region, 0.0));
            return new RegionHeat.Known(load, load);
        }

        private static RegionHeat unknown() {
            return new RegionHeat.Unknown(RegionHeat.Reason.OBSERVED_TOO_BRIEFLY);
        }

        private double remoteReads(ServedRegion region) {
            double share = 1 - region.reported().map(ReportedLocality::ratio).orElse(1.0);
            return readsById.getOrDefault(region.region(), 0.0) * share;
        }

        private static long remoteBytes(ServedRegion region) {
            return region.reported().map(ReportedLocality::nonLocalBytes).orElse(0L);
        }
    }

    /** Where the 30 % of bytes that are not local are. */
    public enum RemoteBytesDistribution {
        /** 30 % of each region, all regions of one size. */
        OF_EACH_EQUAL("30 % of each region, sizes equal", false),
        /** 30 % of each region, sizes lognormal with sigma 1. */
        OF_EACH("30 % of each region, sizes differ", true),
        /** Of each region any share from 0 to 60 %, sizes lognormal with sigma 1. */
        ANY_SHARE("0 to 60 % of each region, sizes differ", true),
        /** All of 30 % of the regions and nothing of the others, all regions of one size: they were dealt out after a crash. */
        WHOLE_REGIONS_EQUAL("all of 30 % of the regions, sizes equal", false),
        /** The same, sizes lognormal with sigma 1. */
        WHOLE_REGIONS("all of 30 % of the regions, sizes differ", true);

        static final double SHARE = 0.3;

        private static final double BYTES = 10.0 * (1 << 30);

        private final String label;
        private final boolean sizesDiffer;

        RemoteBytesDistribution(String label, boolean sizesDiffer) {
            this.label = label;
            this.sizesDiffer = sizesDiffer;
        }

        /** What a table calls it. */
        public String label() {
            return label;
        }

        /** The bytes of one region. */
        long bytes(Random random) {
            return Math.round(sizesDiffer ? BYTES * Math.exp(random.nextGaussian()) : BYTES);
        }

        /** The share of one region's bytes that is not local. */
        double share(Random random) {
            return switch (this) {
                case OF_EACH_EQUAL, OF_EACH -> SHARE;
                case ANY_SHARE -> 2 * SHARE * random.nextDouble();
                case WHOLE_REGIONS_EQUAL, WHOLE_REGIONS -> random.nextDouble() < SHARE ? 1 : 0;
            };
        }
    }

    /** What orders are worth, a line for each way in which bytes can be remote; what does not hold is added to the thresholds. */
    public static String table(Map<RemoteBytesDistribution, List<RankingRun>> runs, ThresholdReport thresholds) {
        StringBuilder table = new StringBuilder(String.format(
                Locale.ROOT,
                LINE,
                "30 % of the bytes are remote:",
                "hearth",
                "1/5 unknown",
                "by locality",
                "best order",
                ""));
        runs.forEach((remote, ofRemote) -> {
            boolean holds = ofRemote.stream().allMatch(RankingRun::holds);
            add(remote, ofRemote, holds, thresholds);
            boolean thresholdHolds = ofRemote.stream().allMatch(run -> run.hearth() >= THRESHOLD);
            table.append(String.format(
                    Locale.ROOT,
                    LINE,
                    remote.label(),
                    cell(ofRemote, RankingRun::hearth),
                    cell(ofRemote, RankingRun::unknownFifth),
                    cell(ofRemote, RankingRun::locality),
                    cell(ofRemote, RankingRun::best),
                    thresholdHolds ? "threshold holds" : holds ? "as the best order" : "MISSED"));
            if (!holds) {
                thresholds.violation(
                        remote.label() + ": fewer than 80 % of remote reads are gone after 30 % of the bytes, and a"
                                + " better order exists");
            }
        });
        return table.toString();
    }

    private static void add(
            RemoteBytesDistribution remote, List<RankingRun> runs, boolean holds, ThresholdReport thresholds) {
        String of = "remote reads gone after 30 % of the bytes, " + remote.label();
        thresholds.add(
                Figure.of(of, "in Hearth's order, median", 100 * Statistics.median(runs, RankingRun::hearth), "%"));
        thresholds.add(Figure.of(of, "in Hearth's order, worst", 100 * worst(runs, RankingRun::hearth), "%")
                .atLeast(100 * THRESHOLD, holds));
        thresholds.add(Figure.of(
                of, "heat of a fifth unknown, median", 100 * Statistics.median(runs, RankingRun::unknownFifth), "%"));
        thresholds.add(Figure.of(of, "by locality, median", 100 * Statistics.median(runs, RankingRun::locality), "%"));
        thresholds.add(
                Figure.of(of, "in the best order, median", 100 * Statistics.median(runs, RankingRun::best), "%"));
    }

    /** Median and worst, in percent. */
    private static String cell(List<RankingRun> runs, ToDoubleFunction<RankingRun> share) {
        return String.format(
                Locale.ROOT, "%.1f (%.1f)", 100 * Statistics.median(runs, share), 100 * worst(runs, share));
    }

    private static double worst(List<RankingRun> runs, ToDoubleFunction<RankingRun> share) {
        return runs.stream().mapToDouble(share).min().orElse(0);
    }
}
