// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.fleet.model;

import io.hearth.cli.view.ClusterSummary;
import io.hearth.cli.view.ClusterSummary.BalanceSummary;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.Quantiles;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * How local and how even a cluster is, over the servers that serve: one that is decommissioned or drained is in none of it. Immutable.
 *
 * @param atMs when it was seen, in milliseconds since 1970
 * @param master the active master, as {@code host:port}
 * @param byMaster whether Hearth in its master says so; else it was seen from outside
 * @param servers how many serve
 * @param silentServers how many live ones did not answer whoever saw them from outside: they are in none of it
 * @param locality local bytes over bytes of each server with store files, as servers report them
 * @param balance of reads, writes and store size
 */
public record ClusterHealth(
        long atMs,
        String master,
        boolean byMaster,
        int servers,
        int silentServers,
        int regions,
        Quantiles locality,
        Map<LoadDimension, Balance> balance) {

    /** A server whose locality is less than this counts as remote. */
    public static final double LOCAL = 0.8;

    /** Three of four servers are at least as local as the quantile of this. */
    public static final double LOWER_QUARTILE = 0.25;

    /** Copies the map. */
    public ClusterHealth {
        balance = Map.copyOf(balance);
    }

    /** Of a cluster all of whose servers have answered. */
    public ClusterHealth(
            long atMs,
            String master,
            boolean byMaster,
            int servers,
            int regions,
            Quantiles locality,
            Map<LoadDimension, Balance> balance) {
        this(atMs, master, byMaster, servers, 0, regions, locality, balance);
    }

    /**
     * How evenly a dimension of load is spread.
     *
     * @param maxOverMean over the servers, at least 1
     * @param isUneven whether it is above its trigger, large enough to matter, and could be better
     */
    public record Balance(double maxOverMean, boolean isUneven) {}

    /** That of what {@code status} knows of a cluster, of which so many servers did not answer. */
    public static ClusterHealth of(ClusterSummary cluster, boolean byMaster, int silentServers) {
        List<ClusterSummary.Server> serving = cluster.servers().stream()
                .filter(server -> !server.state().draining())
                .toList();
        Map<LoadDimension, Balance> balance = new EnumMap<>(LoadDimension.class);
        for (LoadDimension dimension : LoadDimension.shown()) {
            cluster.balance().stream()
                    .filter(one -> one.label().equals(dimension.label()))
                    .findFirst()
                    .ifPresent(one -> balance.put(dimension, new Balance(one.maxOverMean(), isUneven(one))));
        }
        return new ClusterHealth(
                cluster.atMs(),
                cluster.master(),
                byMaster,
                serving.size(),
                silentServers,
                cluster.regions(),
                Quantiles.of(serving.stream()
                        .map(server -> server.totals().reported())
                        .filter(stored -> stored.blockBytes() > 0)
                        .mapToDouble(stored -> Math.min(1, (double) stored.localBytes() / stored.blockBytes()))
                        .toArray()),
                balance);
    }

    private static boolean isUneven(BalanceSummary one) {
        return one.state().equals("UNBALANCED");
    }
}
