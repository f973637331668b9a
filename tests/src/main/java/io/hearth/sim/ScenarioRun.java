package io.hearth.sim;

import io.hearth.balancer.load.TableId;
import io.hearth.sim.scenario.Scenario;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** One scenario with what happened and what was expected. Immutable. */
public record ScenarioRun(Scenario scenario, History history, List<Judgement> judgements) {

    public ScenarioRun {
        judgements = List.copyOf(judgements);
    }

    /** Runs this scenario with Hearth's balancer, configured as the scenario says. */
    public static ScenarioRun of(Scenario scenario) {
        return of(scenario, new EngineBalancer(scenario.settings(), tables(scenario)));
    }

    /** Runs this scenario with this balancer. */
    public static ScenarioRun of(Scenario scenario, SimBalancer balancer) {
        History history = new Simulation(scenario, balancer).run();
        return new ScenarioRun(scenario, history, Judgement.of(scenario.expectations(), history));
    }

    /** The tables of this scenario. */
    public static Set<TableId> tables(Scenario scenario) {
        return scenario.tables().stream()
                .map(table -> new TableId(table.name()))
                .collect(Collectors.toSet());
    }

    /** Whether every expectation holds. */
    public boolean holds() {
        return judgements.stream().allMatch(Judgement::holds);
    }

    /** The expectations that do not hold. */
    public List<Judgement> broken() {
        return judgements.stream().filter(judgement -> !judgement.holds()).toList();
    }
}
