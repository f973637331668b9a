// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim.scenario;

/** Says what is wrong in a scenario file, where, and what may stand there; one line. */
public final class ScenarioFormatException extends Exception {

    private static final long serialVersionUID = 1;

    ScenarioFormatException(String file, int line, String message) {
        super(file + ", line " + line + ": " + message);
    }
}
