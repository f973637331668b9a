// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.locality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.balancer.locality.RefreshQueue.Urgency;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RefreshQueueTest {

    private final RefreshQueue<String> queue = new RefreshQueue<>(10);

    private List<String> takeAll(long nowMs) {
        List<String> taken = new ArrayList<>();
        for (Optional<String> key = queue.take(nowMs); key.isPresent(); key = queue.take(nowMs)) {
            taken.add(key.get());
        }
        return taken;
    }

    @Test
    void theMostUrgentGoesFirstAndEachOnlyOnce() {
        queue.offer("old", Urgency.OLD);
        queue.offer("missing", Urgency.MISSING);
        queue.offer("changed", Urgency.CHANGED);
        queue.offer("old", Urgency.CHANGED);
        queue.offer("old", Urgency.OLD);
        queue.offer("missing", Urgency.MISSING);

        assertThat(queue.size()).isEqualTo(3);
        assertThat(takeAll(0)).containsExactly("changed", "old", "missing");
        assertThat(queue.size()).isZero();
    }

    @Test
    void itIsBoundedByItsKeysAndTakesItsTime() {
        RefreshQueue<Integer> full = new RefreshQueue<>(100);
        for (int turn = 0; turn < 5; turn++) {
            for (int region = 0; region < 10_000; region++) {
                full.offer(region, Urgency.OLD);
            }
        }
        assertThat(full.size()).isEqualTo(10_000);

        long nowMs = 0;
        while (full.size() > 0) {
            full.take(nowMs);
            nowMs += full.waitMs(nowMs);
        }
        // 100 a second, and the keys of one second were saved up.
        assertThat(nowMs).isBetween(98_000L, 100_000L);
    }

    @Test
    void anIdleQueueSavesUpOneSecond() {
        for (int key = 0; key < 100; key++) {
            queue.offer("k" + key, Urgency.OLD);
        }
        assertThat(takeAll(0)).hasSizeBetween(10, 11);
        assertThat(takeAll(3_600_000)).hasSizeBetween(10, 11);
        assertThat(takeAll(3_600_099)).hasSizeBetween(0, 1);
        assertThat(queue.waitMs(3_600_099)).isBetween(1L, 100L);
    }

    @Test
    void aClockThatGoesBackAndASlowerSettingOfBeforeCostOneKeyAtMost() {
        queue.offer("a", Urgency.OLD);
        queue.offer("b", Urgency.OLD);
        queue.take(3_600_000);
        assertThat(queue.waitMs(0)).isLessThanOrEqualTo(100);

        RefreshQueue<String> slow = new RefreshQueue<>(0.1);
        slow.offer("a", Urgency.OLD);
        slow.take(0);
        slow.setKeysPerSecond(10);
        assertThat(slow.waitMs(0)).isLessThanOrEqualTo(100);
    }

    @Test
    void aSpeedOfNothingIsRefused() {
        assertThatThrownBy(() -> new RefreshQueue<>(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The NameNode can't be asked about 0.0 regions a second: it must be above 0.");
    }
}
