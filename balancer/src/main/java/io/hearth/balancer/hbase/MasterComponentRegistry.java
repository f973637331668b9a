// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import io.hearth.balancer.config.SloSettings;
import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.engine.BrakeLeases;
import io.hearth.balancer.heat.RegionHeats;
import io.hearth.balancer.locality.BlocksMovedListener;
import io.hearth.balancer.locality.HealingAvailability;
import io.hearth.balancer.locality.StaleLocalityListener;
import io.hearth.balancer.locality.SuspectDataNodes;
import io.hearth.balancer.tracking.ManualMoveListener;
import io.hearth.common.config.SettingsReader;
import io.hearth.common.hadoop.ConfigurationSettings;
import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import org.apache.hadoop.conf.Configuration;

/**
 * Where the balancer and the healer of one HMaster find one another: HBase makes the two apart and hands neither to the
 * other.
 *
 * <p>The key is the identity of {@code MasterServices.getConfiguration()}, the one object both can reach (a coprocessor
 * environment's configuration is a copy and never matches), so that several masters can live in one JVM. Nothing is kept
 * alive but the leases of SLO watches: whoever offers holds on to what it offers. Thread-safe.
 */
public final class MasterComponentRegistry {

    private static final PerMaster<BalanceEngine> ENGINE = new PerMaster<>();
    private static final PerMaster<RegionHeats> REGION_HEATS = new PerMaster<>();
    private static final PerMaster<BlocksMovedListener> LOCALITY_REFRESH = new PerMaster<>();
    private static final PerMaster<HealingAvailability> HEALING_AVAILABILITY = new PerMaster<>();
    private static final PerMaster<StaleLocalityListener> STALE_LOCALITY = new PerMaster<>();
    private static final PerMaster<SuspectDataNodes> SUSPECT_DATANODES = new PerMaster<>();
    private static final PerMaster<ManualMoveListener> HAND_MOVES = new PerMaster<>();
    private static final Map<Configuration, String> WHY_BALANCER_RESTS =
            Collections.synchronizedMap(new WeakHashMap<>());
    private static final Map<Configuration, BrakeLeases> BRAKE_LEASES =
            Collections.synchronizedMap(new WeakHashMap<>());

    private MasterComponentRegistry() {}

    /** Says who plans in this master, for those who show it; the last one said wins. */
    public static void registerEngine(Configuration masterConfiguration, BalanceEngine engine) {
        ENGINE.offer(masterConfiguration, engine);
    }

    /** Who plans in this master; empty where its balancer is not Hearth's. */
    public static Optional<BalanceEngine> engine(Configuration masterConfiguration) {
        return ENGINE.find(masterConfiguration);
    }

    /** Says where the heat of this master's regions is followed; the last one said wins. */
    public static void registerRegionHeats(Configuration masterConfiguration, RegionHeats heats) {
        REGION_HEATS.offer(masterConfiguration, heats);
    }

    /** Who follows the heat of this master's regions; empty where its balancer is not Hearth's. */
    public static Optional<RegionHeats> regionHeats(Configuration masterConfiguration) {
        return REGION_HEATS.find(masterConfiguration);
    }

    /** Says that this master's balancer is told of moved blocks here; the last one said wins. */
    public static void registerBlocksMovedListener(Configuration masterConfiguration, BlocksMovedListener refresh) {
        LOCALITY_REFRESH.offer(masterConfiguration, refresh);
    }

    /** Who is told of moved blocks in this master; empty where its balancer is not Hearth's. */
    public static Optional<BlocksMovedListener> blocksMovedListener(Configuration masterConfiguration) {
        return LOCALITY_REFRESH.find(masterConfiguration);
    }

    /**
     * Takes back what the balancer of this master has offered: it rests until the master is started again, and what it knows grows old.
     *
     * @param why what HBase or Hadoop lacks, a sentence or more
     */
    public static void balancerRests(Configuration masterConfiguration, String why) {
        WHY_BALANCER_RESTS.put(masterConfiguration, why);
        ENGINE.withdraw(masterConfiguration);
        REGION_HEATS.withdraw(masterConfiguration);
        LOCALITY_REFRESH.withdraw(masterConfiguration);
        HAND_MOVES.withdraw(masterConfiguration);
    }

    /** Why this master's balancer, which is Hearth's, rests, as the end of a sentence; empty where it does not. */
    public static Optional<String> whyBalancerRests(Configuration masterConfiguration) {
        return Optional.ofNullable(WHY_BALANCER_RESTS.get(masterConfiguration))
                .map(why -> "it rests until the HMaster is started again: " + why.replaceFirst("[.]$", ""));
    }

    /** Says which tables this master's healer heals; the last one said wins. */
    public static void registerHealingAvailability(
            Configuration masterConfiguration, HealingAvailability healingAvailability) {
        HEALING_AVAILABILITY.offer(masterConfiguration, healingAvailability);
    }

    /** What becomes of remote bytes in this master: nothing is healed where it has no healer. */
    public static HealingAvailability healingAvailability(Configuration masterConfiguration) {
        return HEALING_AVAILABILITY.find(masterConfiguration).orElse(HealingAvailability.NEVER);
    }

    /** Says that this master's healer takes doubts here about which regions are local; the last one said wins. */
    public static void registerStaleLocalityListener(Configuration masterConfiguration, StaleLocalityListener doubt) {
        STALE_LOCALITY.offer(masterConfiguration, doubt);
    }

    /** Who takes doubts in this master about which regions are local; empty where it has no healer. */
    public static Optional<StaleLocalityListener> staleLocalityListener(Configuration masterConfiguration) {
        return STALE_LOCALITY.find(masterConfiguration);
    }

    /** Says which DataNodes this master's healer finds sick; the last one said wins. */
    public static void registerSuspectDataNodes(Configuration masterConfiguration, SuspectDataNodes suspects) {
        SUSPECT_DATANODES.offer(masterConfiguration, suspects);
    }

    /** Which DataNodes are sick by what this master's healer knows; none where it has no healer. */
    public static SuspectDataNodes suspectDataNodes(Configuration masterConfiguration) {
        return SUSPECT_DATANODES.find(masterConfiguration).orElse(SuspectDataNodes.NONE);
    }

    /** Says that this master's balancer is told of manual moves here; the last one said wins. */
    public static void registerManualMoveListener(
            Configuration masterConfiguration, ManualMoveListener manualMoveListener) {
        HAND_MOVES.offer(masterConfiguration, manualMoveListener);
    }

    /** Who is told of manual moves in this master; empty where its balancer is not Hearth's. */
    public static Optional<ManualMoveListener> manualMoveListener(Configuration masterConfiguration) {
        return HAND_MOVES.find(masterConfiguration);
    }

    /** The leases under which SLO watches have this master's healer and balancer rest; they live as long as its configuration. */
    public static BrakeLeases brakeLeases(Configuration masterConfiguration) {
        return BRAKE_LEASES.computeIfAbsent(masterConfiguration, first -> new BrakeLeases());
    }

    /** Whether SLO watches may have this master's healer and balancer rest, by its configuration as it is now. */
    public static boolean mayBrake(Configuration masterConfiguration) {
        return new SettingsReader("hbase-site.xml", new ConfigurationSettings(masterConfiguration))
                .read(SloSettings.BRAKE);
    }

    /**
     * Who brakes in this master now and why, as the end of a sentence; empty where nobody does, or may.
     *
     * @param monotonicMs the time by {@code System.nanoTime}, in milliseconds
     */
    public static Optional<String> brake(Configuration masterConfiguration, long monotonicMs) {
        return brakeLeases(masterConfiguration).inForce(monotonicMs).filter(why -> mayBrake(masterConfiguration));
    }

    /** One kind of thing, of each master. */
    private static final class PerMaster<T> {

        // Configuration inherits equals from Object, so that a WeakHashMap compares it by identity.
        private final Map<Configuration, WeakReference<T>> byMaster = Collections.synchronizedMap(new WeakHashMap<>());

        void offer(Configuration masterConfiguration, T offered) {
            byMaster.put(masterConfiguration, new WeakReference<>(offered));
        }

        void withdraw(Configuration masterConfiguration) {
            byMaster.remove(masterConfiguration);
        }

        Optional<T> find(Configuration masterConfiguration) {
            return Optional.ofNullable(byMaster.get(masterConfiguration)).map(WeakReference::get);
        }
    }
}
