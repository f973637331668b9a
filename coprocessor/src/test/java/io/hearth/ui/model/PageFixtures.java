// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.model;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.cost.TableWeights;
import io.hearth.balancer.engine.Decision;
import io.hearth.balancer.engine.ExcludedServers;
import io.hearth.balancer.heat.RegionHeat;
import io.hearth.balancer.tracking.PinnedRegion;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Small clusters to make pages of. */
public final class PageFixtures {

    private PageFixtures() {}

    public static ServerStatus server(String host, String rack, double capacity, RegionStatus... regions) {
        return new ServerStatus(new ServerId(host, 16020, 1), rack, capacity, List.of(regions));
    }

    /** A region with these rates and a gibibyte, all of it local. */
    public static RegionStatus region(String name, String table, double reads, double writes) {
        LoadVector load = LoadVector.ofReads(reads).withWrites(writes);
        return new RegionStatus(
                new EncodedRegionName(name),
                new TableId(table),
                1 << 30,
                1 << 30,
                1 << 30,
                new RegionHeat.Known(load, load));
    }

    public static RegionStatus unknown(String name, String table, long storeBytes, long localBytes) {
        return new RegionStatus(
                new EncodedRegionName(name),
                new TableId(table),
                storeBytes,
                localBytes,
                storeBytes,
                new RegionHeat.Unknown(RegionHeat.Reason.OBSERVED_TOO_BRIEFLY));
    }

    public static Page page(ServerStatus... servers) {
        return page(List.of(), List.of(), servers);
    }

    public static Page page(List<Decision> decisions, List<PinnedRegion> pins, ServerStatus... servers) {
        return page(Map.of(), List.of(), decisions, pins, servers);
    }

    /** One of a master with these settings. */
    static Page page(Map<String, String> settings, ServerStatus... servers) {
        return page(settings, List.of(), List.of(), List.of(), servers);
    }

    /** One of a master that gives no regions to these servers. */
    public static Page closed(List<ExcludedServers.ExcludedServer> closed, ServerStatus... servers) {
        return page(Map.of(), closed, List.of(), List.of(), servers);
    }

    private static Page page(
            Map<String, String> settings,
            List<ExcludedServers.ExcludedServer> closed,
            List<Decision> decisions,
            List<PinnedRegion> pins,
            ServerStatus... servers) {
        BalancerStatus balancer = new BalancerStatus(
                true,
                true,
                BalancerConfig.read("", new MapSettings(settings), key -> true),
                Optional.empty(),
                closed,
                decisions,
                pins,
                List.of(),
                List.of(),
                List.of());
        PageInput input = new PageInput(
                1_000_000,
                "m:16000",
                List.of(servers),
                TableWeights.DEFAULTS,
                balancer,
                HealerStatus.NONE,
                DoctorReport.NOT_YET);
        return PageBuilder.build(input, region -> List.of(OptionalDouble.empty(), OptionalDouble.of(12.34)));
    }
}
