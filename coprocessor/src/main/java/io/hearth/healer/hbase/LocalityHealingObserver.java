// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import io.hearth.balancer.engine.MasterWork;
import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.balancer.hbase.MasterComponentRegistry;
import io.hearth.balancer.hbase.MasterMeter;
import io.hearth.balancer.tracking.ManualMoveListener;
import io.hearth.common.hadoop.LinkFailure;
import io.hearth.common.log.PrintableName;
import io.hearth.common.log.RateLimitedLogger;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.CoreCoprocessor;
import org.apache.hadoop.hbase.coprocessor.HasMasterServices;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.MasterObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.RegionPlan;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Installs healing in the HMaster: {@code hbase.coprocessor.master.classes =
 * io.hearth.healer.hbase.LocalityHealingObserver}, with the jar on HBase's own class path.
 *
 * <p>{@code postStartMaster} starts healing, on threads of its own, and {@link ConfigurationReloads} reloads its settings. Every
 * other hook leaves a hint, which makes the next poll come early; {@code postMove} also tells the balancer, for which no poll
 * makes up: a lost one pins nothing. An exception that left a
 * hook or {@link #start} would abort the master, so that none does: it is caught, counted in {@code hookFailures} and logged at most once
 * a minute. Where another version of HBase explains it, healing rests until the master is started again. There is no hook for a stop or a shutdown that somebody asks for: it can
 * still be refused; healing's own thread sees when the master stops.
 */
@CoreCoprocessor
public class LocalityHealingObserver implements MasterCoprocessor, MasterObserver {

    private static final Logger LOG = LoggerFactory.getLogger(LocalityHealingObserver.class);

    private final RateLimitedLogger rateLimitedLogger = new RateLimitedLogger(LOG);
    private volatile @Nullable MasterHealer healer;
    /** HBase's link to it is weak. */
    private volatile Optional<ConfigurationReloads> reloads = Optional.empty();

    @Override
    public Optional<MasterObserver> getMasterObserver() {
        return Optional.of(this);
    }

    @Override
    @SuppressWarnings({"rawtypes", "deprecation"})
    public void start(CoprocessorEnvironment environment) {
        try {
            MasterServices services = ((HasMasterServices) environment).getMasterServices();
            MasterHealer known = MasterHealer.of(services);
            healer = known;
            reloads = ConfigurationReloads.of(
                    services, () -> guarded("onConfigurationChange", started -> started.reloadConfiguration()));
            if (services.isInitialized()) {
                known.start();
            }
        } catch (Throwable failure) {
            failed("start", failure);
        }
    }

    @Override
    @SuppressWarnings("rawtypes")
    public void stop(CoprocessorEnvironment environment) {
        guarded("stop", known -> {
            reloads.ifPresent(told -> told.end());
            known.stop();
        });
    }

    @Override
    public void postStartMaster(ObserverContext<MasterCoprocessorEnvironment> context) {
        guarded("postStartMaster", known -> known.start());
    }

    @Override
    public void postMove(
            ObserverContext<MasterCoprocessorEnvironment> context,
            RegionInfo region,
            ServerName source,
            ServerName destination) {
        hint("postMove");
        guarded(
                "postMove",
                known -> ManualMoveNotifier.notifyBalancer(known.services(), context, region, source, destination));
    }

    @Override
    public void postAssign(ObserverContext<MasterCoprocessorEnvironment> context, RegionInfo region) {
        hint("postAssign");
    }

    @Override
    public void postBalance(
            ObserverContext<MasterCoprocessorEnvironment> context, BalanceRequest request, List<RegionPlan> plans) {
        hint("postBalance");
    }

    @Override
    public void postCompletedSplitRegionAction(
            ObserverContext<MasterCoprocessorEnvironment> context, RegionInfo first, RegionInfo second) {
        hint("postCompletedSplitRegionAction");
    }

    @Override
    public void postCompletedMergeRegionsAction(
            ObserverContext<MasterCoprocessorEnvironment> context, RegionInfo[] merged, RegionInfo into) {
        hint("postCompletedMergeRegionsAction");
    }

    @Override
    public void postCompletedCreateTableAction(
            ObserverContext<MasterCoprocessorEnvironment> context, TableDescriptor table, RegionInfo[] regions) {
        hint("postCompletedCreateTableAction");
    }

    @Override
    public void postCompletedEnableTableAction(ObserverContext<MasterCoprocessorEnvironment> context, TableName table) {
        hint("postCompletedEnableTableAction");
    }

    @Override
    public void postCompletedTruncateTableAction(
            ObserverContext<MasterCoprocessorEnvironment> context, TableName table) {
        hint("postCompletedTruncateTableAction");
    }

    @Override
    public void postCompletedModifyTableAction(
            ObserverContext<MasterCoprocessorEnvironment> context,
            TableName table,
            TableDescriptor before,
            TableDescriptor after) {
        hint("postCompletedModifyTableAction");
    }

    @Override
    public void postModifyTable(
            ObserverContext<MasterCoprocessorEnvironment> context,
            TableName table,
            TableDescriptor before,
            TableDescriptor after) {
        hint("postModifyTable");
    }

    @Override
    public void postDecommissionRegionServers(
            ObserverContext<MasterCoprocessorEnvironment> context, List<ServerName> servers, boolean offload) {
        hint("postDecommissionRegionServers");
    }

    private void hint(String hook) {
        guarded(hook, known -> known.hints().leave());
    }

    /** @param action a lambda and no reference to a method, which would link MasterHealer before it is caught here */
    private void guarded(String hook, Consumer<MasterHealer> action) {
        try {
            MasterHealer known = healer;
            if (known != null) {
                MasterMeter.shared().onHBasesThread(MasterWork.REQUESTS, () -> {
                    action.accept(known);
                    return known;
                });
            }
        } catch (Throwable failure) {
            failed(hook, failure);
        }
    }

    /** Says and counts what failed; if even that fails there is nothing left to do. */
    private void failed(String hook, Throwable failure) {
        try {
            MasterHealer known = healer;
            Optional<String> linkFailure = LinkFailure.of(failure);
            if (linkFailure.isPresent()) {
                rest(known, hook, linkFailure.get());
            } else {
                rateLimitedLogger.warn(
                        hook,
                        "Healing failed in " + hook + "; the master goes on without",
                        failure,
                        System.nanoTime() / 1_000_000);
            }
            (known == null ? new HealingMetricRegistry() : known.metrics()).add(HealingCounter.HOOK_FAILURES, 1);
        } catch (Throwable nothingToDo) {
            LOG.debug("{}", nothingToDo.toString());
        }
    }

    private void rest(@Nullable MasterHealer known, String hook, String missing) {
        healer = null;
        LOG.error("Healing rests until the HMaster is started again. In {}: {}", hook, missing);
        if (known != null) {
            known.stop();
        }
    }

    /**
     * Tells the balancer of a region that a client moved, and who did. HBase calls {@code postMove} for a client's call only: moves
     * of a balancer, of a server's decommissioning and of a crash go past it.
     */
    private static final class ManualMoveNotifier {

        private ManualMoveNotifier() {}

        /** Passes the word on, where this master's balancer is Hearth's. */
        static void notifyBalancer(
                MasterServices services,
                ObserverContext<MasterCoprocessorEnvironment> context,
                RegionInfo region,
                ServerName source,
                ServerName destination) {
            Optional<ManualMoveListener> manualMoveListener =
                    MasterComponentRegistry.manualMoveListener(services.getConfiguration());
            if (manualMoveListener.isEmpty() || source == null || destination == null) {
                return;
            }
            manualMoveListener
                    .get()
                    .regionMovedManually(
                            HBaseNames.region(region),
                            HBaseNames.table(region.getTable()),
                            HBaseNames.server(source),
                            HBaseNames.server(destination),
                            context.getCaller()
                                    .map(User::getShortName)
                                    .map(PrintableName::of)
                                    .orElse("an unknown user"),
                            services.getServerManager().getDrainingServersList().contains(source),
                            EnvironmentEdgeManager.currentTime());
        }
    }
}
