// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.view;

import io.hearth.balancer.state.RegionState.StoreFileBytes;
import io.hearth.balancer.state.ServerState;
import io.hearth.balancer.state.ServerState.ServerTotals;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Made-up clusters to be shown. */
public final class ClusterSummaryFixtures {

    private static final long AT_MS = 1_700_000_000_000L;
    private static final long MEGABYTE = 1 << 20;

    private ClusterSummaryFixtures() {}

    public static ClusterSummary hot() {
        return new ClusterSummary(
                AT_MS,
                "m1:16000",
                30,
                1,
                300_000,
                1,
                List.of(
                        balance("reads", false, 3_000, 2.99, "host1:16020", 1, "UNBALANCED"),
                        balance("writes", false, 12.4, 1.01, "host1:16020", 1, "BALANCED"),
                        new ClusterSummary.BalanceSummary(
                                "store size",
                                true,
                                3.0 * 1024 * MEGABYTE,
                                3.0 * 1024 * MEGABYTE,
                                1.8,
                                Optional.of("host2:16020"),
                                1.8,
                                1,
                                1.3,
                                "AT_LOWER_BOUND")),
                new ClusterSummary.BalancerState(
                        true, true, true, Optional.empty(), Optional.empty(), Optional.empty(), List.of()),
                new ClusterSummary.HealingState(
                        true,
                        "on",
                        Optional.empty(),
                        3,
                        5,
                        50 * MEGABYTE,
                        OptionalDouble.of(12 * MEGABYTE),
                        Optional.of("bandwidth of DataNodes"),
                        OptionalLong.of(8_500),
                        Optional.of(new ClusterSummary.RemoteServer("host1:16020", 90 * MEGABYTE)),
                        OptionalLong.of(100 * MEGABYTE),
                        0,
                        Optional.empty()),
                List.of(
                        server("host1", 2_990, 2.99, 4, 1, 3_100, 100),
                        server("host2", 9.94, 0.01, 4.2, 1.05, 14, 200),
                        server("host3", 0, 0, 4.2, 1.05, 0, 100)),
                List.of(new ClusterSummary.HotRegion(
                        "1588230740aabbccddeeff0011223344",
                        "orders",
                        "host1:16020",
                        1.5,
                        LoadVector.ofReads(1_500),
                        MEGABYTE,
                        MEGABYTE,
                        "it was moved here manually (ann)")),
                Optional.of(new ClusterSummary.LastPlan(
                        AT_MS - 200_000, "7 moves; max/mean of reads 2.99 -> 1.02", Optional.empty())),
                List.of(pin()),
                0);
    }

    /** One with ten regions, of whose blocks 100 MB are local. */
    private static ClusterSummary.Server server(
            String host,
            double reads,
            double readShare,
            double writes,
            double writeShare,
            double recent,
            long blockMegabytes) {
        LoadVector load = LoadVector.ofReads(reads).withWrites(writes);
        ServerTotals totals = new ServerTotals(
                10,
                0,
                load,
                load,
                recent,
                new StoreFileBytes(blockMegabytes * MEGABYTE, 100 * MEGABYTE, blockMegabytes * MEGABYTE));
        return new ClusterSummary.Server(
                ServerState.of(new ServerId(host, 16020, 7)).withTotals(totals),
                Map.of(LoadDimension.READS, readShare, LoadDimension.WRITES, writeShare));
    }

    /** The same with these servers. */
    public static ClusterSummary withServers(ClusterSummary cluster, List<ClusterSummary.Server> servers) {
        return new ClusterSummary(
                cluster.atMs(),
                cluster.master(),
                cluster.regions(),
                cluster.unknownHeat(),
                cluster.halfLifeMs(),
                cluster.draining(),
                cluster.balance(),
                cluster.balancer(),
                cluster.healing(),
                servers,
                cluster.hottest(),
                cluster.lastPlan(),
                cluster.pins(),
                0);
    }

    /** The same with another mode: why plans are advice only, and what the healer does. */
    static ClusterSummary inMode(ClusterSummary cluster, Optional<String> adviseOnly, String healing) {
        return new ClusterSummary(
                cluster.atMs(),
                cluster.master(),
                cluster.regions(),
                cluster.unknownHeat(),
                cluster.halfLifeMs(),
                cluster.draining(),
                cluster.balance(),
                new ClusterSummary.BalancerState(
                        true, true, true, adviseOnly, Optional.empty(), Optional.empty(), List.of()),
                new ClusterSummary.HealingState(
                        !healing.equals("not installed"),
                        healing,
                        Optional.empty(),
                        0,
                        0,
                        0,
                        OptionalDouble.empty(),
                        Optional.empty(),
                        OptionalLong.empty(),
                        Optional.empty(),
                        OptionalLong.empty(),
                        0,
                        Optional.empty()),
                cluster.servers(),
                cluster.hottest(),
                cluster.lastPlan(),
                cluster.pins(),
                0);
    }

    /** The same, with what is reported as remote local according to the NameNode. */
    static ClusterSummary healedAndNotReported() {
        ClusterSummary hot = hot();
        return new ClusterSummary(
                hot.atMs(),
                hot.master(),
                hot.regions(),
                hot.unknownHeat(),
                hot.halfLifeMs(),
                hot.draining(),
                hot.balance(),
                hot.balancer(),
                new ClusterSummary.HealingState(
                        true,
                        "on",
                        Optional.empty(),
                        0,
                        0,
                        0,
                        OptionalDouble.empty(),
                        Optional.empty(),
                        OptionalLong.of(0),
                        Optional.empty(),
                        OptionalLong.of(0),
                        2,
                        Optional.of("aabbccdd")),
                hot.servers(),
                hot.hottest(),
                hot.lastPlan(),
                hot.pins(),
                0);
    }

    /** Installed a minute ago, the balancer alone. */
    static ClusterSummary adviceWithoutAPlan() {
        return inMode(stock(), Optional.of("hearth.balancer.mode is advise"), "not installed");
    }

    static ClusterSummary.Pin pin() {
        return new ClusterSummary.Pin(
                "1588230740aabbccddeeff0011223344",
                "orders",
                "host1,16020,7",
                "MOVED_MANUALLY",
                "ann",
                "it was moved here manually",
                AT_MS,
                AT_MS + 86_400_000);
    }

    static ClusterSummary stock() {
        return stock(List.of());
    }

    /** Six regions on four servers, as even as they can be. */
    static ClusterSummary crowded() {
        return stock(List.of(new ClusterSummary.BalanceSummary(
                "reads", false, 600, 590, 1.33, Optional.of("host1:16020"), 1.33, 2, 1.1, "AT_LOWER_BOUND")));
    }

    /** The same with a weight of reads of 0. */
    static ClusterSummary notWeighed() {
        return stock(List.of(new ClusterSummary.BalanceSummary(
                "reads", false, 600, 590, 1.33, Optional.of("host1:16020"), 1.33, 2, 1.1, "ZERO_WEIGHT")));
    }

    /** One server serves less than it did, and on another regions did not open. */
    static ClusterSummary excluded() {
        return stock(
                List.of(),
                new ClusterSummary.BalancerState(
                        true,
                        true,
                        true,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(
                                new ClusterSummary.ExcludedServer(
                                        "host1:16020",
                                        "it serves 10 % of what its regions served before",
                                        OptionalLong.of(AT_MS - 600_000)),
                                new ClusterSummary.ExcludedServer(
                                        "host2:16020", "3 regions did not open there", OptionalLong.empty()))));
    }

    private static ClusterSummary stock(List<ClusterSummary.BalanceSummary> balance) {
        return stock(
                balance,
                new ClusterSummary.BalancerState(
                        false, true, false, Optional.empty(), Optional.empty(), Optional.empty(), List.of()));
    }

    private static ClusterSummary stock(
            List<ClusterSummary.BalanceSummary> balance, ClusterSummary.BalancerState balancer) {
        return new ClusterSummary(
                AT_MS,
                "m1:16000",
                0,
                0,
                0,
                0,
                balance,
                balancer,
                new ClusterSummary.HealingState(
                        false,
                        "not installed",
                        Optional.empty(),
                        0,
                        0,
                        0,
                        OptionalDouble.empty(),
                        Optional.empty(),
                        OptionalLong.empty(),
                        Optional.empty(),
                        OptionalLong.empty(),
                        0,
                        Optional.empty()),
                List.of(),
                List.of(),
                Optional.empty(),
                List.of(),
                0);
    }

    private static ClusterSummary.BalanceSummary balance(
            String label, boolean isBytes, double total, double maxOverMean, String on, double bound, String state) {
        return new ClusterSummary.BalanceSummary(
                label, isBytes, total, total / 2, maxOverMean, Optional.of(on), bound, 0, 1.1, state);
    }
}
