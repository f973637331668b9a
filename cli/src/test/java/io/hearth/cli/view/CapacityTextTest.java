// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.cli.view.CapacityText.Then;
import io.hearth.doctor.capacity.CapacityForecast;
import io.hearth.doctor.capacity.CapacityForecast.Growth;
import io.hearth.doctor.capacity.CapacityForecast.WhatIf;
import io.hearth.doctor.capacity.ObservedCluster;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CapacityTextTest {

    private static final ObservedCluster CLUSTER = CapacityFixtures.cluster();

    private static List<String> lines(Optional<WhatIf> change, Optional<Growth> growth) {
        return CapacityText.lines(
                CLUSTER,
                CapacityForecast.of(CLUSTER, WhatIf.NOTHING, growth),
                change.map(what -> new Then(what, CapacityForecast.of(CLUSTER, what, growth))),
                growth);
    }

    /** 50 GB a day and three replicas are 150 GB: 10 TB last 68 days; twice that, and 16 TB more disks: 89. */
    @Test
    void figuresAreSaidBesideThoseOfWhatWouldBe() {
        assertThat(lines(
                        Optional.of(new WhatIf(2, 2, Optional.empty())),
                        Optional.of(Growth.given(50.0 * CapacityFixtures.GIGABYTE, 3))))
                .startsWith(
                        "2 RegionServers, 1.6 TB in store files, 2026-11-29 17:40 UTC.",
                        "",
                        "                                         NOW                             WITH 2 more servers, 2 x the writes",
                        "RegionServers                            2                               4",
                        "regions, all too large ones split        800                             800",
                        "regions, were small neighbours merged    161                             161",
                        "regions a server                         400, above 20 to 200            200, within 20 to 200",
                        "regions that do well on a server's heap  152                             152",
                        "memory for all memstores                 9.6 GB                          19.2 GB",
                        "a flush if all are written to alike      12.3 MB                         24.6 MB",
                        "flushed a second, since they started     1.9 MB/s                        3.9 MB/s",
                        "writes fill all memstores in             1 h 24 min                      1 h 24 min",
                        "HDFS used                                5.0 TB of 16.0 TB               5.0 TB of 32.0 TB",
                        "HDFS left                                10.0 TB                         26.0 TB",
                        "HDFS grows by                            150.0 GB a day, all replicas    300.0 GB a day, all replicas",
                        "HDFS is full                             in 68 days, 2027-02-06          in 89 days, 2027-02-26",
                        "the first DataNode is full               in 55 days, 2027-01-23 (host1)  not known",
                        "",
                        "Growth: --growth, with 3 replicas.",
                        "");
    }

    @Test
    void serversHaveARowEachAndWhatIsOddALine() {
        assertThat(lines(Optional.empty(), Optional.empty()))
                .containsSubsequence(
                        "SERVER     HEAP  REGIONS  DO WELL         MEMSTORES  FILES/STORE  MOST  FLUSHES    MEAN  QUEUE      GC  PAUSES >1s, >10s",
                        "host1   12.0 GB      700      152  4.0 GB of 4.8 GB          4.0    17   12,000  7.0 MB    300  10.0 %             30, 2",
                        "host2   12.0 GB      100      152  1.0 GB of 4.8 GB          3.0     4        -       -      -       -                 -",
                        "host1: hbase.regionserver.global.memstore.upperLimit is the name of before HBase 1.0 of"
                                + " hbase.regionserver.global.memstore.size, and HBase goes by it.",
                        "host2: Judged by the client's configuration: it has no web UI.",
                        "host2: No counters: it has no web UI.");
    }

    @Test
    void theChainIsThatOfTheServerThatHasComeTheFurthest() {
        assertThat(lines(Optional.empty(), Optional.empty()))
                .containsSequence(
                        "From many regions to blocked writes, of the server that has come the furthest, host1:",
                        "  [HERE] memstore chunks",
                        "    |   2.0 MB x 700 stores = 1.4 GB of the 4.8 GB for memstores (28 %) once each store has one cell",
                        "    v",
                        "  [HERE] regions");
    }

    @Test
    void tablesAreSaidWithTheBlocksThatFitThem() {
        assertThat(lines(Optional.empty(), Optional.empty()))
                .containsSequence(
                        "TABLE   REGIONS    SIZE           FLUSHES   CELL  GETS       HITS    BLOCK     INDEX  AT 32 KB  AT 16 KB     BLOOM  BETTER BLOCKS",
                        "tsdb        800  1.6 TB  12,000 of 7.0 MB  400 B  90 %     90.0 %  64.0 KB  200.0 MB  400.0 MB  800.0 MB  100.0 MB  16.0 KB: a get that"
                                + " misses reads 16.0 KB instead of 64.0 KB, the cache holds 4 times as many of the rows asked"
                                + " for, and the index grows from 200.0 MB to 800.0 MB",
                        "unread        0     0 B                 -      -     -  not known  64.0 KB       0 B       0 B       0 B       0 B  as now: its reads"
                                + " are not known: no RegionServer has counted a read of it",
                        "HITS: of the block caches of the servers that answer the table's reads, by their reads. HBase counts"
                                + " hits neither by table nor by family.",
                        "")
                .anySatisfy(
                        line -> assertThat(line)
                                .startsWith(
                                        "Block caches: 4.0 GB on the heap, 0 B off it or in files; 90.0 % of what was asked for"
                                                + " was there; indexes 1.0 GB, Bloom filters 1.0 MB. No larger cache on the heap: host1 spends"
                                                + " 10.0 % of its time on garbage collection and stood still for long"
                                                + " (jvm.pause.warn-threshold.ms) 2 times in 24 h, and elsewhere a cache of 93 GB was slower"));
    }

    @Test
    void withoutGrowthItSaysWhatIsMissing() {
        assertThat(lines(Optional.empty(), Optional.empty()))
                .contains(
                        "HDFS is full                             not known",
                        "When HDFS is full needs its growth: --growth 50g/day, or --earlier FILE with what"
                                + " --output json has printed some days ago.");
    }

    /** It is known well. Broken: "not known". */
    @Test
    void disksThatShrinkAreNeverFull() {
        long weekMs = 7 * 86_400_000L;
        Growth growth = Growth.between(
                CLUSTER.atMs() - weekMs, 12 * CapacityFixtures.TERABYTE, CLUSTER.atMs(), 5 * CapacityFixtures.TERABYTE);

        assertThat(lines(Optional.empty(), Optional.of(growth)))
                .contains(
                        "HDFS grows by                            -1.0 TB a day, all replicas",
                        "HDFS is full                             never, as it does not grow",
                        "the first DataNode is full               never, as it does not grow");
    }

    @Test
    void aChangeIsSaidInWords() {
        assertThat(CapacityText.words(new WhatIf(10, 2, Optional.of(20 * CapacityFixtures.GIGABYTE))))
                .isEqualTo("10 more servers, 2 x the writes, splits at 20.0 GB");
        assertThat(CapacityText.words(new WhatIf(-1, 0.25, Optional.empty())))
                .isEqualTo("1 fewer server, 0.25 x the writes");
        assertThat(CapacityText.words(new WhatIf(1, 10, Optional.empty()))).isEqualTo("1 more server, 10 x the writes");
    }
}
