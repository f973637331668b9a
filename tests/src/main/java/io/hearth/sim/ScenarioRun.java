package io.hearth.sim;

import io.hearth.sim.scenario.Scenario;
import java.util.List;

/** One scenario with what happened and what was expected. Immutable. */
public record ScenarioRun(Scenario scenario, History history, List<Judgement> judgements) {

    public ScenarioRun {
        judgements = List.copyOf(judgements);
    }

    /** Runs this scenario with Hearth's balancer, configured as the scenario says. */
    public static ScenarioRun of(Scenario scenario) {
        History history = new Simulation(scenario, new SteeredBalancer(scenario.settings())).run();
        return new ScenarioRun(scenario, history, Judgement.of(scenario.expectations(), history));
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
