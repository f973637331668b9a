// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.bench.cache.PhaseResult.TimedRead;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PhaseResultTest {

    @Test
    void readsAreSortedAndDivided() {
        // 1, 2, .. 200 ms, of which the first 50 are cached.
        List<TimedRead> reads = IntStream.rangeClosed(1, 200)
                .mapToObj(ms -> new TimedRead(ms * 1_000_000L, ms <= 50))
                .toList();
        PhaseResult result = PhaseResult.of(reads, 1_000_000, 10);

        assertThat(result.readsPerSecond()).isEqualTo(20);
        assertThat(result.medianMs()).isEqualTo(100);
        assertThat(result.p95Ms()).isEqualTo(190);
        assertThat(result.p99Ms()).isEqualTo(198);
        assertThat(result.shareAbove100Ms()).isEqualTo(0.5);
        assertThat(result.cachedShare()).isEqualTo(0.25);
        assertThat(result.cachedMbPerSecond()).isCloseTo(1_000 / 25.5, within(1e-9));
        assertThat(result.uncachedMbPerSecond()).isCloseTo(1_000 / 125.5, within(1e-9));
    }

    @Test
    void whatThereIsNothingOfIsNoNumber() {
        PhaseResult uncached = PhaseResult.of(List.of(new TimedRead(5, false)), 1_000, 1);

        assertThat(uncached.cachedMbPerSecond()).isNaN();
        assertThat(uncached.cachedShare()).isZero();
        assertThat(PhaseResult.of(List.of(), 1_000, 1).medianMs()).isNaN();
    }
}
