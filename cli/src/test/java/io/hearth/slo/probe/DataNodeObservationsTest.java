// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.probe;

import static io.hearth.slo.probe.ProbeKind.HDFS_READ;
import static io.hearth.slo.probe.ProbeKind.HDFS_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.slo.probe.DataNodeObservations.Condition;
import io.hearth.slo.probe.DataNodeObservations.DataNodeObservation;
import io.hearth.slo.probe.ProbeResult.Outcome;
import org.junit.jupiter.api.Test;

class DataNodeObservationsTest {

    private static final long LIMIT_MICROS = 500_000;

    private final DataNodeObservations observations = new DataNodeObservations(kind -> LIMIT_MICROS);

    private void probe(ProbeKind kind, String target, long dueAtMs, long micros, Outcome outcome) {
        observations.accept(new ProbeResult(kind, target, dueAtMs, micros, outcome));
    }

    @Test
    void theWorseOfAWriteAndAReadIsOneObservation() {
        probe(HDFS_WRITE, "dn1:9866", 1_000, 600_000, Outcome.ANSWERED);
        assertThat(observations.take()).as("its read is still to come").isEmpty();
        probe(HDFS_READ, "dn1:9866", 20_000, 500_000, Outcome.ANSWERED);
        probe(HDFS_READ, "dn2:9866", 2_000, 15_000_000, Outcome.TIMED_OUT);
        probe(HDFS_WRITE, "dn2:9866", 30_000, 700_000, Outcome.ANSWERED);
        probe(HDFS_WRITE, "dn3:9866", 3_000, 4_000, Outcome.ANSWERED);
        probe(HDFS_READ, "dn3:9866", 40_000, 8_000, Outcome.ANSWERED);

        assertThat(observations.take())
                .containsExactly(
                        new DataNodeObservation("dn1", HDFS_WRITE, Condition.SLOW, 1_600),
                        new DataNodeObservation("dn2", HDFS_READ, Condition.FAILED, 17_000),
                        new DataNodeObservation("dn3", HDFS_READ, Condition.GOOD, 40_008));
        assertThat(observations.take()).isEmpty();
    }

    /** Reads whose replica is elsewhere are not told of. */
    @Test
    void aWriteWithoutAReadIsToldWhenTheNextOneComes() {
        probe(HDFS_WRITE, "dn1:9866", 1_000, 1_000, Outcome.FAILED);
        probe(HDFS_WRITE, "dn1:9866", 61_000, 1_000, Outcome.FAILED);
        probe(HDFS_WRITE, "dn1:9866", 121_000, 1_000, Outcome.ANSWERED);

        assertThat(observations.take())
                .containsExactly(
                        new DataNodeObservation("dn1", HDFS_WRITE, Condition.FAILED, 1_001),
                        new DataNodeObservation("dn1", HDFS_WRITE, Condition.FAILED, 61_001));
    }

    @Test
    void whatWasNotSentAndOtherKindsSayNothing() {
        probe(HDFS_WRITE, "dn1:9866", 1_000, 0, Outcome.NOT_SENT);
        probe(HDFS_READ, "dn1:9866", 1_000, 0, Outcome.NOT_SENT);
        probe(ProbeKind.GET, "dn1:16020", 1_000, 1_000, Outcome.FAILED);
        probe(ProbeKind.GET, "dn1:16020", 2_000, 1_000, Outcome.FAILED);

        assertThat(observations.take()).isEmpty();
    }

    @Test
    void whereNobodyAsksTheOldestAreGivenUp() {
        for (int second = 0; second <= 10_001; second++) {
            probe(HDFS_WRITE, "dn1:9866", second * 1_000L, 0, Outcome.ANSWERED);
        }

        assertThat(observations.take())
                .hasSize(10_000)
                .first()
                .isEqualTo(new DataNodeObservation("dn1", HDFS_WRITE, Condition.GOOD, 1_000));
    }
}
