package io.hearth.healing.hbase;

import io.hearth.balancer.config.ConfigProblem;
import io.hearth.balancer.hbase.MasterLinks;
import io.hearth.balancer.locality.LocalityRefresh;
import io.hearth.healing.metrics.HealingMetrics;
import io.hearth.healing.observe.Assignments;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.master.MasterServices;

/** An HMaster as the host of healing. Asks nobody outside of the process. Thread-safe. */
final class MasterHost implements HealingHost {

    private final MasterServices services;

    MasterHost(MasterServices services) {
        this.services = services;
    }

    @Override
    public String name() {
        return "hearth-healer-" + services.getServerName().toShortString();
    }

    @Override
    public String program() {
        return "HMaster";
    }

    @Override
    public String hostName() {
        return services.getServerName().getHostname();
    }

    @Override
    public Configuration configuration() {
        return services.getConfiguration();
    }

    @Override
    public boolean mayGoOn() {
        return !services.isStopped() && !services.isAborted() && services.isActiveMaster();
    }

    @Override
    public Assignments assignments(HealingMetrics metrics, Consumer<ConfigProblem> problems) {
        return new MasterAssignments(services, new ClusterHeat(configuration()), tables(), metrics, problems);
    }

    @Override
    public KnownRegions regions() {
        return new MasterRegions(services.getAssignmentManager().getRegionStates());
    }

    @Override
    public Tables tables() {
        return table -> Optional.ofNullable(services.getTableDescriptors().get(table));
    }

    @Override
    public Connection connection() {
        return services.getConnection();
    }

    @Override
    public LocalityRefresh localityRefresh() {
        return regions ->
                MasterLinks.localityRefresh(configuration()).ifPresent(refresh -> refresh.regionsChanged(regions));
    }

    @Override
    public boolean dealsOutFavouredNodes() {
        return services.getFavoredNodesManager() != null;
    }

    @Override
    public boolean keepsBrake() {
        return true;
    }

    @Override
    public HealerUser login() throws HealerLoginException {
        return HealerUser.login(configuration());
    }

    @Override
    public Path rootFolder() {
        return services.getMasterFileSystem().getRootDir();
    }
}
