// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.cache.HotBlockTrace.Shape;
import io.hearth.bench.cache.TraceBench;
import io.hearth.bench.cache.TraceBench.TraceSetup;
import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.bench.threshold.ThresholdReport.Figure;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class BenchReadCacheCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        CommandLine command =
                BenchCommand.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        String[] all = new String[arguments.length + 1];
        all[0] = "read-cache";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return command.execute(all);
    }

    @Test
    void wrongArgumentsAreOneLine() {
        assertThat(run("--hours", "1")).isEqualTo(2);
        assertThat(run("--hours", "101")).isEqualTo(2);
        assertThat(run("--seconds", "1")).isEqualTo(2);
        assertThat(run("--seconds", "601")).isEqualTo(2);
        assertThat(run("--repetitions", "0")).isEqualTo(2);
        assertThat(run("--repetitions", "21")).isEqualTo(2);
        assertThat(run("--part", "SSD")).isEqualTo(2);
        List<String> lines = err.toString().lines().toList();
        assertThat(lines).hasSize(7);
        assertThat(lines.get(0)).startsWith("hearth bench read-cache: --hours is 1; allowed are 2 to 100 (");
        assertThat(lines.get(1)).startsWith("hearth bench read-cache: --hours is 101; allowed are 2 to 100 (");
        assertThat(lines.get(2)).startsWith("hearth bench read-cache: --seconds is 1; allowed are 2 to 600 (");
        assertThat(lines.get(3)).startsWith("hearth bench read-cache: --seconds is 601; allowed are 2 to 600 (");
        assertThat(lines.get(4)).startsWith("hearth bench read-cache: --repetitions is 0; allowed are 1 to 20 (");
        assertThat(lines.get(5)).startsWith("hearth bench read-cache: --repetitions is 21; allowed are 1 to 20 (");
        assertThat(lines.get(6))
                .startsWith("hearth bench read-cache: Invalid value for option '--part' (P): expected one of [")
                .contains("but was 'SSD'");
    }

    /** A cache for a few blocks, of which all but the newest are soon there. */
    @Test
    void theTraceHasALineForEachCache() throws Exception {
        ThresholdReport thresholds = new ThresholdReport();
        TraceSetup setup = new TraceSetup(new Shape(300, 6_000, 1.1, 0.1, 0), 1, 1L << 40, 3);
        new TraceBench(new PrintWriter(out, true), thresholds, setup).run();

        assertThat(out.toString().lines())
                .contains(
                        "Simulated: one DataNode, 6,000 reads an hour of 300 blocks of 380 MiB, Zipf 1.1, 10 % of them new each hour, seed 1",
                        "SSD of 1.1 TB, written at most once a day; the last 2 of 3 hours",
                        "The cache itself, pages, X = 20, bytes verified:");
        assertThat(thresholds.figures())
                .filteredOn(figure -> figure.figure().equals("written a day"))
                .extracting(Figure::of)
                .containsExactly(
                        "pages, X = 20",
                        "pages, X = 5",
                        "pages, X = 59",
                        "pages, no admission",
                        "whole blocks, X = 20",
                        "whole blocks, X = 5",
                        "whole blocks, X = 59",
                        "whole blocks, no admission",
                        "pages, a tenth anywhere, X = 20",
                        "whole blocks, a tenth anywhere, X = 20");
        assertThat(thresholds.figures())
                .filteredOn(figure -> figure.holds() != null)
                .extracting(Figure::figure)
                .containsExactly(
                        "clients' bytes from the SSD",
                        "written a day, in capacities of the SSD",
                        "hits / (hits + fills)",
                        "from SSD, its shadow's points off",
                        "from SSD, its shadow's points off, whole blocks",
                        "Shadow of 4 caches, of one processor's time");
        assertThat(thresholds.violations()).noneMatch(violation -> violation.contains("points off"));
    }
}
