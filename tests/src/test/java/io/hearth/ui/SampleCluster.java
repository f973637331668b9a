// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.config.TableWeights;
import io.hearth.balancer.engine.Advice;
import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.engine.Decision;
import io.hearth.balancer.engine.HBasePlanLimits;
import io.hearth.balancer.heat.RegionHeat;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.RejectedStockMove;
import io.hearth.balancer.plan.UnmovedReason;
import io.hearth.balancer.planner.DirectedPlanner;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.RegionState.StoreFileBytes;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import io.hearth.ui.model.Page;
import io.hearth.ui.model.PageBuilder;
import io.hearth.ui.model.PageInput;
import io.hearth.ui.model.PageInput.BalancerStatus;
import io.hearth.ui.model.PageInput.HealerStatus;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;

/**
 * A cluster that nobody runs, for looking at the page: regions with heat by a power law, planned for by the real planner. The
 * same wishes and seed give the same cluster.
 */
final class SampleCluster {

    static final long NOW_MS = 1_767_225_600_000L;

    private static final long MEGABYTE = 1 << 20;

    private final Random random;
    private final List<String> tables;
    private final int servers;
    private final int racks;
    private final int regionsPerServer;
    private final double hotServerFactor;
    private final double awayShare;
    private HealerStatus healing = HealerStatus.NONE;
    private boolean isBalanced;

    SampleCluster(
            long seed,
            List<String> tables,
            int servers,
            int racks,
            int regionsPerServer,
            double hotServerFactor,
            double awayShare) {
        random = new Random(seed);
        this.tables = List.copyOf(tables);
        this.servers = servers;
        this.racks = racks;
        this.regionsPerServer = regionsPerServer;
        this.hotServerFactor = hotServerFactor;
        this.awayShare = awayShare;
    }

    SampleCluster with(HealerStatus status) {
        healing = status;
        return this;
    }

    /** Every planned move has been made. */
    SampleCluster balanced() {
        isBalanced = true;
        return this;
    }

    Page page() {
        List<ServerState> all = new ArrayList<>();
        for (int server = 0; server < servers; server++) {
            ServerId id = new ServerId("rs%03d.example.org".formatted(server + 1), 16020, NOW_MS - 86_400_000);
            all.add(new ServerState(id, "/dc1/rack%d".formatted(server % racks + 1), 1).withRegions(regions(server)));
        }
        BalancerStatus status = balancer(all);
        List<ServerState> now = isBalanced ? moved(all, status.decisions().get(0)) : all;
        PageInput input = new PageInput(
                new ClusterState(NOW_MS, "nobody", ClusterState.UNKNOWN, now),
                "master1.example.org:16000",
                TableWeights.DEFAULTS,
                status,
                healing,
                SamplePages.doctor());
        return PageBuilder.build(input, this::history);
    }

    private List<RegionState> regions(int server) {
        double factor = server == servers / 3 ? hotServerFactor : server == servers / 2 ? 1 + hotServerFactor / 4 : 1;
        List<RegionState> regions = new ArrayList<>();
        for (int region = 0; region < regionsPerServer; region++) {
            String table = tables.get(region * tables.size() / regionsPerServer);
            double heat = Math.pow(random.nextDouble(), -0.3) - 0.95;
            double reads = 40 * heat * factor * (0.6 + random.nextDouble());
            double writes = 12 * heat * (0.4 + random.nextDouble());
            long bytes = (long) (MEGABYTE * 120 * Math.exp(random.nextGaussian() * 0.55));
            boolean isAway = random.nextDouble() < awayShare * (server % 5 == 1 ? 3 : 0.4);
            long local = isAway ? (long) (bytes * random.nextDouble() * 0.8) : bytes;
            LoadVector load = LoadVector.ofReads(reads)
                    .withWrites(writes)
                    .withStoreBytes((double) bytes)
                    .with(LoadDimension.MEMSTORE, 4.0 * MEGABYTE);
            boolean isKnown = random.nextInt(400) > 0;
            regions.add(state(
                    region(server, region),
                    new TableId(table),
                    isKnown
                            ? new RegionHeat.Known(load, load)
                            : new RegionHeat.Unknown(RegionHeat.Reason.OBSERVED_TOO_BRIEFLY),
                    new StoreFileBytes(bytes, local, bytes)));
        }
        return regions;
    }

    private static EncodedRegionName region(int server, int region) {
        return new EncodedRegionName(
                "%08x%08x%016x".formatted(server * 7_919, region * 104_729, server * 31L + region));
    }

    private BalancerStatus balancer(List<ServerState> all) {
        BalancerConfig config = BalancerConfig.read("made up", new MapSettings(Map.of()), key -> true);
        BalanceEngine engine = new BalanceEngine(config, new DirectedPlanner()::plan);
        Map<ServerId, Collection<RegionState>> states = new LinkedHashMap<>();
        all.forEach(server -> states.put(server.server(), server.regions()));
        ClusterState snapshot = ClusterState.of(states);
        engine.runStarted(region -> Optional.empty(), NOW_MS - 240_000);
        PlanGoals goals = engine.goals(HBasePlanLimits.of(0.2, snapshot.regionCount(), 1), NOW_MS - 240_000);
        Decision decision = engine.decide("hbase:ensemble", snapshot, goals, NOW_MS - 240_000);
        if (decision.isToBeCarriedOut()) {
            engine.planApplied(decision, snapshot, goals, NOW_MS - 240_000);
        }
        RegionState pinned = snapshot.regionsOf(0).get(0);
        engine.tracker()
                .regionMovedManually(
                        pinned.region(),
                        pinned.table(),
                        all.get(servers - 1).server(),
                        all.get(0).server(),
                        "ops",
                        false,
                        NOW_MS - 3_000_000);
        return new BalancerStatus(
                true,
                true,
                config,
                engine.tracker().adviseOnly(),
                Optional.empty(),
                Optional.empty(),
                engine.excludedNow(),
                engine.decisions(),
                List.of(rejected(snapshot, servers)),
                engine.tracker().pinned(NOW_MS),
                engine.tracker().predictionLog(),
                List.of(advice()),
                engine.advice().days());
    }

    private static RejectedStockMove rejected(ClusterState snapshot, int servers) {
        RegionState region = snapshot.regionsOf(1).get(0);
        return new RejectedStockMove(
                NOW_MS - 300_000,
                region.region(),
                region.table(),
                snapshot.serverId(1),
                snapshot.serverId(servers - 1),
                UnmovedReason.STOCK_MOVE_HEATS,
                "the plan would take " + snapshot.serverId(servers - 1)
                        + " from 1.02 to 1.31 of its fair share of reads, above 1.10");
    }

    private static Advice advice() {
        return new Advice(
                NOW_MS - 86_400_000,
                "hbase:ensemble",
                "rs001.example.org:16020",
                "hearth.balancer.mode is advise",
                "7 moves; max/mean of reads 2.00 -> 1.10",
                7,
                Map.of(LoadDimension.READS, 2.0),
                Map.of(LoadDimension.READS, 1.1),
                new Advice.StockPlan(2, List.of(), "its cost 0.04 -> 0.03", Map.of(LoadDimension.READS, 1.9)),
                Map.of(),
                OptionalLong.empty());
    }

    private static List<ServerState> moved(List<ServerState> before, Decision decision) {
        Map<EncodedRegionName, ServerId> targets = new HashMap<>();
        decision.plan().moves().forEach(move -> targets.put(move.region(), move.to()));
        Map<ServerId, List<RegionState>> after = new HashMap<>();
        before.forEach(server -> server.regions().forEach(region -> after.computeIfAbsent(
                        targets.getOrDefault(region.region(), server.server()), first -> new ArrayList<>())
                .add(region)));
        return before.stream()
                .map(server -> server.withRegions(after.getOrDefault(server.server(), List.of())))
                .toList();
    }

    static RegionState state(EncodedRegionName region, TableId table, RegionHeat heat, StoreFileBytes stored) {
        return new RegionState(
                region,
                region,
                table,
                heat,
                heat instanceof RegionHeat.Known ? Pin.FREE : Pin.HEAT_UNKNOWN,
                LocalBytes.UNKNOWN,
                Optional.of(stored));
    }

    /** A curve of an hour that comes out at today's heat, give or take; the region's name makes it its own. */
    private List<OptionalDouble> history(EncodedRegionName region) {
        Random own = new Random(region.hashCode());
        List<OptionalDouble> samples = new ArrayList<>();
        double value = 50 + own.nextInt(400);
        for (int minute = 0; minute < 60; minute++) {
            value = Math.max(5, value * (0.9 + own.nextDouble() * 0.22));
            samples.add(minute < own.nextInt(3) ? OptionalDouble.empty() : OptionalDouble.of(value));
        }
        return samples;
    }
}
