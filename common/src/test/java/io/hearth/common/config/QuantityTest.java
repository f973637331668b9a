// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.StorageUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {

    private static final Setting<Long> SIZE =
            Setting.bytes("hearth.size", 7, 0, 1L << 60, "bytes per second", "For the test.");
    private static final Setting<Long> TIME = Setting.millis("hearth.time", 7, 0, 86_400_000, "For the test.");

    @ParameterizedTest
    @CsvSource({
        "1MB, 1048576",
        "64m, 67108864",
        "1g, 1073741824",
        "1.5GB, 1610612736",
        "1.5 gb, 1610612736",
        "2K, 2048",
        "3GiB, 3221225472",
        "12b, 12",
        "268435456, 268435456",
        "0, 0"
    })
    void aSizeIsReadAsHBaseAndHadoopReadIt(String text, long bytes) {
        assertThat(SIZE.parse(text)).contains(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"64m", "1g", "2K", "3t", "100"})
    void whatHadoopsLongBytesReadIsTheSameHere(String text) {
        Configuration hadoop = new Configuration(false);
        hadoop.set("size", text);

        assertThat(SIZE.parse(text)).contains(hadoop.getLongBytes("size", -1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1MB", "64mb", "1.5GB", "100B"})
    void whatHadoopsStorageSizeReadsIsTheSameHere(String text) {
        Configuration hadoop = new Configuration(false);
        hadoop.set("size", text);

        assertThat(SIZE.parse(text)).contains((long) hadoop.getStorageSize("size", "-1B", StorageUnit.BYTES));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"1.5", "-1MB", "1MBit", "1 2", "MB", "1MM", "9999999999g", "2e", "1e6", "fast", "1,5GB", ""})
    void whatIsNoSizeOrTooLargeIsRefused(String text) {
        assertThat(SIZE.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"30s, 30000", "10m, 600000", "2h, 7200000", "1d, 86400000", "250ms, 250", "1.5s, 1500", "5000, 5000"})
    void aTimeIsReadAsHadoopReadsIt(String text, long millis) {
        assertThat(TIME.parse(text)).contains(millis);
    }

    @ParameterizedTest
    @ValueSource(strings = {"30 minutes", "5min", "1w", "2d", "-1s", "1.5", "1ns"})
    void whatIsNoTimeOrTooLongIsRefused(String text) {
        assertThat(TIME.parse(text)).isEmpty();
    }

    @Test
    void whatIsAllowedSaysSo() {
        assertThat(SIZE.allowed())
                .isEqualTo(
                        "a size from 0 to 1152921504606846976 bytes per second (a number, or one like 64m or 1.5GB)");
        assertThat(TIME.allowed()).isEqualTo("a time from 0 to 86400000 ms (a number, or one like 30s or 10m)");
    }
}
