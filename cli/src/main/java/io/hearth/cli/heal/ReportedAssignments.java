// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.heal;

import io.hearth.balancer.heat.RegionHeat;
import io.hearth.common.config.ConfigProblem;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.hbase.AssignmentSnapshotBuilder;
import io.hearth.healer.hbase.AssignmentSnapshotBuilder.RegionLocation;
import io.hearth.healer.hbase.ClusterHeat;
import io.hearth.healer.hbase.HealerRuntime.TableDescriptorSource;
import io.hearth.healer.hbase.TableHealingModes;
import io.hearth.healer.metrics.HealingMetrics;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import io.hearth.healer.spi.Assignments;
import io.hearth.healer.spi.Assignments.AssignmentSnapshot;
import io.hearth.healer.spi.Observed;
import io.hearth.healer.spi.Observed.UnknownReason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The assignments as the servers tell them: a region is served where one live server has it, alone, and the master does not
 * have it in transition. hbase:meta, which says what regions there are, is read again when a server reports one that was
 * not there, and every few minutes. Used by the healing loop's thread alone.
 */
final class ReportedAssignments implements Assignments {

    private static final long META_AGE_NANOS = 300_000_000_000L;

    private final Connection connection;
    private final Supplier<Configuration> site;
    private final RegionMetricsFetcher reports;
    private final MetaRegions regions;
    private final TableDescriptorSource tables;
    private final HealScope scope;
    private final ClusterHeat heat;
    private final BooleanSupplier mayAct;
    private final Consumer<AssignmentSnapshot> onSnapshot;
    private final IntConsumer onUnseen;
    private final HealingMetrics metrics;
    private final Consumer<ConfigProblem> problems;
    private final AssignmentSnapshotBuilder snapshotBuilder;
    private Optional<Long> metaReadNanos = Optional.empty();
    private Set<String> missingFromMeta = Set.of();

    /**
     * @param site the configuration that was read last, which says what is healed of a table
     * @param onUnseen takes in, before each snapshot, how many regions are on servers that have not answered, and in no snapshot
     */
    ReportedAssignments(
            Connection connection,
            Supplier<Configuration> site,
            RegionMetricsFetcher reports,
            MetaRegions regions,
            TableDescriptorSource tables,
            HealScope scope,
            BooleanSupplier mayAct,
            Consumer<AssignmentSnapshot> onSnapshot,
            IntConsumer onUnseen,
            HealingMetrics metrics,
            Consumer<ConfigProblem> problems) {
        this.connection = connection;
        this.site = site;
        this.reports = reports;
        this.regions = regions;
        this.tables = tables;
        this.scope = scope;
        this.heat = new ClusterHeat(connection.getConfiguration(), System::nanoTime);
        this.mayAct = mayAct;
        this.onSnapshot = onSnapshot;
        this.onUnseen = onUnseen;
        this.metrics = metrics;
        this.problems = problems;
        this.snapshotBuilder = new AssignmentSnapshotBuilder(connection.getConfiguration());
    }

    @Override
    public Observed<AssignmentSnapshot> snapshot() {
        long startNanos = System.nanoTime();
        try {
            AssignmentSnapshot snapshot = snapshotNow();
            metrics.set(HealingGauge.POLL_MS, (System.nanoTime() - startNanos) / 1_000_000);
            onSnapshot.accept(snapshot);
            return Observed.known(snapshot);
        } catch (IOException failure) {
            return Observed.unknown(
                    UnknownReason.MASTER_NOT_READY,
                    failure.toString().lines().findFirst().orElse(""));
        }
    }

    @Override
    public RegionHeat heat(EncodedRegionName region) {
        return heat.heat(region);
    }

    @Override
    public boolean mayAct() {
        return mayAct.getAsBoolean();
    }

    private AssignmentSnapshot snapshotNow() throws IOException {
        ClusterMetrics cluster = cluster();
        Map<ServerName, ServerMetrics> online = reports.ask(cluster.getServersName());
        heat.learn(online);
        Map<byte[], Optional<ServerName>> serverByRegion = serverByRegion(online);
        Set<String> moving = new HashSet<>();
        cluster.getRegionStatesInTransition()
                .forEach(state -> moving.add(state.getRegion().getEncodedName()));
        boolean metaIsFresh = readMetaIfDue(serverByRegion.keySet());
        List<RegionLocation> locations = new ArrayList<>(regions.inOrder().size());
        Map<RegionInfo, ServerName> open = new HashMap<>();
        for (RegionInfo region : regions.inOrder()) {
            Optional<ServerName> server = serverByRegion.getOrDefault(region.getRegionName(), Optional.empty());
            boolean isMoving = moving.contains(region.getEncodedName())
                    || (metaIsFresh && !regions.serverWhenRead(region).equals(server) && !region.isMetaRegion());
            server = isMoving ? Optional.empty() : server;
            locations.add(new RegionLocation(region, server));
            server.ifPresent(there -> open.put(region, there));
        }
        regions.opened(open);
        TableHealingModes modes = new TableHealingModes(site.get(), tables, problems);
        Set<ServerName> silent = new HashSet<>(cluster.getServersName());
        silent.removeAll(online.keySet());
        onUnseen.accept(silent.isEmpty() ? 0 : unseen(silent, open, modes));
        return snapshotBuilder.snapshot(
                locations,
                online,
                location ->
                        scope.includes(location) ? modes.of(location.region().getTable()) : TableHealingMode.OFF);
    }

    /** Our regions that hbase:meta has on one of these servers and no other server reports. */
    private int unseen(Set<ServerName> silent, Map<RegionInfo, ServerName> open, TableHealingModes modes) {
        return (int) regions.inOrder().stream()
                .filter(region -> !open.containsKey(region))
                .map(region -> new RegionLocation(region, regions.serverWhenRead(region)))
                .filter(location -> location.openOn().filter(silent::contains).isPresent())
                .filter(location ->
                        scope.includes(location) && modes.of(location.region().getTable()) != TableHealingMode.OFF)
                .count();
    }

    private ClusterMetrics cluster() throws IOException {
        try (Admin admin = connection.getAdmin()) {
            return admin.getClusterMetrics(
                    EnumSet.of(ClusterMetrics.Option.SERVERS_NAME, ClusterMetrics.Option.REGIONS_IN_TRANSITION));
        }
    }

    /** The server of each region that is reported; none for one that two servers report, just after a move. */
    private static Map<byte[], Optional<ServerName>> serverByRegion(Map<ServerName, ServerMetrics> online) {
        Map<byte[], Optional<ServerName>> servers = new TreeMap<>(Bytes.BYTES_COMPARATOR);
        online.forEach((server, metrics) -> metrics.getRegionMetrics()
                .keySet()
                .forEach(region -> servers.merge(region, Optional.of(server), (one, other) -> Optional.empty())));
        return servers;
    }

    /** Whether it was read now, so that it knows better than a report of some seconds ago where a region is. */
    private boolean readMetaIfDue(Set<byte[]> reported) throws IOException {
        boolean isOld = metaReadNanos.isEmpty() || System.nanoTime() - metaReadNanos.get() > META_AGE_NANOS;
        if (isOld || !missingFromMeta.containsAll(missing(reported))) {
            regions.read();
            metaReadNanos = Optional.of(System.nanoTime());
            missingFromMeta = missing(reported);
            return true;
        }
        return false;
    }

    private Set<String> missing(Set<byte[]> reported) {
        return reported.stream()
                .map(RegionInfo::encodeRegionName)
                .filter(name -> regions.region(name).isEmpty())
                .collect(Collectors.toSet());
    }
}
