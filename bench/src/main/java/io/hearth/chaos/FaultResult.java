// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import java.util.List;
import java.util.OptionalDouble;

/**
 * What came of one fault.
 *
 * @param fault what broke
 * @param seed chose where and for how long
 * @param regionsMoved regions that were moved so that their blocks had to
 * @param movesAhead moves that were planned or under way when it broke
 * @param secondsToConverge from the end of the fault until everything was local and whole
 * @param maxOverMean requests of the busiest server, as a share of the average, after that; absent where nobody sees to it
 * @param requests of clients that were answered
 * @param errors requests that a client gave up, and loaded rows that were not there
 * @param slowestMs the longest time that a request took
 * @param acknowledgedRows rows whose write was acknowledged, all of which were read back
 * @param violations what is not as it must be, a line each; empty if all is well
 */
record FaultResult(
        Fault fault,
        long seed,
        int regionsMoved,
        long movesAhead,
        long secondsToConverge,
        OptionalDouble maxOverMean,
        long requests,
        long errors,
        long slowestMs,
        int acknowledgedRows,
        List<String> violations) {

    FaultResult {
        violations = List.copyOf(violations);
    }

    boolean holds() {
        return violations.isEmpty();
    }
}
