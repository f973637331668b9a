// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.slo.probe.DataNodeObservations.Condition;
import io.hearth.slo.probe.DataNodeObservations.DataNodeObservation;
import io.hearth.slo.probe.ProbeKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class DataNodeReporterTest {

    private static final long NOW_MS = 1_000_000;

    private static DataNodeObservation observation(String host, ProbeKind kind, Condition condition, long agoMs) {
        return new DataNodeObservation(host, kind, condition, NOW_MS - agoMs);
    }

    @Test
    void whatIsToldHasItsAgeAndNotItsTime() {
        assertThat(DataNodeReporter.json(
                        List.of(
                                observation("dn1", ProbeKind.HDFS_WRITE, Condition.FAILED, 1_500),
                                observation("dn2", ProbeKind.HDFS_READ, Condition.SLOW, 0),
                                observation("dn3", ProbeKind.HDFS_READ, Condition.GOOD, 300_000)),
                        NOW_MS))
                .hasToString("[{\"host\":\"dn1\",\"operation\":\"write\",\"outcome\":\"FAILED\",\"agoMs\":1500},"
                        + "{\"host\":\"dn2\",\"operation\":\"read\",\"outcome\":\"SLOW\",\"agoMs\":0},"
                        + "{\"host\":\"dn3\",\"operation\":\"read\",\"outcome\":\"GOOD\",\"agoMs\":300000}]");
    }

    /** A clock that is set by an hour makes neither an observation of an hour ago nor one of the future. */
    @Test
    void aClockThatWasSetMakesNoOldAndNoFutureObservation() {
        assertThat(DataNodeReporter.json(
                        List.of(
                                observation("dn1", ProbeKind.HDFS_WRITE, Condition.FAILED, 3_600_000),
                                observation("dn2", ProbeKind.HDFS_READ, Condition.GOOD, -3_600_000)),
                        NOW_MS))
                .hasToString("[{\"host\":\"dn2\",\"operation\":\"read\",\"outcome\":\"GOOD\",\"agoMs\":0}]");
    }
}
