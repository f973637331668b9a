// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.model;

import io.hearth.balancer.config.GoalConfig;
import io.hearth.balancer.cost.PackingLowerBound;
import io.hearth.balancer.cost.TableWeights;
import io.hearth.balancer.tracking.PinnedRegion;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
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

/** Makes a page of what was seen. Pure. */
public final class PageBuilder {

    /** The dimensions that an operator looks at. */
    static final List<LoadDimension> SHOWN =
            List.of(LoadDimension.READS, LoadDimension.WRITES, LoadDimension.STORE_SIZE);

    private static final Comparator<ServerStatus> BY_RACK = Comparator.comparing(ServerStatus::isDraining)
            .thenComparing(ServerStatus::rack)
            .thenComparing(ServerStatus::server);

    private PageBuilder() {}

    /**
     * The page of what was seen.
     *
     * @param history the last samples of a region, oldest first
     */
    public static Page build(PageInput unsorted, Function<EncodedRegionName, List<OptionalDouble>> history) {
        PageInput input = new PageInput(
                unsorted.atMs(),
                unsorted.master(),
                unsorted.servers().stream().sorted(BY_RACK).toList(),
                unsorted.weights(),
                unsorted.balancer(),
                unsorted.healing(),
                unsorted.doctor());
        PageInput serving = input.serving();
        LoadShares shares = LoadShares.of(serving);
        List<ServerRow> rows = new ArrayList<>();
        for (int server = 0; server < serving.servers().size(); server++) {
            rows.add(row(serving.servers().get(server), shares(server, shares)));
        }
        List<ServerRow> all = new ArrayList<>(rows);
        input.servers().stream().filter(ServerStatus::isDraining).forEach(server -> all.add(row(server, Map.of())));
        return new Page(
                input,
                all,
                SHOWN.stream()
                        .map(dimension -> balance(dimension, serving, rows, shares))
                        .toList(),
                HottestRegionFinder.of(serving, shares, history),
                RegionTreemap.of(input.servers(), RegionTreemap.MAX_REGIONS),
                all.stream().mapToInt(ServerRow::regions).sum(),
                all.stream().mapToLong(ServerRow::localBytes).sum(),
                all.stream().mapToLong(ServerRow::blockBytes).sum(),
                all.stream().mapToInt(ServerRow::unknownHeat).sum());
    }

    private static Map<LoadDimension, Double> shares(int server, LoadShares shares) {
        Map<LoadDimension, Double> share = new EnumMap<>(LoadDimension.class);
        SHOWN.forEach(dimension -> share.put(dimension, shares.ofServer(server, dimension)));
        return share;
    }

    private static ServerRow row(ServerStatus input, Map<LoadDimension, Double> share) {
        double[] sums = new double[LoadDimension.values().length];
        long local = 0;
        long blocks = 0;
        int unknown = 0;
        double recent = 0;
        for (RegionStatus region : input.regions()) {
            add(sums, region.measured());
            local += Math.min(region.localBytes(), region.blockBytes());
            blocks += region.blockBytes();
            unknown += region.isHeatKnown() ? 0 : 1;
            recent += region.recentRequestsPerSecond().orElse(0);
        }
        sums[LoadDimension.STORE_SIZE.ordinal()] = storeBytes(input);
        return new ServerRow(
                input.server(),
                input.rack(),
                input.capacity(),
                input.regions().size(),
                LoadVector.of(dimension -> sums[dimension.ordinal()]),
                share,
                recent,
                local,
                blocks,
                unknown,
                input.isDraining());
    }

    /** What a server stores is known from its report, whatever is known of heat. */
    private static double storeBytes(ServerStatus input) {
        return (double)
                input.regions().stream().mapToLong(RegionStatus::storeBytes).sum();
    }

    private static void add(double[] sums, LoadVector load) {
        for (LoadDimension dimension : LoadDimension.values()) {
            sums[dimension.ordinal()] += load.get(dimension);
        }
    }

    private static BalanceSummary balance(
            LoadDimension dimension, PageInput input, List<ServerRow> rows, LoadShares shares) {
        Optional<ServerRow> hottest = rows.stream()
                .filter(row -> row.share(dimension) > 0)
                .max(Comparator.comparingDouble(row -> row.share(dimension)));
        GoalConfig goals = input.balancer().config().goals();
        double mean = shares.mean(dimension);
        PackingLowerBound.Bound bound = shares.lowerBound(dimension);
        return new BalanceSummary(
                dimension,
                rows.stream().mapToDouble(row -> row.load().get(dimension)).sum(),
                last(dimension, input),
                mean,
                Math.max(1, hottest.map(row -> row.share(dimension)).orElse(1.0)),
                hottest.map(ServerRow::server),
                bound.load(),
                bound.together(),
                dimension == LoadDimension.STORE_SIZE ? goals.storeSizeSkewTrigger() : goals.skewTrigger(),
                floor(goals, dimension) < Double.POSITIVE_INFINITY,
                mean > 0 && mean >= floor(goals, dimension));
    }

    private static double last(LoadDimension dimension, PageInput input) {
        return input.servers().stream()
                .flatMap(server -> server.regions().stream())
                .mapToDouble(region -> dimension == LoadDimension.STORE_SIZE
                        ? (double) region.storeBytes()
                        : region.last().get(dimension))
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

    /** A region's load as plans count it; its size is known without its heat. */
    static LoadVector weighed(RegionStatus region, TableWeights weights) {
        return weights.of(region.table()).weigh(region.load().withStoreBytes((double) region.storeBytes()));
    }

    /** The server with this index. */
    static ServerId server(PageInput input, int index) {
        return input.servers().get(index).server();
    }

    /** Finds the hottest regions by the larger of their shares of reads and of writes. */
    private static final class HottestRegionFinder {

        /** As many as an operator reads. */
        static final int SHOWN = 50;

        private record Candidate(RegionStatus region, int server, LoadDimension because, double share) {}

        private static final Comparator<Candidate> HOTTEST_LAST = Comparator.comparingDouble(Candidate::share)
                .thenComparing(candidate -> candidate.region().region(), Comparator.reverseOrder());

        private HottestRegionFinder() {}

        static List<HotRegionRow> of(
                PageInput input, LoadShares shares, Function<EncodedRegionName, List<OptionalDouble>> history) {
            PriorityQueue<Candidate> kept = new PriorityQueue<>(HOTTEST_LAST);
            for (int server = 0; server < input.servers().size(); server++) {
                for (RegionStatus region : input.servers().get(server).regions()) {
                    Candidate candidate = candidate(region, server, input, shares);
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
                        PageBuilder.server(input, candidate.server()),
                        candidate.because(),
                        candidate.share(),
                        history.apply(region),
                        pin,
                        reasons.of(candidate.region(), candidate.server(), pin)));
            });
            return rows;
        }

        private static Candidate candidate(RegionStatus region, int server, PageInput input, LoadShares shares) {
            LoadVector load = PageBuilder.weighed(region, input.weights());
            double reads = shares.of(load.get(LoadDimension.READS), LoadDimension.READS);
            double writes = shares.of(load.get(LoadDimension.WRITES), LoadDimension.WRITES);
            return reads >= writes
                    ? new Candidate(region, server, LoadDimension.READS, reads)
                    : new Candidate(region, server, LoadDimension.WRITES, writes);
        }
    }
}
