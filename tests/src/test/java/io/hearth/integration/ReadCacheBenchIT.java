// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.cache.DataNodeBench;
import io.hearth.bench.cache.DataNodeBench.NodeSetup;
import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.bench.threshold.ThresholdReport.Figure;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code bench read-cache --part DATANODE} with few blocks and short phases: how much the cache gains is no test's business. */
@Tag("soak")
class ReadCacheBenchIT {

    @Test
    void clientsReadWithTheCacheOffAndOn() throws Exception {
        StringWriter out = new StringWriter();
        ThresholdReport thresholds = new ThresholdReport();
        NodeSetup setup = new NodeSetup(8, 1 << 20, 2, 4 << 20, 1 << 20, 800, List.of(2), Duration.ofSeconds(2), 1);

        new DataNodeBench(new PrintWriter(out), thresholds, setup).run();

        assertThat(figure(thresholds, "cached reads, off")).as("%s", out).isZero();
        assertThat(figure(thresholds, "cached reads, on")).as("%s", out).isBetween(20.0, 100.0);
        assertThat(figure(thresholds, "bytes a second of a cached read, over another's"))
                .as("%s", out)
                .isGreaterThan(1);
        assertThat(thresholds.figures())
                .filteredOn(figure -> figure.holds() != null)
                .extracting(Figure::figure)
                .containsExactly(
                        "throughput, on over off",
                        "reads above 100 ms, on over off",
                        "p95 of 2 clients, on over off",
                        "bytes a second of a cached read, over another's",
                        "time, on over off");
    }

    private static double figure(ThresholdReport thresholds, String name) {
        Double value = thresholds.figures().stream()
                .filter(figure -> figure.figure().equals(name))
                .findFirst()
                .orElseThrow()
                .value();
        return value == null ? Double.NaN : value;
    }
}
