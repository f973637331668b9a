// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.cluster.LinearityResult.SizedHeal;
import java.util.List;
import java.util.OptionalDouble;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class LinearityResultTest {

    private static SizedHeal heal(int dataNodes, double megabytesPerSecond) {
        return new SizedHeal(dataNodes, 10_000_000, 10 / megabytesPerSecond, 20, OptionalDouble.of(16));
    }

    @Test
    void theMedianOfEachSizeCounts() {
        LinearityResult result =
                new LinearityResult(List.of(heal(3, 6), heal(6, 1), heal(3, 5), heal(6, 12), heal(3, 9), heal(6, 13)));

        assertThat(result.bytesPerSecondByDataNodes().get(3)).isCloseTo(6e6, Offset.offset(1.0));
        assertThat(result.leastOfLinear().getAsDouble()).isCloseTo(1, Offset.offset(1e-9));
        assertThat(result.medianOfEstimate()).hasValue(1.25);
    }

    @Test
    void eachSizeIsHeldToAllSmallerOnes() {
        // Twelve are 1.2 times linear to three, and 0.8 times to six.
        LinearityResult result = new LinearityResult(List.of(heal(3, 3), heal(6, 9), heal(12, 14.4)));

        assertThat(result.leastOfLinear().getAsDouble()).isCloseTo(0.8, Offset.offset(1e-9));
    }

    @Test
    void eachHostGetsAsManyRegionsAsItGives() {
        for (int size : LinearityRun.SIZES) {
            int[] received = new int[size];
            for (int host = 0; host < size; host++) {
                for (int region = 0; region < 3; region++) {
                    int target = LinearityRun.target(host, region, size);
                    assertThat(target).isNotEqualTo(host);
                    received[target]++;
                }
            }
            assertThat(received).containsOnly(3);
        }
    }

    @Test
    void oneSizeIsLinearToNothing() {
        assertThat(new LinearityResult(List.of(heal(3, 3))).leastOfLinear()).isEmpty();
    }

    @Test
    void whatIsNeverLocalIsNotFast() {
        SizedHeal never =
                new SizedHeal(6, 1, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, OptionalDouble.empty());

        assertThat(new LinearityResult(List.of(heal(3, 3), never)).leastOfLinear())
                .hasValue(0);
    }
}
