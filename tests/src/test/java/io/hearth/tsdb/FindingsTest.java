package io.hearth.tsdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class FindingsTest {

    @Test
    void itSaysWhetherAndWhen() {
        assertThat(new Evening(true, 19, 7).words())
                .isEqualTo("even (writes below 1.15) after 19 s, 7 moves of regions");
        assertThat(new Evening(false, 60, 0).words()).isEqualTo("not even within 60 s, 0 moves of regions");
    }

    @Test
    void whatDoesNotHoldIsRemembered() {
        StringWriter out = new StringWriter();
        Findings findings = new Findings(new PrintWriter(out));
        Failures failures = new Failures();
        failures.add(new IllegalStateException("first\nand more"));
        failures.add(new IllegalStateException("second"));

        findings.expect(true, "no query failed", "0");
        findings.expect(failures.count() == 0, "no put failed", failures.words());

        assertThat(findings.broken()).containsExactly("no put failed");
        assertThat(out.toString().lines())
                .containsExactly(
                        "   HOLDS   no query failed: 0",
                        "   BROKEN  no put failed: 2, the first: java.lang.IllegalStateException: first");
    }

    @Test
    void latenciesAreFromWhenARequestWasDue() {
        Latencies latencies = new Latencies();
        assertThat(latencies.take()).isEqualTo("none");

        latencies.answered(System.currentTimeMillis() - 50_000);

        assertThat(latencies.take())
                .matches("1, p50 50,[0-9]{3} ms, p99 50,[0-9]{3} ms, p99.9 .* ms, max 50,[0-9]{3} ms");
        assertThat(latencies.take()).isEqualTo("none");
    }
}
