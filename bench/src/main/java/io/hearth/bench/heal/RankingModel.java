// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.heal;

import io.hearth.balancer.heat.RegionHeat;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.HealRank;
import io.hearth.healer.model.ServedRegion.ReportedLocality;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import io.hearth.healer.queue.ExponentialBackoff;
import io.hearth.healer.queue.HealQueue;
import io.hearth.healer.queue.HealQueue.QueueConfig;
import io.hearth.healer.spi.Assignments.AssignmentSnapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;

/**
 * Regions with Zipf heat of which some bytes are not local, and what is left of their remote reads when a part of those bytes
 * has been moved in some order. Reads fall evenly on a region's bytes. Made from a seed; immutable.
 */
final class RankingModel {

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
                .sorted(Comparator.comparingDouble((ServedRegion region) -> -remoteReads(region) / remoteBytes(region)))
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
