// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.StorageUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each type of setting at its bounds, where the last value that is allowed is, and the first that is not. */
class SettingTest {

    @Test
    void aWholeNumberIsAllowedAtItsBoundsAndNotBeyond() {
        Setting<Integer> small = Setting.integer("k", 5, 2, 9, "MB", "For the test.");
        assertThat(small.parse("1")).isEmpty();
        assertThat(small.parse("2")).contains(2);
        assertThat(small.parse(" 9 ")).contains(9);
        assertThat(small.parse("10")).isEmpty();
        assertThat(small.parse("2147483648")).isEmpty();
        assertThat(small.parse("3.0")).isEmpty();
        assertThat(small.allowed()).isEqualTo("a whole number from 2 to 9 MB");

        Setting<Long> large = Setting.wholeNumber("k", 5, -2, 9_000_000_000L, "", "For the test.");
        assertThat(large.parse("-3")).isEmpty();
        assertThat(large.parse("-2")).contains(-2L);
        assertThat(large.parse("9000000000")).contains(9_000_000_000L);
        assertThat(large.parse("9000000001")).isEmpty();
        assertThat(large.allowed()).isEqualTo("a whole number from -2 to 9000000000");
    }

    @Test
    void soAreTimesAndSizes() {
        Setting<Long> time = Setting.millis("k", 2_000, 1_000, 60_000, "For the test.");
        assertThat(time.parse("999")).isEmpty();
        assertThat(time.parse("1s")).contains(1_000L);
        assertThat(time.parse("1m")).contains(60_000L);
        assertThat(time.parse("60001")).isEmpty();

        Setting<Long> size = Setting.bytes("k", 2_048, 1_024, 1_048_576, "bytes", "For the test.");
        assertThat(size.parse("1023")).isEmpty();
        assertThat(size.parse("1k")).contains(1_024L);
        assertThat(size.parse("1m")).contains(1_048_576L);
        assertThat(size.parse("1048577")).isEmpty();
    }

    @Test
    void soAreDecimalsWhichAreFinite() {
        Setting<Double> ratio = Setting.decimal("k", 1, 0.25, 2, "", "For the test.");
        assertThat(ratio.parse("0.2499")).isEmpty();
        assertThat(ratio.parse("0.25")).contains(0.25);
        assertThat(ratio.parse("2")).contains(2.0);
        assertThat(ratio.parse("2.0001")).isEmpty();
        assertThat(ratio.parse("NaN")).isEmpty();
        assertThat(ratio.allowed()).isEqualTo("a number from 0.25 to 2");

        Setting<Double> endless = Setting.decimal("k", 1, -1e15, 999_999_999_999_999.0, "requests", "For the test.");
        assertThat(endless.parse("Infinity")).isEmpty();
        assertThat(endless.allowed())
                .as("a number that a person can read")
                .isEqualTo("a number from -1.0E15 to 999999999999999 requests");
    }

    @Test
    void aSwitchIsTrueOrFalse() {
        Setting<Boolean> power = Setting.bool("k", true, "For the test.");

        assertThat(power.parse("FALSE")).contains(false);
        assertThat(power.parse("True")).contains(true);
        assertThat(power.parse("yes")).isEmpty();
        assertThat(power.allowed()).isEqualTo("true or false");
        assertThat(power.defaultValue()).isTrue();
    }

    @Test
    void aChoiceNamesEveryWordAndTheLastAfterOr() {
        Setting<Mode> mode = Setting.choice("k", Mode.ACT, "For the test.");

        assertThat(mode.allowed()).isEqualTo("act, advise or off");
        assertThat(mode.parse("Advise")).contains(Mode.ADVISE);
        assertThat(mode.parse("of")).isEmpty();
        assertThat(mode.defaultValue()).isEqualTo(Mode.ACT);
    }

    @Test
    void aFormOfItsOwnHasItsOwnWords() {
        Setting<String> evenLength =
                Setting.of("k", "none", "a name of even length", "For the test.", text -> Optional.of(text)
                        .filter(name -> name.length() % 2 == 0));

        assertThat(evenLength.parse(" host ")).contains("host");
        assertThat(evenLength.parse("hosts")).isEmpty();
        assertThat(evenLength.allowed()).isEqualTo("a name of even length");
        assertThat(evenLength).hasToString("k");
    }

    @Test
    void aSizeMayBeAsLargeAsALong() {
        Setting<Long> size = Setting.bytes("k", 0, 0, Long.MAX_VALUE, "bytes", "For the test.");

        assertThat(size.parse("7e")).contains(7L << 60);
        assertThat(size.parse("1P")).contains(1L << 50);
        assertThat(size.parse("8e")).as("one more than a long holds").isEmpty();
        assertThat(size.parse(Long.toString(Long.MAX_VALUE))).contains(Long.MAX_VALUE);
        assertThat(size.parse("9223372036854775808")).isEmpty();
        assertThat(size.parse(String.format(Locale.ROOT, "%d kib", 3))).contains(3_072L);
    }

    /** Told by what it prints, as an operator writes it. */
    private enum Mode {
        ACT,
        ADVISE,
        OFF;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

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
