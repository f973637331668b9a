// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.threshold;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.threshold.ThresholdReport.Figure;
import io.hearth.testkit.command.Commands;
import io.hearth.testkit.command.OutputOption;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

class ThresholdReportTest {

    private static final String[] PROGRESS = {
        "Two polls, 10 % \"cold\":",
        "  time                                                       1.50 ms     threshold       2.00  holds",
        "    by the clock                                             2.25 ms",
        "memory                                                   1,024.00 MB     threshold   1,000.00  MISSED",
        "MISSED  memory: 1,024.00 MB, above 1,000.00",
        "1 thresholds do not hold."
    };

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return Commands.of(new Polls())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    @Test
    void whatIsBelowItsThresholdIsNamed() {
        ThresholdReport thresholds = new ThresholdReport();

        assertThat(thresholds.atLeast("from SSD", 60, 60, "%")).endsWith("threshold      60.00  holds");
        assertThat(thresholds.atLeast("from SSD", 59.99, 60, "%")).endsWith("threshold      60.00  MISSED");
        assertThat(thresholds.violations()).containsExactly("from SSD: 59.99 %, below 60.00");
        assertThat(thresholds.figures())
                .containsExactly(
                        Figure.of("", "from SSD", 60, "%").atLeast(60, true),
                        Figure.of("", "from SSD", 59.99, "%").atLeast(60, false));
    }

    @Test
    void aPersonReadsALineForEachFigureAndWhatMissed() {
        assertThat(run()).isEqualTo(1);
        assertThat(out.toString().lines()).containsExactly(PROGRESS);
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void aProgramReadsEachFigureAndWhatMissedInOneDocument() {
        assertThat(run("--output", "json")).isEqualTo(1);
        assertThat(out.toString().lines())
                .containsExactly("{\"figures\":["
                        + "{\"of\":\"Two polls, 10 % \\\"cold\\\"\",\"figure\":\"time\",\"value\":1.5"
                        + ",\"unit\":\"ms\",\"atMost\":2.0,\"holds\":true},"
                        + "{\"of\":\"Two polls, 10 % \\\"cold\\\"\",\"figure\":\"by the clock\",\"value\":2.25,\"unit\":\"ms\"},"
                        + "{\"of\":\"\",\"figure\":\"memory\",\"value\":1024.0,\"unit\":\"MB\",\"atMost\":1000.0,\"holds\":false},"
                        + "{\"of\":\"\",\"figure\":\"estimate / time\",\"unit\":\"\",\"atLeast\":0.75,\"atMost\":1.25,\"holds\":true}],"
                        + "\"holds\":false,\"missed\":[\"memory: 1,024.00 MB, above 1,000.00\"]}");
        assertThat(err.toString().lines()).containsExactly(PROGRESS);
    }

    @Test
    void figuresAreCsvUnderTheirNames() {
        assertThat(run("--output", "csv")).isEqualTo(1);
        assertThat(out.toString().lines())
                .containsExactly(
                        "of,figure,value,unit,atLeast,atMost,holds",
                        "\"Two polls, 10 % \"\"cold\"\"\",time,1.5,ms,,2.0,true",
                        "\"Two polls, 10 % \"\"cold\"\"\",by the clock,2.25,ms,,,",
                        ",memory,1024.0,MB,,1000.0,false",
                        ",estimate / time,,,0.75,1.25,true");
        assertThat(err.toString().lines()).containsExactly(PROGRESS);
    }

    @Test
    void whatHoldsEndsWithThatAndDone() {
        assertThat(run("--more-memory", "--output", "csv")).isZero();
        assertThat(err.toString().lines()).last().isEqualTo("All thresholds hold.");
    }

    @Test
    void reportsOfPartsBecomeOneAndEachFigureSaysWhatItIsOf() {
        ThresholdReport part = new ThresholdReport();
        part.add(Figure.of("", "failed", 2, "").none(), "2 requests failed");
        part.add(Figure.of("gets", "p99", 9, "ms").atMost(10, true), "not said");
        part.add(Figure.of("", "moves", 3, ""), "not said");
        ThresholdReport all = new ThresholdReport();
        all.addAll(part, "seed 1", "seed 1: ");

        assertThat(all.figures())
                .containsExactly(
                        new Figure("seed 1", "failed", 2.0, "", null, 0.0, false),
                        new Figure("gets, seed 1", "p99", 9.0, "ms", null, 10.0, true),
                        new Figure("seed 1", "moves", 3.0, "", null, null, null));
        assertThat(all.violations()).containsExactly("seed 1: 2 requests failed");
        assertThat(all.figures().get(1).withoutThreshold())
                .isEqualTo(new Figure("gets, seed 1", "p99", 9.0, "ms", null, null, null));
    }

    @Test
    void aThresholdThatIsNotFiniteHasNoNumber() {
        assertThat(Figure.of("", "time", Double.NaN, "s").atMost(Double.POSITIVE_INFINITY, false))
                .isEqualTo(new Figure("", "time", null, "s", null, null, false));
    }

    @Command(name = "bin/hearth polls")
    private static final class Polls implements Callable<Integer> {

        @Mixin
        private OutputOption output;

        @Option(names = "--more-memory")
        private boolean moreMemory;

        @Override
        public Integer call() {
            ThresholdReport thresholds = new ThresholdReport();
            output.say(thresholds.about("Two polls, 10 % \"cold\":"));
            output.say(thresholds.atMost("  time", 1.5, 2, "ms"));
            output.say(thresholds.figure("    by the clock", 2.25, "ms"));
            output.say(thresholds.atMost("memory", 1_024, moreMemory ? 2_000 : 1_000, "MB"));
            thresholds.add(Figure.of("", "estimate / time", Double.POSITIVE_INFINITY, "")
                    .atLeast(0.75, true)
                    .atMost(1.25, true));
            return thresholds.end(output);
        }
    }
}
