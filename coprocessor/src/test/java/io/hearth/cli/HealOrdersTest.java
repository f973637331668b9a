package io.hearth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.config.MapSettings;
import io.hearth.healing.config.HealAction;
import io.hearth.healing.config.HealWindows;
import io.hearth.healing.config.HealingConfig;
import io.hearth.healing.config.HealingSettings;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HealOrdersTest {

    private static final HealingConfig SITE = HealingSettings.read(
                    "test",
                    new MapSettings(Map.of(
                            "hearth.heal.enabled", "false",
                            "hearth.heal.paused", "true",
                            "hearth.heal.windows", "never",
                            "hearth.heal.mode", "advise",
                            "hearth.heal.bandwidth", "7",
                            "hearth.heal.concurrent.moves", "3")))
            .config();

    @Test
    void aPersonsOrderGoesBeforeWhatHoldsDaemonsBack() {
        HealingConfig orders = new HealOrders(Optional.empty(), 0.9, false, false).apply(SITE);

        assertThat(orders.enabled()).isTrue();
        assertThat(orders.threshold()).isEqualTo(0.9);
        assertThat(orders.settleMs()).isZero();
        assertThat(orders.conduct().paused()).isFalse();
        assertThat(orders.conduct().windows()).isEqualTo(HealWindows.ALWAYS);
        assertThat(orders.conduct().mode()).isEqualTo(HealAction.ACT);
        assertThat(orders.bytesPerSecond()).isEqualTo(7);
        assertThat(orders.concurrentMoves()).isEqualTo(3);
    }

    @Test
    void bandwidthAndDryRun() {
        HealingConfig orders = new HealOrders(Optional.of(0L), 1, true, false).apply(SITE);

        assertThat(orders.bytesPerSecond()).isZero();
        assertThat(orders.conduct().mode()).isEqualTo(HealAction.ADVISE);
    }
}
