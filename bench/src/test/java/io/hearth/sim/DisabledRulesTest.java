// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.planner.DirectedPlanner;
import io.hearth.sim.scenario.Scenario;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each rule against thrashing is broken on purpose, and a scenario notices. */
class DisabledRulesTest {

    private static final Path FOLDER = Path.of("src", "main", "scenarios");

    /** A rule, how it is broken, and the scenario and expectation that catch it. */
    @SuppressWarnings("ImmutableEnumChecker") // the maps are Map.of
    private enum DisabledRule {
        COOL_DOWN(
                Map.of("hearth.balancer.cool.down.ms", "0"),
                "load-that-goes-to-and-fro",
                "no region moves more than once in any 15min"),
        BREAKER(
                Map.of("hearth.balancer.oscillation.freeze.ms", "0"),
                "load-that-goes-to-and-fro",
                "at most 125 times a region goes to and fro within 6h"),
        NOISE_FILTER(Map.of("hearth.balancer.noise.filter", "false"), "restless-load", "nothing moves from 8h"),
        REST(
                Map.of("hearth.balancer.rest.ms", "0"),
                "noise-of-60-percent",
                "no region moves more than once in any 24h"),
        DISTANCE_OF_TRIGGER_AND_TARGET(
                Map.of("hearth.balancer.skew.trigger", "1.02", "hearth.balancer.skew.target", "1.019"),
                "sine-of-20-percent",
                "at most 5 moves from 1h"),
        LEAST_RELIEF(
                Map.of("hearth.balancer.min.hotspot.reduction", "0", "hearth.balancer.noise.filter", "false"),
                "restless-load",
                "at most 200 moves"),
        IN_FLIGHT(
                Map.of("hearth.balancer.move.confirm.timeout.ms", "10000"),
                "reports-come-late",
                "no region moves more than once in any 15min"),
        COST_OF_BYTES_TO_HEAL(
                Map.of("hearth.balancer.move.cost.bytes", "0"), "large-regions", "at most 900 GB are moved"),
        COST_OF_A_COLD_CACHE(Map.of("hearth.balancer.move.cost.cold.cache", "0"), "cold-cache", "at most 21 moves"),
        PIN_OF_A_MOVE_BY_HAND(
                Map.of("hearth.balancer.manual.pin.ms", "0"),
                "moved-manually",
                "region 3 of t stays where it is from 2h");

        private final Map<String, String> settings;
        private final String scenario;
        private final String caughtBy;

        DisabledRule(Map<String, String> settings, String scenario, String caughtBy) {
            this.settings = settings;
            this.scenario = scenario;
            this.caughtBy = caughtBy;
        }
    }

    @ParameterizedTest
    @EnumSource(DisabledRule.class)
    void aScenarioNotices(DisabledRule rule) throws Exception {
        Scenario scenario =
                ScenarioFiles.read(FOLDER.resolve(rule.scenario + ".yaml")).withSettings(rule.settings);
        ScenarioRun run = ScenarioRun.of(
                scenario,
                new HearthSimBalancer(scenario.settings(), ScenarioRun.tables(scenario), new DirectedPlanner()::plan));

        assertThat(run.failed())
                .as(ScenarioResultTable.of(List.of(run)))
                .extracting(ExpectationResult::expected)
                .contains(rule.caughtBy);
    }
}
