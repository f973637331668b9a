// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.hearth.doctor.capacity.CapacityForecast.Disk;
import io.hearth.doctor.capacity.CapacityForecast.Figures;
import io.hearth.doctor.capacity.CapacityForecast.Growth;
import io.hearth.doctor.capacity.CapacityForecast.WhatIf;
import io.hearth.doctor.capacity.ObservedCluster.HdfsSpace;
import io.hearth.doctor.capacity.ObservedCluster.NodeSpace;
import io.hearth.doctor.capacity.ServerMemory.Counters;
import io.hearth.doctor.capacity.ServerMemory.EffectiveConfig;
import io.hearth.doctor.capacity.ServerMemory.FlushCounters;
import io.hearth.doctor.capacity.ServerMemory.StoreLoad;
import io.hearth.doctor.capacity.TableStore.Access;
import io.hearth.doctor.capacity.TableStore.Files;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProcessConfig;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The cluster of an operator's report: 4 servers of 12 GB with 700 regions each, reckoned by hand. */
class CapacityForecastTest {

    private static final long MEGABYTE = 1L << 20;
    private static final long GIGABYTE = 1L << 30;
    private static final long TERABYTE = 1L << 40;
    private static final long DAY_MS = 86_400_000;
    private static final long NOW_MS = 100 * DAY_MS;

    private static final ProbeResult<FlushCounters> NOT_READ = ProbeResult.unknown("it has no web UI");

    /** 86,400 MB in a day: 1 MB a second. */
    private static final ProbeResult<FlushCounters> ONE_MEGABYTE_A_SECOND = ProbeResult.known(
            new FlushCounters(12_000, 86_400 * MEGABYTE, 50_000 * MEGABYTE, 300_000 * MEGABYTE, 0, 0, 0, 0));

    private static ServerMemory server(String host, ProbeResult<FlushCounters> flushes) {
        ProcessConfig settings = new ProcessConfig(Map.of());
        return new ServerMemory(
                host,
                new EffectiveConfig(settings, Optional.empty()),
                MemstoreSizing.of(12 * GIGABYTE, 700, 700, settings),
                new StoreLoad(2_800, 8, GIGABYTE, DAY_MS),
                new Counters(flushes, ProbeResult.unknown(""), ProbeResult.unknown("")));
    }

    private static ObservedCluster cluster(ProbeResult<FlushCounters> first, ProbeResult<HdfsSpace> space) {
        List<Long> regions = new ArrayList<>(Collections.nCopies(2_700, 2 * GIGABYTE));
        regions.addAll(Collections.nCopies(100, 9 * GIGABYTE));
        return new ObservedCluster(
                NOW_MS,
                List.of(
                        server("host1", first),
                        server("host2", NOT_READ),
                        server("host3", NOT_READ),
                        server("host4", NOT_READ)),
                List.of(new TableStore(
                        "tsdb", regions, new Files(11_200, 4 * GIGABYTE, 0, 0, 0), List.of(), Access.unknown(""))),
                10 * GIGABYTE,
                3,
                space);
    }

    private static ObservedCluster cluster() {
        return cluster(
                ONE_MEGABYTE_A_SECOND,
                ProbeResult.known(new HdfsSpace(
                        32 * TERABYTE,
                        19 * TERABYTE,
                        12 * TERABYTE,
                        ProbeResult.known(List.of(
                                new NodeSpace("host1", 8 * TERABYTE, 4 * TERABYTE),
                                new NodeSpace("host2", 8 * TERABYTE, 1 * TERABYTE),
                                new NodeSpace("host3", 8 * TERABYTE, 4 * TERABYTE),
                                new NodeSpace("host4", 8 * TERABYTE, 3 * TERABYTE))))));
    }

    private static Disk disk(Figures figures) {
        return figures.disk().orElseThrow();
    }

    @Test
    void asItIs() {
        Figures now = CapacityForecast.of(cluster(), WhatIf.NOTHING, Optional.empty());

        assertThat(now.regions()).isEqualTo(2_800);
        assertThat(now.regionsPerServer()).isEqualTo(700);
        assertThat(now.range()).isEqualTo("above 20 to 200");
        // 2,700 x 2 GB + 100 x 9 GB = 6,300 GB: 630 of 10 GB.
        assertThat(now.fewestRegions()).isEqualTo(630);
        assertThat(now.memstoreBytes()).isCloseTo(Math.round(19.2 * GIGABYTE), within(4L));
        assertThat(now.regionsThatDoWell()).isEqualTo(152);
        // 19.2 GB / 2,800 = 7.02 MB.
        assertThat(now.flushBytesIfAlike() / MEGABYTE).isEqualTo(7);
        // The three that do not tell are taken for as busy as the one that does.
        assertThat(now.flushedBytesPerSecond().orElseThrow()).isCloseTo(4.0 * MEGABYTE, within(1.0));
        // 19.2 GB / 4 MB = 4,915 s.
        assertThat(now.fillSeconds().orElseThrow()).isCloseTo(4_915.2, within(0.1));
        assertThat(disk(now).bytesPerDay()).isEmpty();
        assertThat(disk(now).daysUntilFull()).as("nobody knows the growth").isEmpty();
    }

    @Test
    void tenMoreServers() {
        Figures then = CapacityForecast.of(cluster(), new WhatIf(10, 1, Optional.empty()), Optional.empty());

        assertThat(then.servers()).isEqualTo(14);
        assertThat(then.regionsPerServer()).isEqualTo(200);
        assertThat(then.range()).isEqualTo("within 20 to 200");
        // 14 x 4.8 GB = 67.2 GB; / 2,800 = 24.6 MB.
        assertThat(then.flushBytesIfAlike() / MEGABYTE).isEqualTo(24);
        // 32 TB x 14 / 4 = 112 TB, 80 TB of them new.
        assertThat(disk(then).capacityBytes()).isEqualTo(112 * TERABYTE);
        assertThat(disk(then).remainingBytes()).isEqualTo(92 * TERABYTE);
        assertThat(disk(then).usedBytes()).isEqualTo(19 * TERABYTE);
    }

    /** Four RegionServers on an HDFS that others use too. Broken (its disks grow as the RegionServers do): 144 TB for two more. */
    @Test
    void aServerMoreIsOneDataNodeMoreHoweverManyThereAre() {
        List<NodeSpace> nodes = new ArrayList<>();
        for (int node = 0; node < 12; node++) {
            nodes.add(new NodeSpace("host" + node, 8 * TERABYTE, 4 * TERABYTE));
        }
        ProbeResult<HdfsSpace> space =
                ProbeResult.known(new HdfsSpace(96 * TERABYTE, 48 * TERABYTE, 48 * TERABYTE, ProbeResult.known(nodes)));

        Figures more =
                CapacityForecast.of(cluster(NOT_READ, space), new WhatIf(2, 1, Optional.empty()), Optional.empty());
        assertThat(disk(more).capacityBytes()).isEqualTo(112 * TERABYTE);
        assertThat(disk(more).remainingBytes()).isEqualTo(64 * TERABYTE);

        Figures fewer =
                CapacityForecast.of(cluster(NOT_READ, space), new WhatIf(-4, 1, Optional.empty()), Optional.empty());
        assertThat(disk(fewer).capacityBytes()).isEqualTo(64 * TERABYTE);
        assertThat(disk(fewer).remainingBytes()).isEqualTo(16 * TERABYTE);
    }

    /** All RegionServers are down. Broken (none of none is none): HDFS has 0 bytes, and is full. */
    @Test
    void disksAreThereWithoutRegionServersToo() {
        ObservedCluster none = new ObservedCluster(
                NOW_MS,
                List.of(),
                List.of(),
                10 * GIGABYTE,
                3,
                ProbeResult.known(new HdfsSpace(
                        32 * TERABYTE, 19 * TERABYTE, 12 * TERABYTE, ProbeResult.unknown("no superuser"))));

        Figures figures = CapacityForecast.of(none, WhatIf.NOTHING, Optional.empty());

        assertThat(disk(figures).capacityBytes()).isEqualTo(32 * TERABYTE);
        assertThat(disk(figures).remainingBytes()).isEqualTo(12 * TERABYTE);
    }

    @Test
    void twiceTheWritesFillTheMemstoresInHalfTheTimeAndTheDisksToo() {
        Growth growth = Growth.given(100.0 * GIGABYTE, 3);
        Figures now = CapacityForecast.of(cluster(), WhatIf.NOTHING, Optional.of(growth));
        Figures then = CapacityForecast.of(cluster(), new WhatIf(0, 2, Optional.empty()), Optional.of(growth));

        assertThat(then.fillSeconds().orElseThrow()).isEqualTo(now.fillSeconds().orElseThrow() / 2);
        // 12 TB / (100 GB x 3) = 40.96 days.
        assertThat(disk(now).daysUntilFull()).isEqualTo(OptionalDouble.of(40.96));
        assertThat(disk(then).daysUntilFull()).isEqualTo(OptionalDouble.of(20.48));
    }

    @Test
    void theFullestDataNodeIsFullFirst() {
        // A quarter of 300 GB a day: 75 GB, and 1 TB is left: 13.65 days.
        Figures now = CapacityForecast.of(cluster(), WhatIf.NOTHING, Optional.of(Growth.given(100.0 * GIGABYTE, 3)));

        assertThat(disk(now).firstFull()).hasValueSatisfying(node -> {
            assertThat(node.host()).isEqualTo("host2");
            assertThat(node.days()).isCloseTo(13.65, within(0.01));
        });
    }

    @Test
    void regionsAreSplitInHalvesUntilNoneIsTooLarge() {
        // 2 GB at 1.5 GB: 2 of 1 GB; 9 GB: 8 of 1.1 GB. 2,700 x 2 + 100 x 8.
        Figures smaller =
                CapacityForecast.of(cluster(), new WhatIf(0, 1, Optional.of(3 * GIGABYTE / 2)), Optional.empty());
        assertThat(smaller.regions()).isEqualTo(6_200);

        Figures larger = CapacityForecast.of(cluster(), new WhatIf(0, 1, Optional.of(20 * GIGABYTE)), Optional.empty());
        assertThat(larger.regions()).as("no region is merged by itself").isEqualTo(2_800);
        assertThat(larger.fewestRegions()).isEqualTo(315);
    }

    private static ObservedCluster cluster(TableStore table, long splitBytes) {
        return new ObservedCluster(
                NOW_MS, List.of(server("host1", NOT_READ)), List.of(table), splitBytes, 3, ProbeResult.unknown(""));
    }

    /** As ConstantSizeRegionSplitPolicy has it. Broken (hbase.hregion.max.filesize for all): each region of 30 GB becomes four. */
    @Test
    void aTablesOwnSizeDecidesWhenItSplits() {
        TableStore large = new TableStore(
                "tsdb",
                Collections.nCopies(10, 30 * GIGABYTE),
                300 * GIGABYTE,
                OptionalLong.of(50 * GIGABYTE),
                new Files(10, 0, 0, 0, 0),
                List.of(),
                Access.unknown(""));

        Figures now = CapacityForecast.of(cluster(large, 10 * GIGABYTE), WhatIf.NOTHING, Optional.empty());
        assertThat(now.regions()).isEqualTo(10);
        assertThat(now.fewestRegions()).isEqualTo(6);

        Figures then = CapacityForecast.of(
                cluster(large, 10 * GIGABYTE), new WhatIf(0, 1, Optional.of(20 * GIGABYTE)), Optional.empty());
        assertThat(then.regions()).as("what is asked for counts for all").isEqualTo(20);
    }

    /** Broken: it splits for ever, or divides by 0. */
    @Test
    void aSizeOfNothingEnds() {
        for (long splitBytes : new long[] {0, -1}) {
            TableStore table =
                    new TableStore("t", List.of(3L << 20), new Files(1, 0, 0, 0, 0), List.of(), Access.unknown(""));

            assertThat(CapacityForecast.of(cluster(table, splitBytes), WhatIf.NOTHING, Optional.empty())
                            .regions())
                    .isEqualTo(4);
        }
    }

    @Test
    void growthIsTheDifferenceOfTwoLooks() {
        Growth growth = Growth.between(93 * DAY_MS, 12 * TERABYTE, NOW_MS, 19 * TERABYTE);

        assertThat(growth).isEqualTo(new Growth(TERABYTE, "what HDFS uses more than 7.0 days ago"));
        assertThatThrownBy(() -> Growth.between(NOW_MS, 1, NOW_MS, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the earlier look has to be before this one");
    }

    @Test
    void disksThatShrinkAreNeverFull() {
        Growth growth = Growth.between(93 * DAY_MS, 20 * TERABYTE, NOW_MS, 19 * TERABYTE);

        Figures now = CapacityForecast.of(cluster(), WhatIf.NOTHING, Optional.of(growth));

        assertThat(disk(now).daysUntilFull()).isEmpty();
        assertThat(disk(now).firstFull()).isEmpty();
        assertThat(disk(now).bytesPerDay().orElseThrow()).isNegative();
    }

    @Test
    void whatNobodyTellsIsUnknownAndNotZero() {
        Figures now = CapacityForecast.of(
                cluster(NOT_READ, ProbeResult.unknown("HDFS can't be asked")), WhatIf.NOTHING, Optional.empty());

        assertThat(now.flushedBytesPerSecond()).isEmpty();
        assertThat(now.fillSeconds()).isEmpty();
        assertThat(now.disk()).isEmpty();
    }

    @Test
    void aClusterWithoutServersHasNoFigures() {
        ObservedCluster none = new ObservedCluster(
                NOW_MS, List.of(), List.of(), 10 * GIGABYTE, 3, ProbeResult.unknown("HDFS can't be asked"));

        Figures figures = CapacityForecast.of(none, new WhatIf(-3, 1, Optional.empty()), Optional.empty());

        assertThat(figures.servers()).isZero();
        assertThat(figures.regionsPerServer()).isZero();
    }
}
