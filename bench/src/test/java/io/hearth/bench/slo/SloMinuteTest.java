// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.slo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SloMinuteTest {

    @Test
    void aLineOfTheDaemonsIsReadWithWhatItDoesNotCount() {
        SloMinute minute = SloMinute.parse("17:57:38 get 59,990 of 60,000 good, p50 1.7 ms, p99 3.1 ms;"
                        + " put 60,000 of 60,000 good; registry 13 of 14 good; worst is h:1, 10 of 120 bad;"
                        + " 195 not counted since this process stood still; 236 sent over 5 ms late")
                .orElseThrow();

        assertThat(minute).isEqualTo(new SloMinute(120_000, 119_990, 236, 195));
        assertThat(minute.lateShare()).isEqualTo((236 + 195) / 120_195.0);
        assertThat(minute.plus(new SloMinute(1, 2, 3, 4))).isEqualTo(new SloMinute(120_001, 119_992, 239, 199));
    }

    @Test
    void otherLinesAreNone() {
        assertThat(SloMinute.parse("17:56:35 Probing until stopped, as root.")).isEmpty();
        assertThat(SloMinute.parse("17:56:35 registry 60 of 60 good")).isEmpty();
    }
}
