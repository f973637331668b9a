// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import io.hearth.common.log.PrintableName;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ReplicatedTable;
import io.hearth.healer.hbase.HealerUser;
import java.io.IOException;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What the active HMaster says of HBase at one time. Immutable.
 *
 * @param atNanos when it was asked, by {@link System#nanoTime}
 */
record HBaseState(
        ClusterMetrics metrics,
        ProbeResult<Boolean> balancerOn,
        ProbeResult<List<ReplicatedTable>> replicatedTables,
        long atNanos) {

    /** @throws IOException if it can't be asked at all */
    static HBaseState ask(Configuration conf, HealerUser user) throws IOException {
        try (Connection connection = ConnectionFactory.createConnection(conf, User.create(user.ugi()));
                Admin admin = connection.getAdmin()) {
            long atNanos = System.nanoTime();
            ClusterMetrics metrics = admin.getClusterMetrics(EnumSet.of(
                    ClusterMetrics.Option.MASTER,
                    ClusterMetrics.Option.MASTER_INFO_PORT,
                    ClusterMetrics.Option.MASTER_COPROCESSORS,
                    ClusterMetrics.Option.BACKUP_MASTERS,
                    ClusterMetrics.Option.LIVE_SERVERS,
                    ClusterMetrics.Option.DEAD_SERVERS,
                    ClusterMetrics.Option.HBASE_VERSION));
            return new HBaseState(
                    metrics, asked(admin::isBalancerEnabled), replicated(connection, admin, metrics), atNanos);
        }
    }

    /** The tables whose regions have replicas; unknown where HBase does not show all tables to who asks. */
    static ProbeResult<List<ReplicatedTable>> replicated(Connection connection, Admin admin, ClusterMetrics metrics) {
        return asked(() -> replicatedTables(connection, admin, metrics));
    }

    private static List<ReplicatedTable> replicatedTables(Connection connection, Admin admin, ClusterMetrics metrics)
            throws IOException {
        List<TableDescriptor> tables = admin.listTableDescriptors();
        Optional<String> hidden =
                HiddenTables.why(metrics.getLiveServerMetrics().values(), tables, admin);
        if (hidden.isPresent()) {
            throw new AccessDeniedException(hidden.get());
        }
        List<TableDescriptor> replicated = tables.stream()
                .filter(table -> table.getRegionReplication() > 1)
                .sorted(Comparator.comparing(TableDescriptor::getTableName))
                .toList();
        if (replicated.isEmpty()) {
            return List.of();
        }
        ProbeResult<RegionServerGroups> groups = asked(() -> RegionServerGroups.read(connection, admin));
        Set<ServerName> live = metrics.getLiveServerMetrics().keySet();
        return replicated.stream()
                .map(table -> new ReplicatedTable(
                        PrintableName.of(table.getTableName().toString()),
                        table.getRegionReplication(),
                        groups.ifKnown()
                                .map(known -> ProbeResult.known(known.serversFor(table, live)))
                                .orElseGet(() ->
                                        ProbeResult.unknown(groups.whyUnknown().orElse("")))))
                .toList();
    }

    /** The replicas of hbase:meta that live servers report, the primary among them: {@code alter} makes some without any key. */
    int metaReplicas() {
        return (int) metrics.getLiveServerMetrics().values().stream()
                .flatMap(report -> report.getRegionMetrics().keySet().stream())
                .filter(region -> RegionInfo.getTable(region).equals(TableName.META_TABLE_NAME))
                .map(Bytes::toStringBinary)
                .distinct()
                .count();
    }

    /** As {@code host:port}, those in whose place none serves. */
    List<String> deadServers() {
        Set<String> live = metrics.getLiveServerMetrics().keySet().stream()
                .map(HBaseState::place)
                .collect(Collectors.toSet());
        return metrics.getDeadServerNames().stream()
                .map(HBaseState::place)
                .filter(place -> !live.contains(place))
                .distinct()
                .toList();
    }

    private static String place(ServerName server) {
        return PrintableName.of(server.getAddress().toString());
    }

    private interface Question<T> {
        T ask() throws IOException;
    }

    private static <T> ProbeResult<T> asked(Question<T> question) {
        try {
            return ProbeResult.known(question.ask());
        } catch (IOException failure) {
            return ProbeResult.unknown("the HMaster says: "
                    + String.valueOf(failure.getMessage()).lines().findFirst().orElse(""));
        }
    }
}
