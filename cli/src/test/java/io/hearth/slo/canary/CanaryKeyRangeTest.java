// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.canary;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CanaryKeyRangeTest {

    @Test
    void aTableIsSplitIntoRangesOfOneWidth() {
        assertThat(CanaryKeyRange.splitKeys(1)).isEmpty();
        assertThat(CanaryKeyRange.splitKeys(4)).containsExactly("40000000", "80000000", "c0000000");
        assertThat(CanaryKeyRange.splitKeys(7_000))
                .hasSize(6_999)
                .doesNotHaveDuplicates()
                .isSorted();
    }

    @Test
    void aRangeIsSplitInItsMiddle() {
        assertThat(CanaryKeyRange.of("", "").flatMap(CanaryKeyRange::middle)).contains("80000000");
        assertThat(CanaryKeyRange.of("80000000", "").flatMap(CanaryKeyRange::middle))
                .contains("c0000000");
        assertThat(CanaryKeyRange.of("", "00000002").flatMap(CanaryKeyRange::middle))
                .contains("00000001");
        assertThat(CanaryKeyRange.of("", "00000001").flatMap(CanaryKeyRange::middle))
                .isEmpty();
    }

    @Test
    void otherKeysAreNoRange() {
        for (List<String> keys : List.of(
                List.of("4000000", ""),
                List.of("", "C0000000"),
                List.of("user1", "user2"),
                List.of("80000000", "80000000"),
                List.of("80000000", "40000000"))) {
            assertThat(CanaryKeyRange.of(keys.get(0), keys.get(1)))
                    .as("%s", keys)
                    .isEqualTo(Optional.empty());
        }
    }
}
