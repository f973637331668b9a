// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import io.hearth.balancer.heat.RegionHeat;
import io.hearth.common.config.ConfigProblem;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.hbase.HealerRuntime.TableDescriptorSource;
import io.hearth.healer.metrics.HealingMetrics;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.spi.Assignments;
import io.hearth.healer.spi.Assignments.AssignmentSnapshot;
import io.hearth.healer.spi.Observed;
import io.hearth.healer.spi.Observed.UnknownReason;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.master.MasterServices;

/**
 * The assignments in the master's memory, what the servers report of their regions, and whether this master leads.
 */
final class MasterAssignments implements Assignments {

    private final MasterServices services;
    private final ClusterHeat heat;
    private final TableDescriptorSource tables;
    private final HealingMetrics metrics;
    private final Consumer<ConfigProblem> problems;
    private final AssignmentSnapshotBuilder snapshotBuilder;

    MasterAssignments(
            MasterServices services,
            ClusterHeat heat,
            TableDescriptorSource tables,
            HealingMetrics metrics,
            Consumer<ConfigProblem> problems) {
        this.services = services;
        this.heat = heat;
        this.tables = tables;
        this.metrics = metrics;
        this.problems = problems;
        this.snapshotBuilder = new AssignmentSnapshotBuilder(services.getConfiguration());
    }

    @Override
    public Observed<AssignmentSnapshot> snapshot() {
        if (!services.isActiveMaster() || !services.isInitialized()) {
            return Observed.unknown(UnknownReason.MASTER_NOT_READY, "the master is not active and initialised");
        }
        long startNanos = System.nanoTime();
        AssignmentSnapshot snapshot = snapshotNow();
        metrics.set(HealingGauge.POLL_MS, (System.nanoTime() - startNanos) / 1_000_000);
        return Observed.known(snapshot);
    }

    @Override
    public RegionHeat heat(EncodedRegionName region) {
        return heat.heat(region);
    }

    @Override
    public boolean mayAct() {
        return services.isActiveMaster() && !services.isStopped() && !services.isAborted();
    }

    private AssignmentSnapshot snapshotNow() {
        Map<ServerName, ServerMetrics> online = services.getServerManager().getOnlineServers();
        heat.learn(online);
        TableHealingModes modes = new TableHealingModes(services.getConfiguration(), tables, problems);
        return snapshotBuilder.snapshot(
                MasterRegions.locations(
                        services.getAssignmentManager().getRegionStates().getRegionStateNodes()),
                online,
                location -> modes.of(location.region().getTable()));
    }
}
