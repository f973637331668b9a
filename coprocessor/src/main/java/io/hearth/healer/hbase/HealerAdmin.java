// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.config.HealingSettings.HealingConfig;
import io.hearth.healer.core.PauseSwitch;
import io.hearth.healer.core.RequestedHeals;
import io.hearth.healer.core.RequestedHeals.HealCounts;
import io.hearth.healer.history.HealHistory.HealRecord;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.verify.DataNodeStates;
import io.hearth.healer.verify.DataNodeStates.UnhealthyHost;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** What an operator can see of one master's healer and ask of it. Thread-safe; every method answers at once. */
public final class HealerAdmin {

    private final HealingEngine engine;
    private final RequestedHeals requestedHeals;

    HealerAdmin(HealingEngine engine, RequestedHeals requestedHeals) {
        this.engine = engine;
        this.requestedHeals = requestedHeals;
    }

    /** That of the master with this configuration object; empty where it has no healer. */
    public static Optional<HealerAdmin> of(Configuration masterConfiguration) {
        return MasterHealer.known(masterConfiguration).map(MasterHealer::healerAdmin);
    }

    /** The configuration that holds now. */
    public HealingConfig config() {
        return engine.config();
    }

    public long count(HealingCounter counter) {
        return engine.metrics().count(counter);
    }

    public long measure(HealingGauge gauge) {
        return engine.metrics().measure(gauge);
    }

    /** What came of the last heals, newest first. */
    public List<HealRecord> lastHeals() {
        return engine.healerState().history().newestFirst();
    }

    /** The regions that are local according to the NameNode and whose servers report less. */
    public List<ServedRegion> localNotReported() {
        return engine.healerState().unreported().all();
    }

    /** Why no move may start for the sake of service level objectives, as the end of a sentence; empty where nobody brakes. */
    public Optional<String> brake() {
        return engine.healerState().braked().get();
    }

    /** Which DataNodes are sick; whoever sees one adds what it saw. */
    public DataNodeStates dataNodeStates() {
        return engine.healerState().dataNodeStates();
    }

    /** Those that are not healthy, since when by this time of day, in milliseconds since 1970. */
    public List<UnhealthyHost> unhealthyDataNodes(long wallMs) {
        long nowMs = engine.nowMs();
        return dataNodeStates().unhealthy().stream()
                .map(host ->
                        new UnhealthyHost(host.host(), host.state(), wallMs - (nowMs - host.sinceMs()), host.why()))
                .toList();
    }

    /** The time of the clock of what is told to {@link #dataNodeStates}. */
    public long nowMs() {
        return engine.nowMs();
    }

    /** By which healing is paused and resumed. */
    public PauseSwitch pauseSwitch() {
        return engine.healerState().pauseSwitch();
    }

    /** What came of the heals that were asked for, newest first. */
    public List<HealCounts> requestedHeals() {
        return requestedHeals.newestFirst();
    }

    /**
     * Has these regions checked now, before others, and returns the heal's id; those of tables that are not to be healed are left alone.
     *
     * @param heal the id of the heal that these regions belong to; empty for a new one
     */
    public String healNow(Optional<String> heal, Collection<EncodedRegionName> regions) {
        String id = requestedHeals.add(heal, regions);
        engine.healerState().requests().healNow(regions);
        engine.hints().leave();
        return id;
    }
}
