// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.healer.config.HealingSettings;
import io.hearth.healer.config.HealingSettings.HealingConfig;
import io.hearth.healer.fakes.ChurningCluster;
import io.hearth.healer.fakes.CountedMetrics;
import io.hearth.healer.queue.HealQueue;
import io.hearth.healer.queue.PollHints;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AssignmentPollerTest {

    private final HealingConfig config = HealingSettings.read(
                    "test", new MapSettings(Map.of("hearth.heal.poll.ms", "10s")))
            .config();
    private final PollHints hints = new PollHints(() -> {});
    private int stretch = 1;
    private final AssignmentPoller poller = new AssignmentPoller(
            new ChurningCluster(new Random(1)), hints, new HealQueue(), new CountedMetrics(), () -> stretch);

    private boolean polls(long nowMs) {
        return poller.doWork(config, nowMs).isPresent();
    }

    @Test
    void itPollsWhenThePeriodHasPassedAndAtAHintOnceASecondAtMost() {
        assertThat(polls(0)).isTrue();
        assertThat(polls(9_999)).isFalse();
        assertThat(polls(10_000)).isTrue();
        hints.leave();
        assertThat(polls(10_999)).isFalse();
        assertThat(polls(11_000)).isTrue();
    }

    @Test
    void bothTimesAreLongerWhereTheMasterIsSpared() {
        stretch = 2;
        assertThat(polls(0)).isTrue();
        assertThat(polls(19_999)).isFalse();
        assertThat(polls(20_000)).isTrue();
        hints.leave();
        assertThat(polls(21_999)).isFalse();
        assertThat(polls(22_000)).isTrue();
    }

    /** Broken (each 160 s): blocks are moved for minutes to servers that regions have left. */
    @Test
    void itPollsAsOftenAsARegionHasToBeStable() {
        stretch = 16;
        assertThat(config.regionStableMs()).isEqualTo(30_000);
        assertThat(polls(0)).isTrue();
        assertThat(polls(29_999)).isFalse();
        assertThat(polls(30_000)).isTrue();
        hints.leave();
        assertThat(polls(45_999)).isFalse();
        assertThat(polls(46_000)).isTrue();
    }

    @Test
    void whereRegionsAreStableAtOnceItPollsAsOftenAsSet() {
        stretch = 16;
        HealingConfig atOnce = HealingSettings.read(
                        "test", new MapSettings(Map.of("hearth.heal.region.stable.ms", "1s")))
                .config();
        assertThat(poller.doWork(atOnce, 0)).isPresent();
        assertThat(poller.doWork(atOnce, 9_999)).isEmpty();
        assertThat(poller.doWork(atOnce, 10_000)).isPresent();
    }

    @Test
    void aFirstPollAndOneAfterAPauseWaitForNothing() {
        stretch = 16;
        assertThat(polls(0)).isTrue();
        poller.forgetLastPoll();
        assertThat(polls(1)).isTrue();
    }
}
