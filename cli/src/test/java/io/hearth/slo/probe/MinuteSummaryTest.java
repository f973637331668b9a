// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.slo.probe.ProbeResult.Outcome;
import org.junit.jupiter.api.Test;

class MinuteSummaryTest {

    private final MinuteSummary summary = new MinuteSummary();

    private void add(ProbeKind kind, String target, long micros, Outcome outcome) {
        summary.accept(new ProbeResult(kind, target, 0, micros, outcome));
    }

    @Test
    void aMinuteIsOneLine() {
        for (int micros = 1; micros <= 3_000; micros++) {
            add(ProbeKind.GET, "a:16020", micros, micros > 2_990 ? Outcome.TIMED_OUT : Outcome.ANSWERED);
        }
        add(ProbeKind.PUT, "b:16020", 5, Outcome.FAILED);
        add(ProbeKind.HDFS_WRITE, "b:9866", 5, Outcome.NOT_SENT);

        assertThat(summary.take())
                .isEqualTo("get 2,990 of 3,000 good, p50 1.5 ms, p99 3.0 ms; put 0 of 1 good; hdfs-write 0 of 1 good;"
                        + " worst is a:16020, 10 of 3,000 bad");
        assertThat(summary.take()).isEqualTo("no probe was due");
    }

    @Test
    void aProbeWithoutAnAnswerIsSlowerThanAny() {
        add(ProbeKind.GET, "a:16020", 700, Outcome.ANSWERED);
        add(ProbeKind.GET, "a:16020", 0, Outcome.NOT_SENT);

        assertThat(summary.take())
                .isEqualTo("get 1 of 2 good, p50 0.7 ms, p99 no answer; worst is a:16020, 1 of 2 bad");
    }
}
