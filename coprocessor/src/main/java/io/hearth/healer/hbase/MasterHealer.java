// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import io.hearth.balancer.hbase.MasterComponentRegistry;
import io.hearth.balancer.hbase.MasterMeter;
import io.hearth.balancer.hbase.ObjectStoreRoot;
import io.hearth.balancer.locality.HealingAvailability;
import io.hearth.balancer.locality.SuspectDataNodes;
import io.hearth.common.model.TableId;
import io.hearth.healer.config.HealPolicySettings.HealingMode;
import io.hearth.healer.core.RequestedHeals;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import io.hearth.healer.queue.PollHints;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.function.UnaryOperator;
import javax.management.JMException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.ServerListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Healing in one HMaster: the engine, and what ties it to the master. Started and stopped once. Thread-safe; nothing here
 * blocks.
 *
 * <p>Each HMaster of this JVM has one healer, however often HBase makes the observer anew: on a reload it does not stop the old
 * one.
 */
final class MasterHealer {

    private static final Logger LOG = LoggerFactory.getLogger(MasterHealer.class);

    /** By the identity of the master's configuration, which a healer leads to; its observer and its thread keep it alive. */
    private static final Map<Configuration, WeakReference<MasterHealer>> HEALER_BY_MASTER = new WeakHashMap<>();

    private final MasterServices services;
    private final RequestedHeals requestedHeals = new RequestedHeals();
    private final HealingEngine engine;
    private final ServerChangeListener serverChangeListener;
    private final HealingView view;
    // Held here: the balancer's link to them is weak.
    private final HealingAvailability healingAvailability = this::isHealed;
    private final SuspectDataNodes suspectDataNodes = this::suspectDataNodes;

    MasterHealer(MasterServices services) {
        this.services = services;
        this.engine =
                new HealingEngine(new MasterRuntime(services), UnaryOperator.identity(), requestedHeals, this::ended);
        this.serverChangeListener = new ServerChangeListener(engine.hints()::leave);
        this.view = new HealingView(engine.healerState());
    }

    /** The healer of the master with this configuration object, if it has one that was not stopped. */
    static synchronized Optional<MasterHealer> known(Configuration masterConfiguration) {
        return Optional.ofNullable(HEALER_BY_MASTER.get(masterConfiguration))
                .map(WeakReference::get)
                .filter(healer -> !healer.isStopped());
    }

    static synchronized MasterHealer of(MasterServices services) {
        WeakReference<MasterHealer> reference = HEALER_BY_MASTER.get(services.getConfiguration());
        MasterHealer known = reference == null ? null : reference.get();
        if (known != null && !known.isStopped()) {
            return known;
        }
        MasterHealer made = new MasterHealer(services);
        HEALER_BY_MASTER.put(services.getConfiguration(), new WeakReference<>(made));
        return made;
    }

    /** Why there is nothing to heal here, as the log says it; empty where there may be. */
    static Optional<String> nothingToHeal(Configuration site) {
        return ObjectStoreRoot.of(site)
                .map(root -> "hbase.rootdir is " + root
                        + ", in an object store: no block is local to any server, so there is nothing to"
                        + " heal, and healing does not run. Remove " + LocalityHealingObserver.class.getName()
                        + " from hbase.coprocessor.master.classes.");
    }

    /** What the log says where HBase itself has a plan of where replicas belong. */
    static Optional<String> favoredNodes(MasterServices services) {
        return services.getFavoredNodesManager() == null
                ? Optional.empty()
                : Optional.of(
                        "HBase's balancer deals out favoured nodes, and healing brings replicas to the server of each region: the two work"
                                + " against one another, and pinned blocks stay where they are. Set hbase.master.loadbalancer.class ="
                                + " io.hearth.balancer.HearthLoadBalancer, which deals out none, or hearth.heal.enabled = false.");
    }

    HealingMetricRegistry metrics() {
        return engine.metrics();
    }

    /** Begins to heal; the second time it does nothing. The master must be active and initialised. */
    synchronized void start() {
        if (engine.isStarted() || engine.isStopped()) {
            return;
        }
        Optional<String> nothingToHeal = nothingToHeal(services.getConfiguration());
        if (nothingToHeal.isPresent()) {
            LOG.warn(nothingToHeal.get());
            engine.stop();
            return;
        }
        MasterMeter.shared().configure(services.getConfiguration());
        favoredNodes(services).ifPresent(LOG::warn);
        ReaderSettingsCheck.advice(services.getConfiguration()).ifPresent(LOG::warn);
        services.getServerManager().registerListener(serverChangeListener);
        show();
        if (engine.start()) {
            MasterComponentRegistry.registerHealingAvailability(services.getConfiguration(), healingAvailability);
            MasterComponentRegistry.registerSuspectDataNodes(services.getConfiguration(), suspectDataNodes);
            MasterComponentRegistry.registerStaleLocalityListener(
                    services.getConfiguration(), engine.healerState().requests());
        }
    }

    /** What an operator can see of this healer and ask of it. */
    HealerAdmin healerAdmin() {
        return new HealerAdmin(engine, requestedHeals);
    }

    /** Without JMX healing does its work all the same. */
    private void show() {
        try {
            view.register();
        } catch (JMException | RuntimeException failure) {
            LOG.warn("Healing can't be seen in JMX: {}", failure.toString());
        }
    }

    /** Whether a region of this table is healed after a move, as things are now. */
    private boolean isHealed(TableId table) {
        return engine.isStarted()
                && !engine.isStopped()
                && engine.config().enabled()
                && engine.config().policy().mode() == HealingMode.ACT
                && engine.tableHealingModes().of(TableName.valueOf(table.name())) != TableHealingMode.OFF;
    }

    private Map<String, String> suspectDataNodes() {
        return engine.isStopped()
                ? Map.of()
                : engine.healerState().dataNodeStates().confirmedBadTargets(engine.nowMs());
    }

    /** Ends healing soon; returns at once, whatever HDFS is doing. */
    void stop() {
        engine.stop();
    }

    boolean isStopped() {
        return engine.isStopped();
    }

    /** Where word is left that something happened. */
    PollHints hints() {
        return engine.hints();
    }

    MasterServices services() {
        return services;
    }

    void reloadConfiguration() {
        MasterMeter.shared().configure(services.getConfiguration());
        engine.reloadConfiguration();
    }

    private void ended() {
        services.getServerManager().unregisterListener(serverChangeListener);
        try {
            view.unregister();
        } catch (JMException | RuntimeException failure) {
            LOG.info("Healing's bean could not be taken away: {}", failure.toString());
        }
    }

    /**
     * The settings without which RegionServers neither report nor read what was healed until a region is reopened. They belong to
     * the RegionServers; the master's configuration is the nearest that can be seen from here.
     */
    static final class ReaderSettingsCheck {

        static final String DERIVE = "hbase.locality.inputstream.derive.enabled";
        static final String REFRESH_MS = "dfs.client.refresh.read-block-locations.ms";

        private ReaderSettingsCheck() {}

        /** One line of advice, if there is something to say. */
        static Optional<String> advice(Configuration conf) {
            List<String> off = new ArrayList<>();
            if (!conf.getBoolean(DERIVE, false)) {
                off.add(DERIVE + " = true");
            }
            if (conf.getLong(REFRESH_MS, 0) <= 0) {
                off.add(REFRESH_MS + " = 10000 or less");
            }
            return off.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            "As far as the master's configuration shows, RegionServers will neither read healed blocks"
                                    + " locally nor report the healed locality before a region is reopened. Set "
                                    + String.join(" and ", off) + " on the RegionServers.");
        }
    }

    /** Told of RegionServers that come and go, which no observer's hook gives. Returns at once. */
    private static final class ServerChangeListener implements ServerListener {

        private final Runnable leave;

        /** @param leave leaves a hint and never throws */
        ServerChangeListener(Runnable leave) {
            this.leave = leave;
        }

        @Override
        public void serverAdded(ServerName serverName) {
            leave.run();
        }

        @Override
        public void serverRemoved(ServerName serverName) {
            leave.run();
        }
    }
}
