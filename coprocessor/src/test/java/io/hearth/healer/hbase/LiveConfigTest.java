// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.config.ConfigProblem;
import io.hearth.healer.fakes.CountedMetrics;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class LiveConfigTest {

    private static final long LOOK_MS = 10_000;
    private static final long DAY_MS = 86_400_000;
    private static final ConfigProblem ONE = new ConfigProblem("table t", "HEARTH_HEAL", "no mode");

    private final CountedMetrics metrics = new CountedMetrics();
    private long nowMs;
    private final LiveConfig config =
            new LiveConfig(new Configuration(false), UnaryOperator.identity(), metrics, () -> nowMs);

    @Test
    void aProblemThatEachPollFindsIsSaidOnce() {
        for (; nowMs < 3 * DAY_MS; nowMs += LOOK_MS) {
            config.report(ONE);
        }

        assertThat(metrics.get(HealingCounter.CONFIG_PROBLEMS)).isEqualTo(1);
    }

    /** As of tables that were dropped: with a table an hour there would be thousands in a year. */
    @Test
    void aProblemThatNobodyFindsForADayIsForgotten() {
        config.report(ONE);
        nowMs = DAY_MS;
        config.report(ONE);
        assertThat(metrics.get(HealingCounter.CONFIG_PROBLEMS)).isEqualTo(1);

        nowMs = 2 * DAY_MS + 1;
        config.report(ONE);
        assertThat(metrics.get(HealingCounter.CONFIG_PROBLEMS)).isEqualTo(2);
    }
}
