// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HumanFormatTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1048576, 1048576",
        "50MB, 52428800",
        "50mb, 52428800",
        "50 MiB, 52428800",
        "50M, 52428800",
        "50MB/s, 52428800",
        "1.5g, 1610612736",
        "512b, 512",
        "2k, 2048",
        "1t, 1099511627776"
    })
    void sizesAreRead(String text, long bytes) {
        assertThat(HumanFormat.parse(text)).contains(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "fast", "-1", "5 parsecs", "1e9", "MB", "999999999999TB", "5MBit"})
    void whatIsNoSizeIsNone(String text) {
        assertThat(HumanFormat.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0 B",
        "1023, 1023 B",
        "1024, 1.0 KB",
        "52428800, 50.0 MB",
        "1610612736, 1.5 GB",
        "1125899906842624, 1.0 PB"
    })
    void sizesAreWritten(long bytes, String text) {
        assertThat(HumanFormat.bytes(bytes)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0, 0 s", "119, 119 s", "120, 2 min", "3569, 59 min", "3599, 1 h", "12000, 3 h 20 min", "86400, 24 h"})
    void timesAreWritten(long seconds, String text) {
        assertThat(HumanFormat.time(seconds)).isEqualTo(text);
    }

    @Test
    void aShareIsNeverRoundedUpToOne() {
        assertThat(HumanFormat.share(0.99999)).isEqualTo("0.9999");
        assertThat(HumanFormat.share(1)).isEqualTo("1.0000");
    }

    @ParameterizedTest
    @CsvSource({"0.01234, 0.0123", "-0.05, -0.0500", "0.1, 0.10", "12.345, 12.35"})
    void aSmallNumberHasMoreDigits(double value, String text) {
        assertThat(HumanFormat.decimal(value)).isEqualTo(text);
    }
}
