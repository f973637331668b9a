// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.view;

import io.hearth.balancer.state.ServerState;
import io.hearth.balancer.state.ServerState.ServerTotals;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What is known of a cluster at one time: what the master's page shows, or what a process found out by itself. Immutable.
 *
 * @param atMs when it was seen, in milliseconds since 1970
 * @param master the active master, as {@code host:port}
 * @param unknownHeat how many regions' heat is not known; they count at their first rates
 * @param halfLifeMs in which rates lose half their weight, in milliseconds; 0 where the master does not say
 * @param draining how many servers are decommissioned or being drained: they count for nothing in its balance
 * @param balance of reads, writes and store size, in this order
 * @param servers of the cluster's state, in its order
 * @param hottest the hottest regions first
 * @param pinsLeftOut how many pins there are besides {@code pins}
 */
public record ClusterSummary(
        long atMs,
        String master,
        int regions,
        int unknownHeat,
        long halfLifeMs,
        int draining,
        List<BalanceSummary> balance,
        BalancerState balancer,
        HealingState healing,
        List<Server> servers,
        List<HotRegion> hottest,
        Optional<LastPlan> lastPlan,
        List<Pin> pins,
        int pinsLeftOut) {

    public ClusterSummary {
        balance = List.copyOf(balance);
        servers = List.copyOf(servers);
        hottest = List.copyOf(hottest);
        pins = List.copyOf(pins);
    }

    /**
     * How evenly one dimension of load is spread.
     *
     * @param isBytes whether the total is bytes; else it is requests a second
     * @param last the total between the servers' last two reports
     * @param hottest the server with the largest share; empty where there is no load
     * @param lowerBoundRegions how many of the hottest regions have to share a server for the lower bound: 1 is the hottest alone, 0 none
     * @param state the name of a {@code BalanceSummary.BalanceState} of the page: {@code BALANCED}, {@code UNBALANCED}, {@code AT_LOWER_BOUND}, {@code BELOW_MIN_LOAD} or {@code ZERO_WEIGHT}
     */
    public record BalanceSummary(
            String label,
            boolean isBytes,
            double total,
            double last,
            double maxOverMean,
            Optional<String> hottest,
            double lowerBound,
            int lowerBoundRegions,
            double trigger,
            String state) {}

    /**
     * What the balancer says of itself.
     *
     * @param adviseOnly why plans are only advice, as the end of a sentence; empty where they are carried out
     * @param braked which SLO watches have plans rest and why, as the end of a sentence; empty where none does
     * @param canaries the canary regions, as the end of a sentence; empty where there is no canary table
     * @param excluded the servers that are given no regions now
     */
    public record BalancerState(
            boolean installed,
            boolean enabled,
            boolean switchedOn,
            Optional<String> adviseOnly,
            Optional<String> braked,
            Optional<String> canaries,
            List<ExcludedServer> excluded) {

        public BalancerState {
            excluded = List.copyOf(excluded);
        }
    }

    /**
     * A server that is given no regions now.
     *
     * @param why the end of a sentence
     * @param sinceMs in milliseconds since 1970; empty where nobody knows
     */
    public record ExcludedServer(String name, String why, OptionalLong sinceMs) {}

    /**
     * What the healer says of itself.
     *
     * @param limitBytesPerSecond the operator's limit; 0 for none
     * @param bytesPerSecond what was verified of late; empty where nobody has watched for long enough
     * @param heldBackBy what keeps the next move from starting; empty where none waits
     * @param busiest the server for which most is left to heal, with its bytes; empty where nobody tells
     * @param remoteBytes what is left to heal; empty where nobody tells
     * @param localNotReported how many regions are local according to the NameNode and reported as less by their servers
     * @param firstNotReported the encoded name of one of them
     */
    public record HealingState(
            boolean installed,
            String state,
            Optional<String> why,
            long queued,
            long inFlight,
            long limitBytesPerSecond,
            OptionalDouble bytesPerSecond,
            Optional<String> heldBackBy,
            OptionalLong estimatedHealMs,
            Optional<RemoteServer> busiest,
            OptionalLong remoteBytes,
            long localNotReported,
            Optional<String> firstNotReported) {}

    /** A server and the bytes of its regions that are not local. */
    public record RemoteServer(String name, long remoteBytes) {}

    /** One server with its totals; a share is a multiple of what is fair for it. */
    public record Server(ServerState state, Map<LoadDimension, Double> shareByDimension) {

        public Server {
            shareByDimension = Map.copyOf(shareByDimension);
        }

        /** Its share in this dimension; 0 where that is not shown. */
        public double share(LoadDimension dimension) {
            return shareByDimension.getOrDefault(dimension, 0.0);
        }

        /** {@code host:port}. */
        public String name() {
            return state.server().host() + ":" + state.server().port();
        }

        public ServerTotals totals() {
            return state.totals();
        }
    }

    /**
     * One of the hottest regions; its share is of the dimension in which it is hottest.
     *
     * @param load what servers count of it; 0 in the other dimensions
     */
    public record HotRegion(
            String region,
            String table,
            String server,
            double share,
            LoadVector load,
            long localBytes,
            long blockBytes,
            String why) {}

    /** The last plan that said something. */
    public record LastPlan(long atMs, String summary, Optional<String> adviseOnly) {}

    /** A region that stays where it is because of something that is remembered. */
    public record Pin(
            String region,
            String table,
            String server,
            String kind,
            String who,
            String why,
            long sinceMs,
            long untilMs) {}

    /** Reads and writes of all servers of late. */
    public double requestsPerSecond() {
        return servers.stream()
                .mapToDouble(server -> server.totals().recentRequestsPerSecond())
                .sum();
    }

    public long localBytes() {
        return servers.stream()
                .mapToLong(server -> server.totals().reported().localBytes())
                .sum();
    }

    public long blockBytes() {
        return servers.stream()
                .mapToLong(server -> server.totals().reported().blockBytes())
                .sum();
    }
}
