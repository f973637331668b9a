package io.hearth.sim.scenario;

/** Says what is wrong in a scenario file, where, and what may stand there; one line. */
public final class ScenarioProblem extends Exception {

    private static final long serialVersionUID = 1;

    ScenarioProblem(String message) {
        super(message);
    }
}
