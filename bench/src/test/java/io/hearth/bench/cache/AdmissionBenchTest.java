// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.bench.threshold.ThresholdReport.Figure;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How fast the admission is, is no test's business. */
class AdmissionBenchTest {

    @Test
    void theHeapOfTheAdmissionIsWhatItCountsAndALittleMore() {
        ThresholdReport thresholds = new ThresholdReport();
        new AdmissionBench(new PrintWriter(new StringWriter()), thresholds).memory(100_000);

        List<Figure> figures = thresholds.figures();
        assertThat(figures)
                .extracting(Figure::figure)
                .containsExactly("everything that it holds", "as it counts itself", "reads that it could not track");
        double held = figures.get(0).value();
        double counted = figures.get(1).value();
        assertThat(held).isBetween(counted, counted + 0.1);
        assertThat(counted).isBetween(100_000 * 12 / 1048576.0, 100_000 * 26 / 1048576.0);
        assertThat(figures.get(0).holds()).isTrue();
        assertThat(figures.get(2).value()).isZero();
    }

    @Test
    void eachBlockIsSeenOnce() {
        assertThat(AdmissionBench.seen(5_000).footprint().blocks()).isEqualTo(5_000);
    }

    @Test
    void accessesAreThoseOfTheTrace() {
        AdmissionBenchmark benchmark = new AdmissionBenchmark();
        benchmark.draw();
        AdmissionBenchmark.Progress progress = new AdmissionBenchmark.Progress();
        int admitted = 0;
        for (int access = 0; access < 20_000; access++) {
            admitted += benchmark.access(progress) ? 1 : 0;
        }
        // The most popular block alone has a seventh of them.
        assertThat(admitted).isBetween(2_500, 12_000);
    }
}
