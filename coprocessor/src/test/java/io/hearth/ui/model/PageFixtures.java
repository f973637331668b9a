// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.model;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.config.TableWeights;
import io.hearth.balancer.engine.Decision;
import io.hearth.balancer.engine.ExcludedServers;
import io.hearth.balancer.heat.RegionHeat;
import io.hearth.balancer.plan.RejectedStockMove;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.RegionState.StoreFileBytes;
import io.hearth.balancer.state.ServerState;
import io.hearth.balancer.tracking.PinnedRegion;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.ui.model.PageInput.BalancerStatus;
import io.hearth.ui.model.PageInput.DoctorReport;
import io.hearth.ui.model.PageInput.HealerStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Small clusters to make pages of. */
public final class PageFixtures {

    private static final StoreFileBytes ALL_LOCAL = new StoreFileBytes(1 << 30, 1 << 30, 1 << 30);

    private PageFixtures() {}

    public static ServerState server(String host, String rack, double capacity, RegionState... regions) {
        return new ServerState(new ServerId(host, 16020, 1), rack, capacity).withRegions(List.of(regions));
    }

    /** A region with these rates and a gibibyte, all of it local. */
    public static RegionState region(String name, String table, double reads, double writes) {
        LoadVector load = LoadVector.ofReads(reads).withWrites(writes).withStoreBytes((double) ALL_LOCAL.storeBytes());
        return region(name, table, new RegionHeat.Known(load, load), ALL_LOCAL);
    }

    public static RegionState unknown(String name, String table, long storeBytes, long localBytes) {
        return region(
                name,
                table,
                new RegionHeat.Unknown(RegionHeat.Reason.OBSERVED_TOO_BRIEFLY),
                new StoreFileBytes(storeBytes, localBytes, storeBytes));
    }

    /** As the engine makes it. */
    public static RegionState region(String name, String table, RegionHeat heat, StoreFileBytes stored) {
        EncodedRegionName region = new EncodedRegionName(name);
        TableId of = new TableId(table);
        return new RegionState(
                region,
                region,
                of,
                heat instanceof RegionHeat.Known known
                        ? new RegionHeat.Known(
                                known.load(),
                                known.recent(),
                                known.last(),
                                known.readCost(),
                                TableWeights.DEFAULTS.of(of).weigh(known.planned()))
                        : heat,
                heat instanceof RegionHeat.Known ? Pin.FREE : Pin.HEAT_UNKNOWN,
                LocalBytes.UNKNOWN,
                Optional.of(stored));
    }

    public static Page page(ServerState... servers) {
        return page(List.of(), List.of(), servers);
    }

    public static Page page(List<Decision> decisions, List<PinnedRegion> pins, ServerState... servers) {
        return page(Map.of(), List.of(), decisions, List.of(), pins, servers);
    }

    /** One of a master with these settings. */
    static Page page(Map<String, String> settings, ServerState... servers) {
        return page(settings, List.of(), List.of(), List.of(), List.of(), servers);
    }

    /** One of a master that gives no regions to these servers. */
    public static Page excluded(List<ExcludedServers.ExcludedServer> excluded, ServerState... servers) {
        return page(Map.of(), excluded, List.of(), List.of(), List.of(), servers);
    }

    /** Healing goes on, and the healer says that it takes so long. */
    static Page healing(long estimatedHealMs, ServerState... servers) {
        Page page = page(servers);
        PageInput input = page.input();
        HealerStatus healing = new HealerStatus(
                true,
                HealerStatus.State.ON,
                Optional.empty(),
                0,
                0,
                OptionalDouble.empty(),
                Map.of(),
                Map.of(HealingGauge.ESTIMATED_HEAL_MS, estimatedHealMs),
                List.of(),
                List.of(),
                List.of());
        return PageBuilder.build(
                new PageInput(
                        input.cluster(), input.master(), input.weights(), input.balancer(), healing, input.doctor()),
                region -> List.of());
    }

    /** Moves of the stock balancer's were rejected. */
    static Page rejected(List<Decision> decisions, List<RejectedStockMove> rejected, ServerState... servers) {
        return page(Map.of(), List.of(), decisions, rejected, List.of(), servers);
    }

    private static Page page(
            Map<String, String> settings,
            List<ExcludedServers.ExcludedServer> excluded,
            List<Decision> decisions,
            List<RejectedStockMove> rejected,
            List<PinnedRegion> pins,
            ServerState... servers) {
        BalancerStatus balancer = new BalancerStatus(
                true,
                true,
                BalancerConfig.read("", new MapSettings(settings), key -> true),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                excluded,
                decisions,
                rejected,
                pins,
                List.of(),
                List.of(),
                List.of());
        PageInput input = new PageInput(
                new ClusterState(1_000_000, "a test", ClusterState.UNKNOWN, List.of(servers)),
                "m:16000",
                TableWeights.DEFAULTS,
                balancer,
                HealerStatus.NONE,
                DoctorReport.NOT_YET);
        return PageBuilder.build(input, region -> List.of(OptionalDouble.empty(), OptionalDouble.of(12.34)));
    }
}
