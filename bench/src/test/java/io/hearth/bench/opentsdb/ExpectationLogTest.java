// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.opentsdb.PutLoad.FailureCount;
import io.hearth.bench.opentsdb.PutLoad.IntervalLatencies;
import io.hearth.bench.opentsdb.TsdbRun.ExpectationLog;
import java.io.PrintWriter;
import java.io.StringWriter;
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

    @Test
    void latenciesAreFromWhenARequestWasDue() {
        IntervalLatencies latencies = new IntervalLatencies();
        assertThat(latencies.take()).isEqualTo("none");

        latencies.answered(System.currentTimeMillis() - 50_000);

        assertThat(latencies.take())
                .matches("1, p50 50,[0-9]{3} ms, p99 50,[0-9]{3} ms, p99.9 .* ms, max 50,[0-9]{3} ms");
        assertThat(latencies.take()).isEqualTo("none");
    }
}
