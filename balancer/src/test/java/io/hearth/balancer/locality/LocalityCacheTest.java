// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.locality;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.locality.LocalityCache.Load;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LocalityCacheTest {

    private final LocalityCache<String, Integer> cache = new LocalityCache<>(1_000);

    private Load<String> begin(long nowMs) {
        return cache.begin("r", nowMs).orElseThrow();
    }

    @Test
    void keepsAnAnswer() {
        assertThat(cache.get("r")).isEmpty();
        assertThat(cache.finish(begin(0), 7, 0)).isTrue();

        assertThat(cache.get("r")).contains(7);
        assertThat(cache.begin("r", 1)).as("fresh").isEmpty();
    }

    @Test
    void anAnswerThatWasBegunBeforeAChangeDoesNotLand() {
        Load<String> early = begin(0);
        cache.invalidate("r");
        Load<String> late = begin(1);

        assertThat(cache.finish(late, 2, 2)).isTrue();
        assertThat(cache.finish(early, 1, 3)).isFalse();
        assertThat(cache.get("r")).contains(2);
    }

    @Test
    void theOldAnswerStaysUsableUntilANewOneLands() {
        cache.finish(begin(0), 1, 0);
        cache.invalidate("r");

        assertThat(cache.get("r")).contains(1);
        cache.finish(begin(1), 2, 1);
        assertThat(cache.get("r")).contains(2);
    }

    @Test
    void oneLoadAtATime() {
        begin(0);

        assertThat(cache.begin("r", 0)).isEmpty();
    }

    @Test
    void aFailureKeepsWhatWasKnownAndBacksOff() {
        cache.finish(begin(0), 1, 0);
        cache.invalidate("r");
        cache.fail(begin(10), 10);

        assertThat(cache.get("r")).contains(1);
        assertThat(cache.begin("r", 1_009)).isEmpty();
        assertThat(cache.due(1_009, 0)).isEmpty();
        assertThat(cache.due(1_010, 0)).containsExactly("r");
        assertThat(cache.begin("r", 1_010)).isPresent();
    }

    @Test
    void whatGrewOldIsDue() {
        cache.finish(begin(0), 1, 100);

        assertThat(cache.due(200, 100)).isEmpty();
        assertThat(cache.due(200, 101)).containsExactly("r");
        assertThat(cache.get("r")).contains(1);
    }

    @Test
    void forgetsWhatIsNotRetained() {
        cache.finish(begin(0), 1, 0);
        cache.retain(Set.of());

        assertThat(cache.get("r")).isEmpty();
    }

    @Test
    void aClockThatWasSetBackDoesNotLengthenABackOffOrAnAge() {
        cache.fail(begin(1_000_000), 1_000_000);
        assertThat(cache.finish(begin(0), 7, 1_000_000)).isTrue();

        assertThat(cache.due(0, -100)).isEmpty();
        assertThat(cache.due(100, 0)).isEmpty();
        assertThat(cache.due(101, 1)).containsExactly("r");
    }
}
