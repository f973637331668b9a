// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.cache.SenderBench.SenderSetup;
import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.bench.threshold.ThresholdReport.Figure;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** What sending costs is no test's business; that all of it is cached the benchmark checks itself. */
class SenderBenchTest {

    @Test
    void aBlockIsSentInBothWays() throws IOException {
        StringWriter out = new StringWriter();
        ThresholdReport thresholds = new ThresholdReport();
        new SenderBench(new PrintWriter(out), thresholds, new SenderSetup(3, 2, 3, 1)).run();

        assertThat(thresholds.figures())
                .extracting(Figure::figure)
                .containsExactly(
                        "plain sendfile",
                        "cached, verified",
                        "CPU of the sender's thread for a MB, plain",
                        "CPU of the sender's thread for a MB, cached",
                        "CPU for a MB, cached over plain");
        assertThat(thresholds.figures()).extracting(Figure::value).allMatch(value -> value > 0);
        assertThat(out.toString().lines()).hasSize(6);
    }
}
