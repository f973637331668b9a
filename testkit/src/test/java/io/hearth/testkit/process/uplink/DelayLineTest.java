// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process.uplink;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.testkit.process.uplink.UplinkRelay.DelayLine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DelayLineTest {

    private static final long DELAY = TimeUnit.MILLISECONDS.toNanos(5);

    @Test
    void framesComeOutInOrderAndNoneTooEarly() throws InterruptedException {
        DelayLine<String> line = new DelayLine<>(DELAY, 10);
        long start = System.nanoTime();
        line.put("first", start);
        line.put("second", start + DELAY);
        List<String> out = new ArrayList<>();

        line.take(out::add);
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(DELAY);
        line.take(out::add);
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(2 * DELAY);

        assertThat(out).containsExactly("first", "second");
    }

    @Test
    void whatDoesNotFitIsLost() {
        DelayLine<String> line = new DelayLine<>(DELAY, 1);

        assertThat(line.put("first", 0)).isTrue();
        assertThat(line.put("second", 0)).isFalse();
    }
}
