// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.model;

import io.hearth.balancer.config.GoalConfig;
import io.hearth.balancer.config.TableWeights;
import io.hearth.balancer.share.FairShares;
import io.hearth.balancer.share.PackingLowerBound;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.ui.model.Page.BalanceSummary;
import io.hearth.ui.model.Page.RegionTreemap;
import io.hearth.ui.model.Page.ServerRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/** Makes a page of what was observed. Pure. */
public final class PageBuilder {

    /** The dimensions that the page shows. */
    private static final List<LoadDimension> SHOWN = LoadDimension.shown();

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
                        .map(dimension -> balance(
                                dimension, input.balancer().config().goals().of(dimension), rows, shares))
                        .toList(),
                HottestRegions.of(input, shares, history),
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
            LoadDimension dimension, GoalConfig.Goal goal, List<ServerRow> rows, LoadShares shares) {
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
                goal.trigger(),
                goal.isWeighed(),
                goal.counts(mean));
    }

    private static double last(LoadDimension dimension, List<ServerRow> serving) {
        return dimension.isCounter()
                ? serving.stream()
                        .flatMap(row -> row.state().regions().stream())
                        .mapToDouble(region -> region.lastLoad().get(dimension))
                        .sum()
                : serving.stream().mapToDouble(row -> row.load(dimension)).sum();
    }

    /**
     * The servers' {@link FairShares} as the page shows them: multiples of the mean, with regions of unknown heat at their first
     * rates; and what no plan can come below. Servers are those that serve, by their index in the cluster's state. Made for one page.
     */
    static final class LoadShares {

        private static final LoadDimension[] DIMENSIONS = LoadDimension.values();

        private final ClusterState serving;
        private final TableWeights weights;
        private final FairShares shares;
        private final PackingLowerBound[] packingBounds = new PackingLowerBound[DIMENSIONS.length];

        private LoadShares(ClusterState serving, TableWeights weights) {
            this.serving = serving;
            this.weights = weights;
            shares = new FairShares(loadByServer(), serving.capacityByServer(), FairShares.FairLoad.MEAN);
            packingBound();
        }

        static LoadShares of(ClusterState serving, TableWeights weights) {
            return new LoadShares(serving, weights);
        }

        private double[] loadByServer() {
            double[] loads = new double[serving.servers().size() * DIMENSIONS.length];
            for (int server = 0; server < serving.servers().size(); server++) {
                for (RegionState region : serving.regionsOf(server)) {
                    LoadVector load = load(region);
                    for (LoadDimension dimension : DIMENSIONS) {
                        loads[server * DIMENSIONS.length + dimension.ordinal()] += load.get(dimension);
                    }
                }
            }
            return loads;
        }

        private void packingBound() {
            int servers = serving.servers().size();
            Arrays.setAll(packingBounds, index -> new PackingLowerBound(servers, shares.mean(DIMENSIONS[index])));
            for (int server = 0; server < servers; server++) {
                for (RegionState region : serving.regionsOf(server)) {
                    LoadVector load = load(region);
                    for (LoadDimension dimension : DIMENSIONS) {
                        packingBounds[dimension.ordinal()].add(load.get(dimension));
                    }
                }
            }
        }

        /** The servers that serve, in the order of their indexes. */
        ClusterState serving() {
            return serving;
        }

        /** What plans count of this region; where its heat is not known yet, its size and its first rates by the same weights. */
        LoadVector load(RegionState region) {
            if (region.heatKnown()) {
                return region.plannedLoad();
            }
            double storeBytes = region.reported()
                    .map(stored -> (double) stored.storeBytes())
                    .orElse(0.0);
            return weights.of(region.table()).weigh(region.measuredLoad().withStoreBytes(storeBytes));
        }

        /** What a server of mean capacity should have, in the dimension's unit. */
        double mean(LoadDimension dimension) {
            return shares.mean(dimension);
        }

        /** What this server can take, in multiples of a mean server's. */
        double capacity(int server) {
            return shares.capacity(server);
        }

        /** The load of this server in multiples of its fair share; 0 where there is no load. */
        double ofServer(int server, LoadDimension dimension) {
            return shares.hasLoad(dimension) ? shares.ofServer(server, dimension) : 0;
        }

        /** The load of this region in multiples of a mean server's fair share. */
        double ofRegion(RegionState region, LoadDimension dimension) {
            return shares.of(load(region).get(dimension), dimension);
        }

        /** The share that the hottest regions make of the largest server, wherever they are; 1 of none where that is less. */
        PackingLowerBound.Bound lowerBound(LoadDimension dimension) {
            double largest = Arrays.stream(serving.capacityByServer()).max().orElse(1);
            PackingLowerBound.Bound least = packingBounds[dimension.ordinal()].least();
            double share = shares.of(least.load(), dimension) / largest;
            return share > 1 ? new PackingLowerBound.Bound(share, least.together()) : new PackingLowerBound.Bound(1, 0);
        }
    }
}
