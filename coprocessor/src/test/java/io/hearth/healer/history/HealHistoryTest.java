// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import io.hearth.healer.history.HealHistory.HealEndState;
import io.hearth.healer.history.HealHistory.HealRecord;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class HealHistoryTest {

    private final HealHistory history = new HealHistory();

    @Test
    void keepsTheLastOnesNewestFirst() {
        for (int i = 0; i < HealHistory.KEPT + 5; i++) {
            history.add(outcome(i));
        }
        assertThat(history.newestFirst()).hasSize(HealHistory.KEPT);
        assertThat(history.newestFirst().get(0).bytes()).isEqualTo(HealHistory.KEPT + 4);
    }

    @Test
    void aLineForAPerson() {
        assertThat(outcome(7))
                .hasToString(
                        "2026-03-02T12:00:00Z REPORTED region r of t on h,16020,1: 3 blocks, 7 bytes, verified after"
                                + " 10 ms, ended after 20 ms");
    }

    private static HealRecord outcome(long bytes) {
        return new HealRecord(
                Instant.parse("2026-03-02T12:00:00Z"),
                new EncodedRegionName("r"),
                new TableId("t"),
                new ServerId("h", 16020, 1),
                HealEndState.REPORTED,
                bytes,
                3,
                10,
                20);
    }
}
