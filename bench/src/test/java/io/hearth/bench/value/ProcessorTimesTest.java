// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ProcessorTimesTest {

    @Test
    void idleIsWhatIsNeitherWorkNorStolen() {
        ProcessorTimes before = ProcessorTimes.parse("cpu  100 10 20 1000 50 1 2 3 40 0");
        ProcessorTimes after = ProcessorTimes.parse("cpu  130 10 40 1030 60 1 2 13 70 0");

        assertThat(after.idleSince(before)).isCloseTo(0.4, within(1e-9));
        assertThat(after.idleSince(after)).as("in no time nothing was done").isEqualTo(1);
    }

    @Test
    void thisMachineSaysIt() throws Exception {
        assertThat(ProcessorTimes.read().all()).isGreaterThan(0);
    }
}
