// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.cli.ProgressPrinter.RollingRate;
import io.hearth.healer.model.SkipReason;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ProgressPrinterTest {

    private static final long MB = 1 << 20;
    private static final HealStats START = stats(0, 500 * MB);
    private static final HealStats HALF = stats(250 * MB, 750 * MB);
    private static final HealStats END = stats(500 * MB, 1_000 * MB);

    private final StringWriter text = new StringWriter();

    @Test
    void plainLinesComeEveryTenSeconds() {
        ProgressPrinter printer = printer(ProgressPrinter.Style.PLAIN);
        printer.show(START, 0);
        printer.show(START, 9_999);
        printer.show(HALF, 10_000);
        printer.end(END, 20_000);

        assertThat(text.toString().lines())
                .containsExactly(
                        "0 B healed, 500.0 MB to go, 0 B/s, locality 0.5000 -> 0.5000, remote regions 2 of 4",
                        "250.0 MB healed, 250.0 MB to go, 25.0 MB/s, 10 s left, locality 0.5000 -> 0.7500, remote regions 2 of 4",
                        "500.0 MB healed, 0 B to go, 25.0 MB/s, locality 0.5000 -> 1.0000, remote regions 2 of 4");
    }

    @Test
    void aDryRunTellsWhatWouldBeMoved() {
        HealStats planned = new HealStats(
                4, 0, 0, 2, 0, 500 * MB, 1_000 * MB, 0.5, 0, 20 * MB, 3, true, 0, 0, OptionalLong.empty(), Map.of());
        ProgressPrinter printer = printer(ProgressPrinter.Style.DRY_RUN);
        printer.show(planned, 0);

        assertThat(text.toString().lines())
                .containsExactly(
                        "500.0 MB remote, 3 moves of 20.0 MB planned so far, locality 0.5000, remote regions 2 of 4");
    }

    @Test
    void ofNoRegionThereIsNothingToShow() {
        HealStats nothing = new HealStats(0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, true, 0, 0, OptionalLong.empty(), Map.of());
        ProgressPrinter printer = printer(ProgressPrinter.Style.PLAIN);
        printer.show(nothing, 0);
        printer.end(nothing, 1);

        assertThat(text.toString()).isEmpty();
    }

    @Test
    void aTerminalHasOneLineThatIsWrittenOver() {
        ProgressPrinter printer = printer(ProgressPrinter.Style.TERMINAL);
        printer.say("Healing the cluster as me.");
        printer.show(START, 0);
        printer.show(HALF, 1_000);

        assertThat(text.toString().split("\r\u001b\\[K"))
                .containsExactly(
                        "",
                        "Healing the cluster as me.\n",
                        "0 B healed, 500.0 MB to go, 0 B/s, locality 0.5000 -> 0.5000, remote regions 2 of 4",
                        "250.0 MB healed, 250.0 MB to go, 250.0 MB/s, 1 s left, locality 0.5000 -> 0.7500, remote regions 2 of 4");
    }

    @Test
    void noRateIsKnownBeforeTwoSamples() {
        RollingRate rate = new RollingRate();
        assertThat(rate.bytesPerSecond()).isZero();
        rate.add(500, 0);
        assertThat(rate.bytesPerSecond()).isZero();
        assertThat(rate.secondsFor(1)).isEmpty();
    }

    @Test
    void theRateIsThatOfTheLastMinute() {
        RollingRate rate = new RollingRate();
        for (long second = 0; second <= 300; second++) {
            long bytes = second <= 200 ? second * 100 : 20_000 + (second - 200) * 10;
            rate.add(bytes, second * 1_000);
        }
        assertThat(rate.bytesPerSecond()).isEqualTo(10);
        assertThat(rate.secondsFor(95)).hasValue(10);
        assertThat(rate.secondsFor(0)).hasValue(0);
    }

    private ProgressPrinter printer(ProgressPrinter.Style style) {
        return new ProgressPrinter(new PrintWriter(text), style, 1.0);
    }

    private static HealStats stats(long healedBytes, long localBytes) {
        return new HealStats(
                4,
                0,
                0,
                2,
                0,
                localBytes,
                1_000 * MB,
                0.5,
                healedBytes,
                0,
                0,
                true,
                3,
                1,
                OptionalLong.empty(),
                Map.of(SkipReason.IN_FLIGHT, 2L));
    }
}
