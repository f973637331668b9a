// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.model;

import io.hearth.balancer.config.GoalConfig;
import io.hearth.balancer.cost.PackingLowerBound;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.ServerState;
import io.hearth.balancer.tracking.PinnedRegion;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.PriorityQueue;
import java.util.function.Function;

/** Makes a page of what was observed. Pure. */
public final class PageBuilder {

    /** The dimensions that the page shows. */
    static final List<LoadDimension> SHOWN =
            List.of(LoadDimension.READS, LoadDimension.WRITES, LoadDimension.STORE_SIZE);

    private static final Comparator<ServerRow> BY_RACK = Comparator.comparing(
                    (ServerRow row) -> row.state().draining())
            .thenComparing(row -> row.state().rack())
            .thenComparing(ServerRow::server);

    private PageBuilder() {}

    /**
     * The page of what was observed.
     *
     * @param history the last samples of a region, oldest first
     */
    public static Page build(PageInput input, Function<EncodedRegionName, List<OptionalDouble>> history) {
        LoadShares shares = LoadShares.of(input.cluster().serving(), input.weights());
        List<ServerRow> rows = rows(input.cluster(), shares);
        return new Page(
                input,
                rows,
                SHOWN.stream()
                        .map(dimension ->
                                balance(dimension, input.balancer().config().goals(), rows, shares))
                        .toList(),
                HottestRegionFinder.of(input, shares, history),
                RegionTreemap.of(rows.stream().map(ServerRow::state).toList(), RegionTreemap.MAX_REGIONS),
                rows.stream().mapToInt(row -> row.totals().regions()).sum(),
                rows.stream()
                        .mapToLong(row -> row.totals().reported().localBytes())
                        .sum(),
                rows.stream()
                        .mapToLong(row -> row.totals().reported().blockBytes())
                        .sum(),
                rows.stream().mapToInt(row -> row.totals().unknownHeat()).sum());
    }

    private static List<ServerRow> rows(ClusterState cluster, LoadShares shares) {
        List<ServerRow> rows = new ArrayList<>();
        List<ServerState> serving = shares.serving().servers();
        for (int server = 0; server < serving.size(); server++) {
            rows.add(row(serving.get(server), shares(server, shares)));
        }
        cluster.servers().stream().filter(ServerState::draining).forEach(server -> rows.add(row(server, Map.of())));
        rows.sort(BY_RACK);
        return rows;
    }

    private static Map<LoadDimension, Double> shares(int server, LoadShares shares) {
        Map<LoadDimension, Double> share = new EnumMap<>(LoadDimension.class);
        SHOWN.forEach(dimension -> share.put(dimension, shares.ofServer(server, dimension)));
        return share;
    }

    private static ServerRow row(ServerState server, Map<LoadDimension, Double> share) {
        return new ServerRow(server, server.totals(), share);
    }

    private static BalanceSummary balance(
            LoadDimension dimension, GoalConfig goals, List<ServerRow> rows, LoadShares shares) {
        List<ServerRow> serving =
                rows.stream().filter(row -> !row.state().draining()).toList();
        Optional<ServerRow> hottest = serving.stream()
                .filter(row -> row.share(dimension) > 0)
                .max(Comparator.comparingDouble(row -> row.share(dimension)));
        double mean = shares.mean(dimension);
        PackingLowerBound.Bound bound = shares.lowerBound(dimension);
        return new BalanceSummary(
                dimension,
                serving.stream().mapToDouble(row -> row.load(dimension)).sum(),
                last(dimension, serving),
                mean,
                Math.max(1, hottest.map(row -> row.share(dimension)).orElse(1.0)),
                hottest.map(ServerRow::server),
                bound.load(),
                bound.together(),
                dimension == LoadDimension.STORE_SIZE ? goals.storeSizeSkewTrigger() : goals.skewTrigger(),
                floor(goals, dimension) < Double.POSITIVE_INFINITY,
                mean > 0 && mean >= floor(goals, dimension));
    }

    private static double last(LoadDimension dimension, List<ServerRow> serving) {
        return dimension == LoadDimension.STORE_SIZE
                ? serving.stream().mapToDouble(row -> row.load(dimension)).sum()
                : serving.stream()
                        .flatMap(row -> row.state().regions().stream())
                        .mapToDouble(region -> region.lastLoad().get(dimension))
                        .sum();
    }

    private static double floor(GoalConfig goals, LoadDimension dimension) {
        return switch (dimension) {
            case READS -> goals.readHeatCost() > 0 ? goals.minRequestsPerSecond() : Double.POSITIVE_INFINITY;
            case WRITES -> goals.writeHeatCost() > 0 ? goals.minRequestsPerSecond() : Double.POSITIVE_INFINITY;
            case STORE_SIZE -> goals.storeSizeCost() > 0 ? (double) goals.minStoreBytes() : Double.POSITIVE_INFINITY;
            case MEMSTORE ->
                goals.memstoreHeatCost() > 0 ? (double) goals.minMemstoreBytes() : Double.POSITIVE_INFINITY;
        };
    }

    /** Finds the hottest regions by the larger of their shares of reads and of writes. */
    private static final class HottestRegionFinder {

        /** As many as an operator reads. */
        static final int SHOWN = 50;

        private record Candidate(RegionState region, int server, LoadDimension because, double share) {}

        private static final Comparator<Candidate> HOTTEST_LAST = Comparator.comparingDouble(Candidate::share)
                .thenComparing(candidate -> candidate.region().region(), Comparator.reverseOrder());

        private HottestRegionFinder() {}

        static List<HotRegionRow> of(
                PageInput input, LoadShares shares, Function<EncodedRegionName, List<OptionalDouble>> history) {
            PriorityQueue<Candidate> kept = new PriorityQueue<>(HOTTEST_LAST);
            for (int server = 0; server < shares.serving().servers().size(); server++) {
                for (RegionState region : shares.serving().regionsOf(server)) {
                    Candidate candidate = candidate(region, server, shares);
                    if (candidate.share() > 0) {
                        kept.add(candidate);
                    }
                    if (kept.size() > SHOWN) {
                        kept.remove();
                    }
                }
            }
            Map<EncodedRegionName, PinnedRegion> pins = new HashMap<>();
            input.balancer().pins().forEach(pin -> pins.put(pin.region(), pin));
            RegionMoveExplainer reasons = new RegionMoveExplainer(input, shares);
            List<HotRegionRow> rows = new ArrayList<>();
            kept.stream().sorted(HOTTEST_LAST.reversed()).forEach(candidate -> {
                EncodedRegionName region = candidate.region().region();
                Optional<PinnedRegion> pin = Optional.ofNullable(pins.get(region));
                rows.add(new HotRegionRow(
                        candidate.region(),
                        shares.serving().serverId(candidate.server()),
                        candidate.because(),
                        candidate.share(),
                        history.apply(region),
                        pin,
                        reasons.of(candidate.region(), candidate.server(), pin)));
            });
            return rows;
        }

        private static Candidate candidate(RegionState region, int server, LoadShares shares) {
            double reads = shares.ofRegion(region, LoadDimension.READS);
            double writes = shares.ofRegion(region, LoadDimension.WRITES);
            return reads >= writes
                    ? new Candidate(region, server, LoadDimension.READS, reads)
                    : new Candidate(region, server, LoadDimension.WRITES, writes);
        }
    }
}
