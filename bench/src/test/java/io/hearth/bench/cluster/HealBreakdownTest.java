// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.cluster.HealBreakdown.Observation;
import io.hearth.healer.metrics.HealLimit;
import org.junit.jupiter.api.Test;

class HealBreakdownTest {

    @Test
    void nothingWasHealed() {
        assertThat(new Observation().result()).isEqualTo(HealBreakdown.NONE);
    }

    /** Two blocks: listed after a second, copied one after the other in two seconds each, the old replicas gone after three more. */
    @Test
    void whatAQueueHeldOverWhatPassedThroughIt() {
        Observation observation = new Observation();
        observation.add(1, 2, 0, 0, HealLimit.NOTHING_WAITS);
        observation.add(2, 2, 1, 0, HealLimit.DATANODE_MOVES);
        observation.add(2, 1, 0, 1, HealLimit.NOTHING_WAITS);
        observation.add(1, 0, 0, 2, HealLimit.NOTHING_WAITS);
        observation.add(2, 0, 0, 1, HealLimit.NOTHING_WAITS);

        assertThat(observation.result()).isEqualTo(new HealBreakdown(1, 1, 2, 3, HealLimit.DATANODE_MOVES));
    }
}
