// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench;

import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The median time of one call of a benchmark, in milliseconds, over fresh JVMs; by JMH. */
final class MedianMillis {

    private MedianMillis() {}

    /** @param method the benchmark's method; its time unit is the millisecond */
    static double of(Class<?> benchmark, String method) throws RunnerException {
        return new Runner(new OptionsBuilder()
                        .include(benchmark.getName() + "." + method)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .runSingle()
                .getPrimaryResult()
                .getStatistics()
                .getPercentile(50);
    }
}
