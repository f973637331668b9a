// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.value;

import static io.hearth.bench.value.SampleDraws.good;
import static io.hearth.bench.value.SampleDraws.layout;
import static io.hearth.bench.value.SampleDraws.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.value.LayoutResult.Balancer;
import io.hearth.bench.value.LayoutResult.BalancingResult;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ValueTableTest {

    @Test
    void aLineForEachBalancer() {
        String table = ValueTable.of(List.of(good()));

        assertThat(table.lines().toList()).hasSize(5);
        assertThat(table.lines().skip(1).map(line -> line.trim().replaceAll("  +", " | ")))
                .containsExactly(
                        "even load | 0 | 1.00 | 2,040 | 0.85 | 20.0 | 30.0 | - | - | 0",
                        "stock | 0 | 1.40 | 1,500 | 0.88 | 40.0 | 60.0 | 80.0 | 120.0 | 0",
                        "stock, tuned | 80 | 1.07 | 1,920 | 0.86 | 24.0 | 36.0 | 48.0 | 72.0 | 0",
                        "Hearth | 8 | 1.02 | 2,040 | 0.87 | 21.0 | 31.5 | 42.0 | 63.0 | 0");
    }

    @Test
    void severalDrawsAreAMedianAndARange() {
        DrawResult lower = with(good(), layout(Balancer.HEARTH, 4, 1.01, 1_980, 20));
        DrawResult upper = with(good(), layout(Balancer.HEARTH, 19, 1.03, 2_100, 25));

        assertThat(ValueTable.of(List.of(upper, good(), lower)).lines().toList().get(4))
                .contains("8 (4 to 19)", "1.02 (1.01 to 1.03)", "2,040 (1,980 to 2,100)");
    }

    @Test
    void whatABusyMachineAnsweredWhileTheBalancerRanIsLeftOut() {
        LayoutResult tuned = good().of(Balancer.STOCK_TUNED);
        DrawResult searching = with(
                good(),
                new LayoutResult(
                        Balancer.STOCK_TUNED,
                        Optional.of(new BalancingResult(40, 80, SampleDraws.latencies(48), 0.14)),
                        tuned.nominalPerSecond(),
                        tuned.maxOverMean(),
                        tuned.rates(),
                        tuned.highestPerSecond(),
                        tuned.atSixty(),
                        tuned.idle(),
                        0));

        assertThat(ValueTable.of(List.of(searching)).lines().skip(3).map(line -> line.trim()
                        .replaceAll("  +", " | ")))
                .containsExactly(
                        "stock, tuned | 80 | 1.07 | 1,920 | 0.86 | 24.0 | 36.0 | busy | busy | 0",
                        "Hearth | 8 | 1.02 | 2,040 | 0.87 | 21.0 | 31.5 | 42.0 | 63.0 | 0");
        assertThat(ValueTable.of(List.of(good(), searching, good())))
                .as("in one draw of three")
                .contains("busy");
    }

    @Test
    void whatThresholdsAreMediansOfHasALineForEachDraw() {
        DrawResult other = with(good(), layout(Balancer.HEARTH, 4, 1.01, 1_980, 20));
        DrawResult none = with(good(), layout(Balancer.STOCK_TUNED, 0, 1.4, 0, 24));

        assertThat(ValueTable.ofDraws(List.of(good(), other, none))
                        .lines()
                        .skip(1)
                        .map(line -> line.trim().replaceAll("  +", " | ")))
                .containsExactly(
                        "1.40 | 1.00 | 1.36 | 1.06 | 1.05 | 0.20",
                        "1.40 | 0.97 | 1.32 | 1.03 | 1.00 | 0.10",
                        "1.40 | 1.00 | 1.36 | - | 1.05 | -");
    }

    @Test
    void thePictureIsThatFileAndAPng(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("value");

        ValuePlot.write(List.of(good()), file);

        assertThat(ImageIO.read(file.toFile()).getWidth()).isEqualTo(760);
    }
}
