// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import io.hearth.balancer.engine.MasterWork;
import io.hearth.balancer.hbase.MasterComponentRegistry;
import io.hearth.balancer.hbase.MasterMeter;
import io.hearth.balancer.locality.BlocksMovedListener;
import io.hearth.common.config.ConfigProblem;
import io.hearth.healer.hbase.HealerRuntime.KnownRegions;
import io.hearth.healer.hbase.HealerRuntime.TableDescriptorSource;
import io.hearth.healer.hbase.HealerUser.HealerLoginException;
import io.hearth.healer.metrics.HealingMetrics;
import io.hearth.healer.spi.Assignments;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.master.MasterServices;

/** An HMaster as the host of healing. Asks nobody outside of the process. Thread-safe. */
final class MasterRuntime implements HealerRuntime {

    private final MasterServices services;

    MasterRuntime(MasterServices services) {
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
    public boolean shouldRun() {
        return !services.isStopped() && !services.isAborted() && services.isActiveMaster();
    }

    @Override
    public Assignments assignments(HealingMetrics metrics, Consumer<ConfigProblem> problems) {
        return new MasterAssignments(
                services, new ClusterHeat(configuration(), System::nanoTime), tables(), metrics, problems);
    }

    @Override
    public Optional<String> brake() {
        return MasterComponentRegistry.brake(configuration(), System.nanoTime() / 1_000_000);
    }

    @Override
    public int stretch() {
        return MasterMeter.shared().stretch(MasterWork.HEALING);
    }

    @Override
    public KnownRegions regions() {
        return new MasterRegions(services.getAssignmentManager().getRegionStates());
    }

    @Override
    public TableDescriptorSource tables() {
        return table -> Optional.ofNullable(services.getTableDescriptors().get(table));
    }

    @Override
    public Connection connection() {
        return services.getConnection();
    }

    @Override
    public BlocksMovedListener blocksMovedListener() {
        return regions -> MasterComponentRegistry.blocksMovedListener(configuration())
                .ifPresent(refresh -> refresh.regionsChanged(regions));
    }

    @Override
    public boolean usesFavoredNodes() {
        return services.getFavoredNodesManager() != null;
    }

    @Override
    public boolean persistsPause() {
        return true;
    }

    @Override
    public HealerUser login() throws HealerLoginException {
        return HealerUser.login(configuration());
    }

    @Override
    public Path rootDir() {
        return services.getMasterFileSystem().getRootDir();
    }
}
