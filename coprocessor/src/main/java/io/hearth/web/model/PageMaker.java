package io.hearth.web.model;

import io.hearth.balancer.config.GoalConfig;
import io.hearth.balancer.cost.TableWeights;
import io.hearth.balancer.load.Crowd;
import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.LoadVector;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/** Makes a page of what was seen. Pure. */
public final class PageMaker {

    /** The dimensions that an operator looks at. */
    static final List<LoadDimension> SHOWN =
            List.of(LoadDimension.READS, LoadDimension.WRITES, LoadDimension.STORE_SIZE);

    private static final Comparator<SeenServer> BY_RACK = Comparator.comparing(SeenServer::isDraining)
            .thenComparing(SeenServer::rack)
            .thenComparing(SeenServer::server);

    private PageMaker() {}

    /**
     * The page of what was seen.
     *
     * @param history the last samples of a region, oldest first
     */
    public static Page make(Seen unsorted, Function<RegionId, List<OptionalDouble>> history) {
        Seen seen = new Seen(
                unsorted.atMs(),
                unsorted.master(),
                unsorted.servers().stream().sorted(BY_RACK).toList(),
                unsorted.weights(),
                unsorted.balancer(),
                unsorted.healing(),
                unsorted.doctor());
        Seen serving = seen.serving();
        Shares shares = Shares.of(serving);
        List<ServerRow> rows = new ArrayList<>();
        for (int server = 0; server < serving.servers().size(); server++) {
            rows.add(row(serving.servers().get(server), shares(server, shares)));
        }
        List<ServerRow> all = new ArrayList<>(rows);
        seen.servers().stream().filter(SeenServer::isDraining).forEach(server -> all.add(row(server, Map.of())));
        return new Page(
                seen,
                all,
                SHOWN.stream()
                        .map(dimension -> evenness(dimension, serving, rows, shares))
                        .toList(),
                Hottest.of(serving, shares, history),
                Cells.of(seen.servers(), Cells.MOST),
                all.stream().mapToInt(ServerRow::regions).sum(),
                all.stream().mapToLong(ServerRow::localBytes).sum(),
                all.stream().mapToLong(ServerRow::blockBytes).sum(),
                all.stream().mapToInt(ServerRow::unknownHeat).sum());
    }

    private static Map<LoadDimension, Double> shares(int server, Shares shares) {
        Map<LoadDimension, Double> share = new EnumMap<>(LoadDimension.class);
        SHOWN.forEach(dimension -> share.put(dimension, shares.ofServer(server, dimension)));
        return share;
    }

    private static ServerRow row(SeenServer seen, Map<LoadDimension, Double> share) {
        double[] sums = new double[LoadDimension.values().length];
        long local = 0;
        long blocks = 0;
        int unknown = 0;
        double recent = 0;
        for (SeenRegion region : seen.regions()) {
            add(sums, region.measured());
            local += Math.min(region.localBytes(), region.blockBytes());
            blocks += region.blockBytes();
            unknown += region.isHeatKnown() ? 0 : 1;
            recent += region.recentRequestsPerSecond().orElse(0);
        }
        sums[LoadDimension.STORE_SIZE.ordinal()] = storeBytes(seen);
        return new ServerRow(
                seen.server(),
                seen.rack(),
                seen.capacity(),
                seen.regions().size(),
                LoadVector.of(sums[0], sums[1], sums[2], sums[3]),
                share,
                recent,
                local,
                blocks,
                unknown,
                seen.isDraining());
    }

    /** What a server stores is known from its report, whatever is known of heat. */
    private static double storeBytes(SeenServer seen) {
        return (double)
                seen.regions().stream().mapToLong(SeenRegion::storeBytes).sum();
    }

    private static void add(double[] sums, LoadVector load) {
        for (LoadDimension dimension : LoadDimension.values()) {
            sums[dimension.ordinal()] += load.get(dimension);
        }
    }

    private static Evenness evenness(LoadDimension dimension, Seen seen, List<ServerRow> rows, Shares shares) {
        Optional<ServerRow> hottest = rows.stream()
                .filter(row -> row.share(dimension) > 0)
                .max(Comparator.comparingDouble(row -> row.share(dimension)));
        GoalConfig goals = seen.balancer().config().goals();
        double mean = shares.mean(dimension);
        Crowd.Least bound = shares.lowerBound(dimension);
        return new Evenness(
                dimension,
                rows.stream().mapToDouble(row -> row.load().get(dimension)).sum(),
                last(dimension, seen),
                mean,
                Math.max(1, hottest.map(row -> row.share(dimension)).orElse(1.0)),
                hottest.map(ServerRow::server),
                bound.load(),
                bound.together(),
                dimension == LoadDimension.STORE_SIZE ? goals.storeSizeSkewTrigger() : goals.skewTrigger(),
                floor(goals, dimension) < Double.POSITIVE_INFINITY,
                mean > 0 && mean >= floor(goals, dimension));
    }

    private static double last(LoadDimension dimension, Seen seen) {
        return seen.servers().stream()
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
    static LoadVector weighed(SeenRegion region, TableWeights weights) {
        LoadVector load = region.load();
        return weights.of(region.table())
                .weigh(LoadVector.of(
                        load.get(LoadDimension.READS),
                        load.get(LoadDimension.WRITES),
                        (double) region.storeBytes(),
                        load.get(LoadDimension.MEMSTORE)));
    }

    /** The server with this index. */
    static ServerId server(Seen seen, int index) {
        return seen.servers().get(index).server();
    }
}
