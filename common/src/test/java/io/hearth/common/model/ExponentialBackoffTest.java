// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExponentialBackoffTest {

    @ParameterizedTest(name = "attempt {0}: {1} ms")
    @CsvSource({"0, 10", "1, 10", "2, 20", "3, 40", "4, 80", "5, 95", "6, 95", "1000000, 95"})
    void doublesUpToTheCap(int attempts, long delayMs) {
        assertThat(new ExponentialBackoff(10, 95).delayMs(attempts)).isEqualTo(delayMs);
    }

    @Test
    void theCapIsNotBelowTheBase() {
        assertThatThrownBy(() -> new ExponentialBackoff(10, 9))
                .hasMessage("A back-off needs 0 < base <= cap, not base 10 ms and cap 9 ms.");
    }
}
