package io.hearth.healing.hbase;

import io.hearth.balancer.config.ConfigProblem;
import io.hearth.balancer.heat.RegionHeat;
import io.hearth.balancer.load.RegionId;
import io.hearth.healing.metrics.HealingGauge;
import io.hearth.healing.metrics.HealingMetrics;
import io.hearth.healing.observe.Assignments;
import io.hearth.healing.observe.ClusterLook;
import io.hearth.healing.observe.Observed;
import io.hearth.healing.observe.UnknownReason;
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
    private final Tables tables;
    private final HealingMetrics metrics;
    private final Consumer<ConfigProblem> problems;
    private final ReportedLooks looks;

    MasterAssignments(
            MasterServices services,
            ClusterHeat heat,
            Tables tables,
            HealingMetrics metrics,
            Consumer<ConfigProblem> problems) {
        this.services = services;
        this.heat = heat;
        this.tables = tables;
        this.metrics = metrics;
        this.problems = problems;
        this.looks = new ReportedLooks(services.getConfiguration());
    }

    @Override
    public Observed<ClusterLook> look() {
        if (!services.isActiveMaster() || !services.isInitialized()) {
            return Observed.unknown(UnknownReason.MASTER_NOT_READY, "the master is not active and initialised");
        }
        long startNanos = System.nanoTime();
        ClusterLook look = lookNow();
        metrics.set(HealingGauge.POLL_MS, (System.nanoTime() - startNanos) / 1_000_000);
        return Observed.known(look);
    }

    @Override
    public RegionHeat heat(RegionId region) {
        return heat.heat(region);
    }

    @Override
    public boolean mayAct() {
        return services.isActiveMaster() && !services.isStopped() && !services.isAborted();
    }

    private ClusterLook lookNow() {
        Map<ServerName, ServerMetrics> online = services.getServerManager().getOnlineServers();
        heat.learn(online);
        TableModes modes = new TableModes(services.getConfiguration(), tables, problems);
        return looks.look(
                MasterRegions.places(
                        services.getAssignmentManager().getRegionStates().getRegionStateNodes()),
                online,
                place -> modes.of(place.region().getTable()));
    }
}
