// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.value;

import static io.hearth.bench.value.SampleDraws.latencies;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.value.RateMeter.Measurement;
import org.junit.jupiter.api.Test;

class RateMeterTest {

    @Test
    void aTryThatHeldTheRateIsBetterThanOneThatDidNot() {
        Measurement failed = new Measurement(latencies(20), 0.4, 3);
        Measurement slow = new Measurement(latencies(60), 0.4, 0);
        Measurement held = new Measurement(latencies(40), 0.4, 0);

        assertThat(RateMeter.better(failed, held)).isEqualTo(held);
        assertThat(RateMeter.better(slow, held)).isEqualTo(held);
    }

    @Test
    void ofTwoThatDidNotHoldItTheOneWithTheLowerP99Counts() {
        Measurement slow = new Measurement(latencies(60), 0.4, 0);
        Measurement slower = new Measurement(latencies(80), 0.4, 0);
        Measurement failed = new Measurement(latencies(20), 0.4, 3);

        assertThat(RateMeter.better(slow, slower)).isEqualTo(slow);
        assertThat(RateMeter.better(slower, slow)).isEqualTo(slow);
        assertThat(RateMeter.better(slow, failed)).isEqualTo(failed);
    }
}
