// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.value;

import static io.hearth.bench.value.SampleDraws.good;
import static io.hearth.bench.value.SampleDraws.layout;
import static io.hearth.bench.value.SampleDraws.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.cluster.VariantRun.Variant;
import io.hearth.bench.value.LayoutResult.Balancer;
import java.util.List;
import org.junit.jupiter.api.Test;

class ValueThresholdsTest {

    @Test
    void aGoodRunHasNoneThatDoesNotHold() {
        assertThat(ValueThresholds.of(List.of(good())).violations()).isEmpty();
    }

    @Test
    void eachThatDoesNotHoldIsOneSentenceWithTheNumber() {
        DrawResult bad = with(good(), layout(Balancer.HEARTH, 40, 1.3, 1_560, 30));

        assertThat(ValueThresholds.of(List.of(bad)).violations())
                .containsExactly(
                        "Hearth's highest rate is 0.76 of an even load's rate, below 0.95",
                        "Hearth's highest rate is 1.04 of stock's rate, below 1.20",
                        "Hearth's highest rate is 0.81 of tuned stock's rate, below 1.00",
                        "p99 at 60 % is 1.50 times an even load's, above 1.15",
                        "Hearth moved 1.00 times the regions of tuned stock's first plan, above 0.33");
    }

    @Test
    void theMedianOfThreeDrawsCounts() {
        DrawResult bad = with(good(), layout(Balancer.HEARTH, 8, 1.3, 1_560, 21));

        assertThat(ValueThresholds.of(List.of(bad, good(), good())).violations())
                .isEmpty();
        assertThat(ValueThresholds.of(List.of(bad, good(), bad)).violations()).hasSize(3);
    }

    @Test
    void aFailedRequestIsSaidInWhicheverDraw() {
        LayoutResult hearth = good().of(Balancer.HEARTH);
        DrawResult failed = with(
                good(),
                new LayoutResult(
                        Balancer.HEARTH,
                        hearth.balancing(),
                        hearth.nominalPerSecond(),
                        hearth.maxOverMean(),
                        hearth.rates(),
                        hearth.highestPerSecond(),
                        hearth.atSixty(),
                        hearth.idle(),
                        2));

        assertThat(ValueThresholds.of(List.of(good(), good(), failed)).violations())
                .containsExactly("Hearth: 2 requests failed");
    }

    @Test
    void healingHasToGiveBackWhatWasHeld() {
        LinkResult compacted = new LinkResult(Variant.COMPACTION, 600, 180, 480, 40, 110, 90, 0.4, 2);
        LinkResult healed = new LinkResult(Variant.HEARTH, 600, 180, 564, 12, 110, 40, 0.4, 0);

        assertThat(ValueThresholds.ofLocality(List.of(compacted, healed)).violations())
                .containsExactly(
                        "stock + major compaction: 2 requests failed",
                        "healed, the highest rate is 0.94 of the one before, below 0.95");
        assertThat(ValueTable.ofLocality(List.of(healed))
                        .lines()
                        .toList()
                        .get(1)
                        .trim()
                        .replaceAll("  +", " | "))
                .isEqualTo("Hearth | 600 | 180 | 564 | 12.0 s | 40 ms at 110/s | 0");
    }

    @Test
    void dataThatNeverBecomesLocalIsSaid() {
        LinkResult never = new LinkResult(Variant.HEARTH, 600, 180, 600, Double.POSITIVE_INFINITY, 180, 40, 0.4, 0);

        assertThat(ValueThresholds.ofLocality(List.of(never)).violations())
                .containsExactly("Hearth: not all was local again within 180 s");
        assertThat(ValueTable.ofLocality(List.of(never))).contains("  never  ").doesNotContain("Infinity");
    }

    @Test
    void theSearchByLinksEndsAboveWhatTheServersCanAnswer() {
        assertThat(LinkRun.NOMINAL_PER_SECOND).isEqualTo(800);
        assertThat(LinkRun.HIGHEST_MEASURED).isGreaterThan(LinkRun.NOMINAL_PER_SECOND);
    }

    @Test
    void aRateThatIsTheEndOfTheSearchSaysNothing() {
        LinkResult highest = new LinkResult(Variant.HEARTH, 2_910, 300, 2_910, 12, 180, 40, 0.4, 0);
        LinkResult none = new LinkResult(Variant.HEARTH, 0, 0, 1_000, 12, 180, 40, 0.4, 0);

        assertThat(ValueThresholds.ofLocality(List.of(highest, none)).violations())
                .containsExactly(
                        "Hearth: while all was local any rate up to 2,910 was held: what it fell by is not known",
                        "Hearth: no rate was held while all was local");
    }
}
