package io.hearth.balancer.config;

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
        boolean switchedOn = reader.read(BalancerSettings.ENABLED);
        GoalConfig goals = GoalConfig.read(reader);
        HeatConfig heat = HeatConfig.read(reader);
        MoveTrackerConfig tracker = MoveTrackerConfig.read(reader, switchedOn);
        boolean enabled = tracker.mode() != BalancerMode.OFF;
        PlacementConfig placement = PlacementConfig.read(reader, enabled);
        LocalityConfig locality = LocalityConfig.read(reader);
        PlannerConfig search = PlannerConfig.read(reader);
        List<ConfigProblem> problems = new ArrayList<>(reader.problems());
        problems.addAll(KeyRegistry.unread(where, raw, isKeyOfATable));
        return new BalancerConfig(enabled, goals, heat, tracker, placement, locality, search, problems);
    }
}
