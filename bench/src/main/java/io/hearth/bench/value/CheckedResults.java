// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.value;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What a part of the benchmark measured, with what says whether the machine was idle enough for it. Immutable.
 *
 * @param results one for each balancer or variant
 */
public record CheckedResults<T>(MachineCheck machine, List<T> results) {

    public CheckedResults {
        results = List.copyOf(results);
    }

    /**
     * @param control an even load that was measured beside them
     * @param idle the share of the machine's processors that had nothing to do during one of them, 0 to 1
     */
    static <T> CheckedResults<T> of(LayoutResult control, List<T> results, ToDoubleFunction<T> idle) {
        double leastIdle = results.stream().mapToDouble(idle).reduce(control.idle(), Math::min);
        return new CheckedResults<>(
                new MachineCheck(control.highestPerSecond(), control.nominalPerSecond(), leastIdle), results);
    }
}
