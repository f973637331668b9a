// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan.family;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** The numbers are those of CPython 3.11. */
class PythonRandomTest {

    @Test
    void drawsWhatPythonDraws() {
        PythonRandom random = new PythonRandom(7);

        assertThat(random.next()).isEqualTo(0.32383276483316237);
        assertThat(random.next()).isEqualTo(0.15084917392450192);
        assertThat(new int[] {random.below(60), random.below(60), random.below(60)})
                .containsExactly(41, 3, 4);
        assertThat(random.lognormal(1)).isCloseTo(1.8375371113490837, within(1e-12));
        assertThat(random.uniform(0.5, 1.5)).isEqualTo(1.082788005903355);
        assertThat(random.choice(1, 2, 3)).isEqualTo(3);
        int[] shuffled = {0, 1, 2, 3, 4, 5, 6, 7};
        random.shuffle(shuffled);
        assertThat(shuffled).containsExactly(1, 2, 5, 4, 7, 6, 0, 3);
    }

    @Test
    void aSeedOfMoreThan32BitsIsTwoWords() {
        assertThat(new PythonRandom((1L << 40) + 3).next()).isEqualTo(0.21978710637116716);
    }
}
