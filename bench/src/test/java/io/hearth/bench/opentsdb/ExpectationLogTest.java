// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.opentsdb.PutLoad.FailureCount;
import io.hearth.bench.opentsdb.PutLoad.IntervalLatencies;
import io.hearth.bench.opentsdb.TsdbRun.ExpectationLog;
import io.hearth.bench.opentsdb.stream.ReadBackResult;
import io.hearth.bench.threshold.PrintedReport;
import io.hearth.demo.report.ServerTable;
import io.hearth.demo.report.ServerTable.ServerTableRow;
import io.hearth.testkit.load.LatencyRecorder.LatencySummary;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExpectationLogTest {

    @Test
    void itSaysWhetherAndWhen() {
        assertThat(new BalanceRun(true, 19, 7).summary())
                .isEqualTo("even (writes below 1.15) after 19 s, 7 moves of regions");
        assertThat(new BalanceRun(false, 60, 0).summary()).isEqualTo("not even within 60 s, 0 moves of regions");
    }

    @Test
    void whatDoesNotHoldIsRemembered() {
        StringWriter out = new StringWriter();
        ExpectationLog expectations = new ExpectationLog(new PrintWriter(out));
        FailureCount failures = new FailureCount();
        failures.add(new IllegalStateException("first\nand more"));
        failures.add(new IllegalStateException("second"));

        expectations.expect(true, "no query failed", "0");
        expectations.expect(failures.count() == 0, "no put failed", failures.summary());

        assertThat(expectations.failed()).containsExactly("no put failed");
        assertThat(out.toString().lines())
                .containsExactly(
                        "   HOLDS   no query failed: 0",
                        "   BROKEN  no put failed: 2, the first: java.lang.IllegalStateException: first");
    }

    private static ExpectationLog measured(boolean holds) {
        ExpectationLog expectations = new ExpectationLog(new PrintWriter(new StringWriter()));
        expectations.add(TsdbFigures.of(new ServerTable(
                "evened", List.of(new ServerTableRow("host1", 8, 0, 500, 2_000_000, 0.5, Double.NaN)))));
        expectations.add(TsdbFigures.ofHearth("with the balancer on", new BalanceRun(holds, 19, 7)));
        expectations.add(TsdbFigures.ofStock("with the stock balancer", new BalanceRun(false, 60, 0)));
        expectations.add(TsdbFigures.of("evened", "puts", new LatencySummary(900, 3, 40, 80, 95)));
        expectations.add(TsdbFigures.of("evened", "queries", new LatencySummary(0, 0, 0, 0, 0)));
        expectations.add(TsdbFigures.of("every answer was whole", new ReadBackResult(90, 0, 0)));
        expectations.expect(holds, "Hearth evens the heat", new BalanceRun(holds, 19, 7).summary());
        return expectations;
    }

    @Test
    void aProgramReadsEachFigureAndWhatMissed() {
        assertThat(PrintedReport.json(output -> TsdbCommand.report(measured(false), output)))
                .startsWith(
                        "{\"figures\":[",
                        "{\"of\":\"evened\",\"figure\":\"max/mean of reads\",\"unit\":\"\"}",
                        "{\"of\":\"evened\",\"figure\":\"max/mean of writes\",\"value\":1.0,\"unit\":\"\"}")
                .contains(
                        "{\"of\":\"evened, host1\",\"figure\":\"store\",\"value\":2000000.0,\"unit\":\"bytes\"}",
                        "{\"of\":\"evened, host1\",\"figure\":\"locality as reported\",\"unit\":\"\"}",
                        "{\"of\":\"with the balancer on\",\"figure\":\"writes even after\",\"unit\":\"s\",\"holds\":false}",
                        "{\"of\":\"with the stock balancer\",\"figure\":\"writes even after\",\"unit\":\"s\"}",
                        "{\"of\":\"evened, puts\",\"figure\":\"p99\",\"value\":40.0,\"unit\":\"ms\"}",
                        "{\"of\":\"evened, queries\",\"figure\":\"p99\",\"unit\":\"ms\"}",
                        "{\"of\":\"every answer was whole\",\"figure\":\"points missing\",\"value\":0.0,\"unit\":\"\",\"atMost\":0.0,\"holds\":true}")
                .endsWith(
                        "],\"holds\":false,\"missed\":[\"Hearth evens the heat: not even within 19 s, 7 moves of regions\"]}");
    }

    @Test
    void figuresAreCsvAndTheCodeIsThatOfWhatDoesNotHold() {
        PrintedReport printed = PrintedReport.of("csv", output -> TsdbCommand.report(measured(true), output));

        assertThat(printed.exitCode()).isZero();
        assertThat(printed.out())
                .startsWith("of,figure,value,unit,atLeast,atMost,holds")
                .contains(
                        "with the balancer on,writes even after,19.0,s,,,true", "\"evened, queries\",requests,0.0,,,,");
        assertThat(PrintedReport.of("csv", output -> TsdbCommand.report(measured(false), output))
                        .exitCode())
                .isEqualTo(1);
        assertThat(PrintedReport.of("table", output -> TsdbCommand.report(measured(true), output))
                        .out())
                .isEmpty();
    }

    @Test
    void latenciesAreFromWhenARequestWasDue() {
        IntervalLatencies latencies = new IntervalLatencies();
        assertThat(IntervalLatencies.text(latencies.take())).isEqualTo("none");

        latencies.answered(System.currentTimeMillis() - 50_000);

        assertThat(IntervalLatencies.text(latencies.take()))
                .matches("1, p50 50,[0-9]{3} ms, p99 50,[0-9]{3} ms, p99.9 .* ms, max 50,[0-9]{3} ms");
        assertThat(IntervalLatencies.text(latencies.take())).isEqualTo("none");
    }
}
