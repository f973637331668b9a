package io.hearth.healing.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healing.config.HealingConfig;
import io.hearth.healing.fakes.Conducts;
import io.hearth.healing.trigger.BackOff;
import org.junit.jupiter.api.Test;

class RulesTest {

    private static BackOff lookAgain(long pollMs) {
        HealingConfig config = new HealingConfig(true, 1.0, pollMs, 5_000, 8, 4, 0, 30_000, 60_000, Conducts.usual());
        return Rules.queue(config).backOff();
    }

    @Test
    void whatIsLeftIsLookedAtAgainAfterAPollAtFirst() {
        assertThat(lookAgain(10_000)).isEqualTo(new BackOff(10_000, 3_600_000));
        assertThat(lookAgain(1_000)).isEqualTo(new BackOff(1_000, 3_600_000));
    }

    @Test
    void aRarePollDoesNotMakeItRarer() {
        assertThat(lookAgain(600_000)).isEqualTo(new BackOff(10_000, 3_600_000));
    }
}
