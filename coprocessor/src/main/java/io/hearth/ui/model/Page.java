// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.model;

import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.RegionState.StoreFileBytes;
import io.hearth.balancer.state.ServerState;
import io.hearth.balancer.state.ServerState.ServerTotals;
import io.hearth.balancer.tracking.PinnedRegion;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.ReportedLocality;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What the page shows at one time. Immutable.
 *
 * @param servers sorted by rack and name
 * @param balance of reads, writes and store size
 * @param hottest the hottest regions first
 * @param localBytes bytes of all blocks that are local to the server that reads them
 * @param blockBytes bytes of all blocks
 * @param unknownHeat how many regions' heat is not known
 */
public record Page(
        PageInput input,
        List<ServerRow> servers,
        List<BalanceSummary> balance,
        List<HotRegionRow> hottest,
        RegionTreemap treemap,
        int regions,
        long localBytes,
        long blockBytes,
        int unknownHeat) {

    public Page {
        servers = List.copyOf(servers);
        balance = List.copyOf(balance);
        hottest = List.copyOf(hottest);
    }

    /**
     * The same with other samples of its hottest regions.
     *
     * @param history the last samples of a region, oldest first
     */
    public Page withHistory(Function<EncodedRegionName, List<OptionalDouble>> history) {
        return new Page(
                input,
                servers,
                balance,
                hottest.stream()
                        .map(row -> row.withRecent(history.apply(row.region().region())))
                        .toList(),
                treemap,
                regions,
                localBytes,
                blockBytes,
                unknownHeat);
    }

    /** The same, with the totals of each server and without its regions, but for the hottest ones: all that is shown of a page. */
    public Page withoutRegions() {
        List<ServerRow> rows = servers.stream()
                .map(row -> new ServerRow(row.state().withTotals(row.totals()), row.totals(), row.shareByDimension()))
                .toList();
        return new Page(
                input.withServers(rows.stream().map(ServerRow::state).toList()),
                rows,
                balance,
                hottest,
                treemap,
                regions,
                localBytes,
                blockBytes,
                unknownHeat);
    }

    public long remoteBytes() {
        return Math.max(0, blockBytes - localBytes - localNotReportedBytes());
    }

    /** Bytes that are reported remote, of regions that the NameNode says are local: nothing is left to do for them. */
    private long localNotReportedBytes() {
        return input.healing().localNotReported().stream()
                .flatMap(region -> region.reported().stream())
                .mapToLong(ReportedLocality::nonLocalBytes)
                .sum();
    }

    /** At most so many servers, those first for which most is left to heal; each has something left. */
    public List<RemoteServer> busiest(int most) {
        Map<ServerId, Long> notReportedByServer = input.healing().localNotReported().stream()
                .collect(Collectors.groupingBy(ServedRegion::server, Collectors.summingLong(region -> region.reported()
                        .map(ReportedLocality::nonLocalBytes)
                        .orElse(0L))));
        return servers.stream()
                .map(row -> new RemoteServer(
                        row.server(),
                        row.totals().reported().remoteBytes() - notReportedByServer.getOrDefault(row.server(), 0L)))
                .filter(one -> one.remoteBytes() > 0)
                .sorted(Comparator.comparingLong(RemoteServer::remoteBytes)
                        .reversed()
                        .thenComparing(RemoteServer::server))
                .limit(most)
                .toList();
    }

    /** A server and the bytes of its regions that are not local. Immutable. */
    public record RemoteServer(ServerId server, long remoteBytes) {}

    /** How long the healer says that it takes until everything is local; empty where it does not say. */
    public OptionalLong estimatedHealMs() {
        if (remoteBytes() == 0) {
            return OptionalLong.of(0);
        }
        long ms = input.healing().gauge(HealingGauge.ESTIMATED_HEAL_MS);
        return ms > 0 ? OptionalLong.of(ms) : OptionalLong.empty();
    }

    /**
     * One server on the page. Immutable.
     *
     * @param totals what its regions come to, added up once
     * @param shareByDimension its load as plans count it, in multiples of its fair share: 1 is fair; none where it is being emptied
     */
    public record ServerRow(ServerState state, ServerTotals totals, Map<LoadDimension, Double> shareByDimension) {

        public ServerRow {
            Map<LoadDimension, Double> copy = new EnumMap<>(LoadDimension.class);
            copy.putAll(shareByDimension);
            shareByDimension = Collections.unmodifiableMap(copy);
        }

        public ServerId server() {
            return state.server();
        }

        /** What its regions have, as it is, not weighed by tables; what it stores is known from its report, whatever is known of heat. */
        double load(LoadDimension dimension) {
            return dimension == LoadDimension.STORE_SIZE
                    ? (double) totals.reported().storeBytes()
                    : totals.measuredLoad().get(dimension);
        }

        /** Its load in multiples of its fair share. */
        public double share(LoadDimension dimension) {
            return shareByDimension.getOrDefault(dimension, 0.0);
        }
    }

    /**
     * One of the hottest regions. Immutable.
     *
     * @param because the dimension in which it is hottest
     * @param share its load in that dimension as plans count it, in multiples of a mean server's fair share
     * @param recent its reads and writes a second at the last samples, oldest first; empty ones are not known
     * @param pin why it stays where it is, a cool-down among them; empty where nothing is remembered of it
     * @param why why it was or was not moved, as one sentence
     */
    public record HotRegionRow(
            RegionState region,
            ServerId server,
            LoadDimension because,
            double share,
            List<OptionalDouble> recent,
            Optional<PinnedRegion> pin,
            String why) {

        public HotRegionRow {
            recent = List.copyOf(recent);
        }

        HotRegionRow withRecent(List<OptionalDouble> samples) {
            return new HotRegionRow(region, server, because, share, samples, pin, why);
        }

        /** Its load in this dimension as it is, not weighed by its table. */
        public double load(LoadDimension dimension) {
            return region.measuredLoad().get(dimension);
        }
    }

    /**
     * Every region of the cluster as a cell of one picture, server by server. Immutable.
     *
     * @param firstOfServer the first cell of each server, in the order of the page's servers
     * @param left how many regions were left out because there are more than {@value #MAX_REGIONS}
     */
    public record RegionTreemap(List<Integer> firstOfServer, List<Cell> cells, int left) {

        /** More than this no screen can show. */
        public static final int MAX_REGIONS = 200_000;

        public RegionTreemap {
            firstOfServer = List.copyOf(firstOfServer);
            cells = List.copyOf(cells);
        }

        /** The cells of these servers; where there are more than {@code most}, each server has its part of that. */
        static RegionTreemap of(List<ServerState> servers, int most) {
            int all =
                    servers.stream().mapToInt(server -> server.regions().size()).sum();
            double part = all <= most ? 1 : (double) most / all;
            List<Integer> first = new ArrayList<>();
            List<Cell> cells = new ArrayList<>(Math.min(all, most));
            for (ServerState server : servers) {
                first.add(cells.size());
                int shown = (int) (server.regions().size() * part);
                server.regions().subList(0, shown).forEach(region -> cells.add(Cell.of(region)));
            }
            return new RegionTreemap(first, cells, all - cells.size());
        }

        /**
         * One region, with no more than is shown of it: a published page keeps all of them. Immutable.
         *
         * @param storeBytes as reported; 0 where nobody said
         * @param requestsPerSecond reads and writes over the long horizon; below 0 where heat is not known
         * @param localPercent of its bytes, rounded down so that 100 means all of them; below 0 where nobody said
         */
        public record Cell(
                EncodedRegionName region, TableId table, long storeBytes, double requestsPerSecond, int localPercent) {

            private static final int PERCENT = 100;

            static Cell of(RegionState region) {
                StoreFileBytes stored = region.reported().orElse(StoreFileBytes.NONE);
                return new Cell(
                        region.region(),
                        region.table(),
                        stored.storeBytes(),
                        region.heatKnown() ? region.measuredLoad().requestsPerSecond() : -1,
                        localPercent(stored));
            }

            private static int localPercent(StoreFileBytes stored) {
                return stored.blockBytes() <= 0
                        ? -1
                        : (int) (Math.min(stored.localBytes(), stored.blockBytes()) * PERCENT / stored.blockBytes());
            }
        }
    }

    /**
     * How evenly one dimension of load is spread over the servers. Immutable.
     *
     * @param total of the cluster, as it is, in the dimension's unit
     * @param last the same between the servers' last two reports
     * @param meanPerServer of it, weighed as in plans, for a server of mean capacity
     * @param maxOverMean the largest share, at least 1
     * @param hottest the server that has it; empty where there is no load
     * @param lowerBound max/mean that no plan can come below: 1, or what the hottest regions make of the largest server
     * @param lowerBoundRegions how many of the hottest regions have to share a server for that: 1 is the hottest alone, 0 none
     * @param trigger max/mean above which moves are planned
     * @param weighed whether it has a weight, so that plans are made for it at all
     * @param hasEnoughLoad whether there is load enough for it to be planned for
     */
    public record BalanceSummary(
            LoadDimension dimension,
            double total,
            double last,
            double meanPerServer,
            double maxOverMean,
            Optional<ServerId> hottest,
            double lowerBound,
            int lowerBoundRegions,
            double trigger,
            boolean weighed,
            boolean hasEnoughLoad) {

        /** How the page judges it. */
        public enum BalanceState {
            /** Its weight is 0: no plan is made for it. */
            ZERO_WEIGHT,
            /** Too little load to say, or none. */
            BELOW_MIN_LOAD,
            /** At or below the trigger. */
            BALANCED,
            /** Above the trigger, and as near to the lower bound as a plan would come: only splits help. */
            AT_LOWER_BOUND,
            /** Above the trigger. */
            UNBALANCED
        }

        public BalanceState state() {
            if (!weighed) {
                return BalanceState.ZERO_WEIGHT;
            }
            if (!hasEnoughLoad) {
                return BalanceState.BELOW_MIN_LOAD;
            }
            if (maxOverMean <= trigger) {
                return BalanceState.BALANCED;
            }
            return isBound() && maxOverMean <= lowerBound * trigger
                    ? BalanceState.AT_LOWER_BOUND
                    : BalanceState.UNBALANCED;
        }

        /** Plans bring a server with one region above its share to the target beside it, and any other to the target. */
        private boolean isBound() {
            return lowerBoundRegions > 0 && (lowerBoundRegions == 1 || lowerBound > trigger);
        }
    }
}
