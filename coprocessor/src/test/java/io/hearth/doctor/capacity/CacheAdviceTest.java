// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.doctor.capacity.ServerMemory.CacheCounters;
import io.hearth.doctor.capacity.ServerMemory.Counters;
import io.hearth.doctor.capacity.ServerMemory.EffectiveConfig;
import io.hearth.doctor.capacity.ServerMemory.GcCounters;
import io.hearth.doctor.capacity.ServerMemory.StoreLoad;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProcessConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CacheAdviceTest {

    private static final long GIGABYTE = 1L << 30;
    private static final long DAY_MS = 86_400_000;

    private static ServerMemory server(String host, ProbeResult<GcCounters> gc, ProbeResult<CacheCounters> cache) {
        ProcessConfig settings = new ProcessConfig(Map.of());
        return new ServerMemory(
                host,
                new EffectiveConfig(settings, Optional.empty()),
                MemstoreSizing.of(100 * GIGABYTE, 100, 100, settings),
                new StoreLoad(300, 4, GIGABYTE, DAY_MS),
                new Counters(ProbeResult.unknown(""), gc, cache));
    }

    private static ServerMemory server(String host, long gcMs, long warnPauses, long hits, long misses) {
        return server(
                host,
                ProbeResult.known(new GcCounters(1_000, gcMs, warnPauses, 0)),
                ProbeResult.known(new CacheCounters(61 * GIGABYTE, GIGABYTE, hits, misses, GIGABYTE, 7)));
    }

    private static CacheAdvice of(ServerMemory... servers) {
        return CacheAdvice.of(List.of(servers)).orElseThrow();
    }

    @Test
    void theCachesOfAllServersAreAddedUp() {
        CacheAdvice advice = of(server("host1", 0, 0, 990, 10), server("host2", 0, 0, 980, 20));

        assertThat(advice.heapBytes()).isEqualTo(122 * GIGABYTE);
        assertThat(advice.bytes()).isEqualTo(124 * GIGABYTE);
        assertThat(advice.hitShare()).hasValue(0.985);
        assertThat(advice.advice()).isEqualTo("It has what is asked for.");
    }

    @Test
    void whereGarbageCollectionShowsNoLargerCacheOnTheHeapIsAdvised() {
        CacheAdvice advice = of(server("host1", DAY_MS / 10, 0, 40, 60), server("host2", DAY_MS / 20, 3, 40, 60));

        assertThat(advice.advice())
                .isEqualTo("No larger cache on the heap: host2 spends 5.0 % of its time on garbage collection and stood"
                        + " still for long (jvm.pause.warn-threshold.ms) 3 times in 24 h, and elsewhere a cache of 93 GB was"
                        + " slower than one of 61: 20 ms against 14 at the 99th percentile. Smaller blocks where they are"
                        + " advised, then a bucket cache off the heap (hbase.bucketcache.ioengine offheap,"
                        + " hbase.bucketcache.size) and a smaller hfile.block.cache.size.");
    }

    @Test
    void missesAloneAreNoReasonForALargerHeapEither() {
        assertThat(of(server("host1", 0, 0, 40, 60)).advice())
                .startsWith("For more hits: smaller blocks where they are advised, then a bucket cache off the heap")
                .contains("Not a larger one on the heap");
    }

    @Test
    void whatNobodyTellsIsUnknown() {
        ServerMemory silent = server("host1", ProbeResult.unknown("no web UI"), ProbeResult.unknown("no web UI"));

        assertThat(CacheAdvice.of(List.of(silent))).isEmpty();
        assertThat(of(server("host1", 0, 0, 0, 0)).hitShare()).isEmpty();
    }
}
