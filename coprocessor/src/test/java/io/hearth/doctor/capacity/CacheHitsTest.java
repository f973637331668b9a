// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.doctor.capacity.CacheHits.ServerReads;
import io.hearth.doctor.capacity.ServerMemory.CacheCounters;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import java.util.List;
import org.junit.jupiter.api.Test;

class CacheHitsTest {

    private static ServerReads server(long reads, long hits, long misses) {
        return new ServerReads(reads, ProbeResult.known(new CacheCounters(0, 0, hits, misses, 0, 0)));
    }

    private static ServerReads silent(long reads) {
        return new ServerReads(reads, ProbeResult.unknown("it has no web UI"));
    }

    /** 900 reads where 90 % are hits and 100 where half are: 86 %, however many blocks each server was asked for. */
    @Test
    void eachServerCountsByItsShareOfTheReads() {
        assertThat(CacheHits.share(List.of(server(900, 9, 1), server(100, 5_000, 5_000), server(0, 0, 1_000)))
                        .ifKnown()
                        .orElseThrow())
                .isCloseTo(0.86, within(1e-9));
    }

    @Test
    void whoDoesNotTellIsLeftOut() {
        assertThat(CacheHits.share(List.of(server(10, 3, 1), silent(1_000), server(1_000, 0, 0))))
                .isEqualTo(ProbeResult.known(0.75));
    }

    @Test
    void withoutReadsOrCountersItIsNotKnown() {
        assertThat(CacheHits.share(List.of()))
                .isEqualTo(ProbeResult.unknown("no RegionServer has counted a read of it"));
        assertThat(CacheHits.share(List.of(server(0, 3, 1))))
                .isEqualTo(ProbeResult.unknown("no RegionServer has counted a read of it"));
        assertThat(CacheHits.share(List.of(silent(1_000), server(5, 0, 0))))
                .isEqualTo(ProbeResult.unknown("no RegionServer that answers its reads tells of its block caches"));
    }
}
