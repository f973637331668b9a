// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim;

import io.hearth.common.model.TableId;
import io.hearth.sim.scenario.Scenario;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** One scenario with what happened and what was expected. Immutable. */
public record ScenarioRun(Scenario scenario, SimHistory history, List<ExpectationResult> expectationResults) {

    public ScenarioRun {
        expectationResults = List.copyOf(expectationResults);
    }

    /** Runs this scenario with Hearth's balancer, configured as the scenario says. */
    public static ScenarioRun of(Scenario scenario) {
        return of(scenario, new HearthSimBalancer(scenario.settings(), tables(scenario)));
    }

    /** Runs this scenario with this balancer. */
    public static ScenarioRun of(Scenario scenario, SimBalancer balancer) {
        SimHistory history = new Simulation(scenario, balancer).run();
        return new ScenarioRun(scenario, history, ExpectationResult.of(scenario.expectations(), history));
    }

    /** The tables of this scenario. */
    public static Set<TableId> tables(Scenario scenario) {
        return scenario.tables().stream()
                .map(table -> new TableId(table.name()))
                .collect(Collectors.toSet());
    }

    /** Whether every expectation holds. */
    public boolean holds() {
        return expectationResults.stream().allMatch(ExpectationResult::holds);
    }

    /** The expectations that do not hold. */
    public List<ExpectationResult> failed() {
        return expectationResults.stream().filter(result -> !result.holds()).toList();
    }
}
