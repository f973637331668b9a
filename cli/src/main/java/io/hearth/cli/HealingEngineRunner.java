// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.cli.heal.ClientRuntime;
import io.hearth.common.config.HumanFormat;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.config.HealLimitSettings.HealLimitConfig;
import io.hearth.healer.config.HealingSettings.HealingConfig;
import io.hearth.healer.core.BandwidthRaise;
import io.hearth.healer.core.BandwidthRaise.RaisedBandwidth;
import io.hearth.healer.core.BandwidthRaise.Refusal;
import io.hearth.healer.core.HealerServices.DataNodeAllowance;
import io.hearth.healer.core.HealerState.HealListener;
import io.hearth.healer.estimate.HealEstimate;
import io.hearth.healer.estimate.HealEstimator;
import io.hearth.healer.estimate.HealEstimator.NameNodeCost;
import io.hearth.healer.hbase.HealingEngine;
import io.hearth.healer.hbase.HealingMetricRegistry;
import io.hearth.healer.lock.HealerLockManager;
import io.hearth.healer.lock.HealerLockManager.LockState;
import io.hearth.healer.metrics.HealLimit;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.move.MoveExecutor.DataNodeLimits;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;

/**
 * Runs a healing engine in this process and stops it cleanly, when this is closed or when a signal ends the process. Thread-safe.
 */
final class HealingEngineRunner implements AutoCloseable {

    private static final long END_MS = 20_000;

    private final ClientRuntime host;
    private final HealingEngine engine;
    private final Consumer<String> printLine;
    private final SignalHook hook = new SignalHook(this::signalled);

    /**
     * An engine that has not started.
     *
     * @param raiseTo bytes per second to which all DataNodes are raised while it runs; empty for none
     * @param printLine prints a line for a person
     */
    HealingEngineRunner(
            ClientRuntime host,
            UnaryOperator<HealingConfig> options,
            HealListener listener,
            OptionalLong raiseTo,
            Consumer<String> printLine) {
        this.host = host;
        this.printLine = printLine;
        this.engine = new HealingEngine(host, options, listener, raiseTo, () -> {});
    }

    void start() {
        hook.set(2 * END_MS);
        engine.start();
    }

    LockState lock() {
        return lockManager().state();
    }

    /** Who has the lock, or why it is not to be had. */
    Optional<String> lockProblem() {
        return lockManager().problem();
    }

    /** Whether its thread has ended by itself, as where HBase or Hadoop lacks something: nobody follows the moves that are open then. */
    boolean rests() {
        return engine.isStopped();
    }

    /** Why healing has stopped by itself; empty where it has not. */
    Optional<String> alarm() {
        return engine.healerState().pauseSwitch().alarm();
    }

    /** Other settings hold from now on; of those that can't be used the ones before still do. */
    void reload(Configuration site) {
        host.reload(site);
        engine.reloadConfiguration(site);
    }

    /**
     * Makes the engine list the blocks of these regions, whatever their servers report.
     *
     * @param hostByRegion the host of each region's server
     */
    void requestListing(Map<EncodedRegionName, String> hostByRegion) {
        hostByRegion.forEach(engine.healerState().requests()::localityStale);
    }

    /**
     * Estimates how long these moves take within the limits that hold now. Asks the DataNodes for theirs, which may take seconds.
     *
     * @param regions how many regions were listed to plan them
     * @param raiseTo bytes per second that DataNodes allow then; empty for what they allow now
     * @param startShare the share of DataNodes' limits at which it starts, 0 to 1; 0 for a healer that has rested
     */
    HealEstimate estimate(List<BlockMove> moves, int regions, OptionalLong raiseTo, double startShare) {
        Set<DataNode> dataNodes = new HashSet<>();
        moves.forEach(move -> {
            dataNodes.add(move.target());
            dataNodes.addAll(move.proxies());
        });
        DataNodeAllowance allowance = engine.askAllowance(dataNodes);
        HealingMetricRegistry metrics = engine.metrics();
        return new HealEstimator(
                        engine.config().limits(),
                        node -> {
                            DataNodeLimits now = allowance.of(node);
                            return new DataNodeLimits(now.moves(), raiseTo.orElse(now.bytesPerSecond()));
                        },
                        engine.confirmSeconds())
                .startingAt(startShare)
                .estimate(
                        moves,
                        NameNodeCost.of(
                                metrics.count(HealingCounter.NAMENODE_CALLS),
                                1_000 * metrics.count(HealingCounter.NAMENODE_MS),
                                metrics.count(HealingCounter.REGIONS_LISTED),
                                regions,
                                engine.filesPerCall()));
    }

    /** Why DataNodes are not raised, though that was asked for. */
    Optional<Refusal> raiseRefusal() {
        return bandwidthRaise().refusal();
    }

    /** To what this heal has raised DataNodes and has not put them back; empty where it has not. */
    Optional<RaisedBandwidth> raised() {
        return bandwidthRaise().raised();
    }

    private BandwidthRaise bandwidthRaise() {
        return engine.healerState().bandwidthRaise();
    }

    /** What keeps the next move from starting. */
    HealLimit limit() {
        return HealLimit.values()[(int) engine.metrics().measure(HealingGauge.LIMITED_BY)];
    }

    /** The limits that hold now. */
    HealLimitConfig limits() {
        return engine.config().limits();
    }

    /** Moves that wait are not made any more. */
    void pauseMoves(String why) {
        engine.healerState().pauseSwitch().pause(why);
    }

    /** Whether a signal is ending the process, which has the last word then. */
    boolean isSignalled() {
        return hook.isSignalled();
    }

    @Override
    public void close() {
        hook.close();
        stop();
    }

    private void signalled() {
        long inProgress = engine.metrics().measure(HealingGauge.BLOCKS_IN_FLIGHT);
        printLine.accept("Stopped: no further move starts. "
                + (inProgress == 0 ? "None is under way." : inProgress + " are under way, which HDFS ends by itself."));
        stop();
    }

    private void stop() {
        Optional<RaisedBandwidth> raised = raised();
        host.stop();
        engine.stop();
        try {
            if (!engine.awaitEnd(END_MS)) {
                printLine.accept("HDFS does not answer: the lock is left to expire within a minute.");
            }
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
        raised.ifPresent(before -> printLine.accept(
                raised().isEmpty()
                        ? "DataNodes allow " + HumanFormat.bytes(before.beforeBytesPerSecond()) + "/s again."
                        : "DataNodes could not be told to allow " + HumanFormat.bytes(before.beforeBytesPerSecond())
                                + "/s again: the next healer to start does so, or bin/hearth healer resume."));
    }

    private HealerLockManager lockManager() {
        return engine.healerState().lockManager();
    }
}
