// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.availability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class SlaAvailabilityTest {

    /** Every pipeline of every cluster of up to twelve DataNodes, of which the first k are faulty. */
    @Test
    void itIsTheShareOfAllPipelines() {
        for (int n = 1; n <= 12; n++) {
            for (int k = 0; k <= n; k++) {
                for (int r = 1; r <= n; r++) {
                    int[] pipelinesByFaulty = new int[r + 1];
                    int pipelines = 0;
                    for (int members = 0; members < 1 << n; members++) {
                        if (Integer.bitCount(members) == r) {
                            pipelinesByFaulty[Integer.bitCount(members & (1 << k) - 1)]++;
                            pipelines++;
                        }
                    }
                    SlaAvailability sla = new SlaAvailability(n, k, r, OptionalDouble.of(1));
                    double sum = 0;
                    for (int faulty = 0; faulty <= r; faulty++) {
                        assertThat(sla.pipelinesWith(faulty))
                                .as("n=%d k=%d r=%d faulty=%d", n, k, r, faulty)
                                .isCloseTo((double) pipelinesByFaulty[faulty] / pipelines, within(1e-14));
                        sum += faulty == 0 ? 0 : sla.pipelinesWith(faulty);
                    }
                    assertThat(sla.write())
                            .as("n=%d k=%d r=%d", n, k, r)
                            .isCloseTo(1 - sum, within(1e-14))
                            .isCloseTo((double) pipelinesByFaulty[0] / pipelines, within(1e-14));
                    assertThat(sla.read()).isCloseTo(1 - (double) k / n, within(1e-15));
                }
            }
        }
    }

    @Test
    void itIsExactForThousandsOfDataNodes() {
        for (int k : new int[] {0, 1, 7, 350, 3_500, 6_990, 6_997, 6_998, 7_000}) {
            for (int r : new int[] {1, 2, 3, 9, 500}) {
                SlaAvailability sla = new SlaAvailability(7_000, k, r, OptionalDouble.empty());
                double exact = new BigDecimal(choose(7_000 - k, r))
                        .divide(new BigDecimal(choose(7_000, r)), MathContext.DECIMAL128)
                        .doubleValue();
                assertThat(sla.write()).as("k=%d r=%d", k, r).isCloseTo(exact, within(exact * 1e-12));
            }
        }
    }

    private static BigInteger choose(int n, int r) {
        if (r > n) {
            return BigInteger.ZERO;
        }
        BigInteger product = BigInteger.ONE;
        for (int drawn = 0; drawn < r; drawn++) {
            product = product.multiply(BigInteger.valueOf(n - drawn)).divide(BigInteger.valueOf(drawn + 1));
        }
        return product;
    }

    @Test
    void theWorkedExample() {
        SlaAvailability sla = new SlaAvailability(100, 2, 3, OptionalDouble.of(0.9995));

        assertThat(sla.write()).isCloseTo(98.0 / 100 * 97 / 99 * 96 / 98, within(1e-15));
        assertThat(sla.write()).isCloseTo(0.9406, within(5e-5));
        assertThat(sla.read()).isEqualTo(0.98);
        assertThat(sla.total()).hasValue(sla.write());
    }

    @Test
    void theTotalIsTheLeastAndUnknownWithoutTheNameNodes() {
        assertThat(new SlaAvailability(100, 2, 3, OptionalDouble.of(0.5)).total())
                .hasValue(0.5);
        assertThat(new SlaAvailability(100, 2, 1, OptionalDouble.of(1)).total()).hasValue(0.98);
        assertThat(new SlaAvailability(100, 2, 3, OptionalDouble.empty()).total())
                .isEmpty();
    }

    @Test
    void noPipelineIsLeftWithTooFewDataNodes() {
        assertThat(new SlaAvailability(5, 3, 3, OptionalDouble.of(1)).write()).isZero();
        assertThat(new SlaAvailability(2, 0, 3, OptionalDouble.of(1)).write()).isZero();
    }

    @Test
    void impossibleNumbersAreRefused() {
        assertThatThrownBy(() -> new SlaAvailability(3, 4, 3, OptionalDouble.of(1)))
                .hasMessage("4 of 3 DataNodes faulty, replication 3");
        assertThatThrownBy(() -> new SlaAvailability(0, 0, 3, OptionalDouble.of(1)))
                .hasMessage("0 of 0 DataNodes faulty, replication 3");
        assertThatThrownBy(() -> new SlaAvailability(3, 0, 0, OptionalDouble.of(1)))
                .hasMessage("0 of 3 DataNodes faulty, replication 0");
    }
}
