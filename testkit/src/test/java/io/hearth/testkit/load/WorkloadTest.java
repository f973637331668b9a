// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.testkit.load.Workload.Operation;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WorkloadTest {

    @ParameterizedTest
    @EnumSource(Workload.class)
    void itsSharesSumToOneWithAndWithoutMultigets(Workload workload) {
        assertThat(sum(workload.shares(0))).isCloseTo(1, within(1e-9));
        assertThat(sum(workload.shares(0.3))).isCloseTo(1, within(1e-9));
        assertThat(workload.shares(0)).doesNotContainKey(Operation.MULTIGET);
        assertThat(workload.shares(1)).doesNotContainKey(Operation.GET);
    }

    private static double sum(Map<Operation, Double> shares) {
        return shares.values().stream().mapToDouble(Double::doubleValue).sum();
    }
}
