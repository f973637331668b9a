// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.config;

import io.hearth.balancer.config.BalancerSettings.LocalitySettings;
import io.hearth.balancer.config.BalancerSettings.MasterSettings;
import io.hearth.balancer.config.BalancerSettings.PlacementSettings;
import io.hearth.balancer.config.BalancerSettings.PlannerSettings;
import io.hearth.balancer.config.SloSettings.SloConfig;
import io.hearth.common.config.ConfigProblem;
import io.hearth.common.config.RawSettings;
import io.hearth.common.config.SettingsReader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * What the balancer was told, read once. Immutable; a reload makes another one.
 *
 * @param enabled whether Hearth plans at all: its mode is not {@link BalancerMode#OFF}
 * @param goals what a plan has to reach
 * @param heat how heat is learnt
 * @param tracker what is remembered between runs, and for how long
 * @param placement where regions land that have lost their server
 * @param locality how the NameNode is asked where blocks are
 * @param search how long a run may look for moves, and how many it may plan
 * @param cpuShare how much processor time all of Hearth may take in the HMaster, of one core
 * @param slo which table has canary regions, and whether SLO watches may have healing and balancing rest
 * @param problems every value and key that could not be used
 */
public record BalancerConfig(
        boolean enabled,
        GoalConfig goals,
        HeatConfig heat,
        MoveTrackerConfig tracker,
        PlacementConfig placement,
        LocalityConfig locality,
        PlannerConfig search,
        double cpuShare,
        SloConfig slo,
        List<ConfigProblem> problems) {

    public BalancerConfig {
        problems = List.copyOf(problems);
    }

    /**
     * Reads the balancer's settings and looks for keys that nobody reads ({@link KeyRegistry}).
     *
     * @param where the name of the configuration in messages
     * @param isKeyOfATable whether a key sets something of one table, which is read elsewhere
     */
    public static BalancerConfig read(String where, RawSettings raw, Predicate<String> isKeyOfATable) {
        SettingsReader reader = new SettingsReader(where, raw);
        boolean switchedOn = reader.readOrFailSafe(BalancerSettings.ENABLED, false);
        GoalConfig goals = GoalConfig.read(reader);
        HeatConfig heat = HeatConfig.read(reader);
        MoveTrackerConfig tracker = MoveTrackerConfig.read(reader, switchedOn);
        boolean enabled = tracker.mode() != BalancerMode.OFF;
        PlacementConfig placement = PlacementConfig.read(reader, enabled);
        LocalityConfig locality = LocalityConfig.read(reader);
        PlannerConfig search = PlannerConfig.read(reader);
        double cpuShare = reader.read(MasterSettings.CPU_SHARE);
        SloConfig slo = SloConfig.read(reader);
        List<ConfigProblem> problems = new ArrayList<>(reader.problems());
        problems.addAll(KeyRegistry.unread(where, raw, isKeyOfATable));
        return new BalancerConfig(enabled, goals, heat, tracker, placement, locality, search, cpuShare, slo, problems);
    }

    /**
     * Where regions land that have lost their server. Immutable.
     *
     * @param enabled whether Hearth has a say in it
     * @param maxLoadRatio how many times its fair share of reads or writes a server may come to, at least 1
     * @param maxBurstFactor how many times its even share of the regions placed at once a server may take, at least 1
     * @param viewMaxAgeMs age of the last look at the loads above which it is not used, in milliseconds
     */
    public record PlacementConfig(boolean enabled, double maxLoadRatio, double maxBurstFactor, long viewMaxAgeMs) {

        /** @param isBalancerOn whether Hearth balances at all: it has no say in where regions land either where it does not */
        static PlacementConfig read(SettingsReader reader, boolean isBalancerOn) {
            return new PlacementConfig(
                    reader.read(PlacementSettings.ENABLED) && isBalancerOn,
                    reader.read(PlacementSettings.MAX_LOAD_RATIO),
                    reader.read(PlacementSettings.MAX_BURST_FACTOR),
                    reader.read(PlacementSettings.VIEW_MAX_AGE_MS));
        }
    }

    /**
     * How far one run of the balancer may go, as {@link PlannerSettings} describes it. Immutable.
     *
     * @param deadlineMs how long moves may be looked for in one run, in milliseconds
     * @param maxMovesPerSecond how many moves the master can carry out
     */
    public record PlannerConfig(long deadlineMs, int maxMovesPerSecond) {

        private static final long SECOND_MS = 1_000;

        static PlannerConfig read(SettingsReader reader) {
            return new PlannerConfig(
                    reader.read(PlannerSettings.DEADLINE_MS), reader.read(PlannerSettings.MAX_MOVES_PER_SECOND));
        }

        /** How many moves the master can carry out in so many milliseconds, at least 1. */
        public int movesWithin(long ms) {
            long moves = Math.max(0, ms) * maxMovesPerSecond / SECOND_MS;
            return (int) Math.max(1, Math.min(Integer.MAX_VALUE, moves));
        }
    }

    /**
     * How the NameNode is asked where the blocks of regions are. Immutable.
     *
     * @param regionsPerSecond how many regions a second it is asked about in the background, above 0
     * @param maxAgeMs age at which an answer is asked for again, in milliseconds
     */
    public record LocalityConfig(double regionsPerSecond, long maxAgeMs) {

        /** What holds before any configuration was read. */
        public static final LocalityConfig DEFAULTS = new LocalityConfig(
                LocalitySettings.REGIONS_PER_SECOND.defaultValue(), LocalitySettings.MAX_AGE_MS.defaultValue());

        static LocalityConfig read(SettingsReader reader) {
            return new LocalityConfig(
                    reader.read(LocalitySettings.REGIONS_PER_SECOND), reader.read(LocalitySettings.MAX_AGE_MS));
        }
    }
}
