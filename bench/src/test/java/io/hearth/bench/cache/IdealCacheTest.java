// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.bench.cache.DataNodeBench.NodeSetup;
import io.hearth.bench.cache.EmulatedDisk.DiskTimes;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Blocks of 8 MiB on a disk of 8 ms and 2 ms for each MiB. */
class IdealCacheTest {

    private static final DiskTimes TIMES = new DiskTimes(8_000_000, 500L << 20);
    private static final double EXTENT_MS = 10;
    private static final int CLIENTS = 16;

    private static IdealCache cache(int blocks, long pageCacheBytes, double zipf) {
        NodeSetup setup =
                new NodeSetup(blocks, 8 << 20, 1, 1, pageCacheBytes, 0, List.of(CLIENTS), Duration.ofSeconds(1), 1);
        return new IdealCache(setup, TIMES, zipf);
    }

    @Test
    void aReadThatNobodySharesWaitsForAllOtherClients() {
        PhaseResult result = cache(100_000, 1 << 20, 0).atRandom(CLIENTS, 0, 1);
        assertThat(result.readsPerSecond()).isCloseTo(1000 / EXTENT_MS, within(0.5));
        assertThat(result.medianMs()).isCloseTo(CLIENTS * EXTENT_MS, within(0.1));
        assertThat(result.p95Ms()).isCloseTo(CLIENTS * EXTENT_MS, within(0.1));
        assertThat(result.cachedShare()).isZero();
    }

    @Test
    void withHalfOfTheReadsCachedTheOthersWaitAsLong() {
        PhaseResult result = cache(100_000, 1 << 20, 0).atRandom(CLIENTS, 50_000, 1);
        assertThat(result.readsPerSecond()).isCloseTo(2 * 1000 / EXTENT_MS, within(5.0));
        assertThat(result.cachedShare()).isCloseTo(0.5, within(0.02));
        assertThat(result.p95Ms()).isCloseTo(CLIENTS * EXTENT_MS, within(0.1));
    }

    @Test
    void readsThatShareAnExtentWaitForFewerOthers() {
        IdealCache cache = cache(256, 16 << 20, 1.1);
        PhaseResult popular = cache.atRandom(64, 0, 1);
        PhaseResult rest = cache.atRandom(64, 25, 1);
        assertThat(popular.p95Ms()).isLessThan(rest.p95Ms());
        assertThat(rest.readsPerSecond()).isGreaterThan(2 * popular.readsPerSecond());
    }

    @Test
    void theSameSeedGivesTheSame() {
        IdealCache cache = cache(256, 16 << 20, 1.1);
        assertThat(cache.atRandom(CLIENTS, 25, 7)).isEqualTo(cache.atRandom(CLIENTS, 25, 7));
    }
}
