// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.config.HealLimitSettings.HealLimitConfig;
import io.hearth.healer.estimate.HealEstimate;
import io.hearth.healer.estimate.HealEstimate.DataNodeTime;
import io.hearth.healer.fakes.Racks;
import io.hearth.healer.metrics.HealLimit;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HealEstimateTextTest {

    private static final ZonedDateTime START = ZonedDateTime.of(2026, 11, 25, 23, 58, 0, 0, ZoneOffset.UTC);
    private static final long MB = 1 << 20;

    @Test
    void timeNodesAndWhatHoldsItBack() {
        HealEstimate estimate = new HealEstimate(
                39_321_600_000L,
                300,
                716,
                215,
                395.2,
                HealLimit.DATANODE_BANDWIDTH,
                List.of(
                        new DataNodeTime(Racks.node("a10"), 39_321_600_000L, 0, 100 * MB, 387.2),
                        new DataNodeTime(Racks.node("b1"), 0, 120 * MB, 1_000 * MB, 0.5)));

        assertThat(HealEstimateText.lines(estimate, limits(0), START))
                .containsExactly(
                        "Started now it takes 7 min, until 2026-11-26 00:04:35 Z, held back by bandwidth of DataNodes.",
                        "NameNode: 716 calls, 0.2 s of a handler.",
                        "  busiest DataNodes       in       out  limit of both   time",
                        "  a10                36.6 GB       0 B     100.0 MB/s  6 min",
                        "  b1                     0 B  120.0 MB    1000.0 MB/s    1 s",
                        "What the DataNodes allow is the limit; --raise-datanode-bandwidth SIZE raises it until the heal is over.");
        assertThat(HealEstimateText.lines(estimate, limits(50 * MB), START))
                .endsWith(
                        "hearth.heal.datanode.bandwidth = 50.0 MB/s is the limit, or what the DataNodes allow where that"
                                + " is less.");
    }

    @Test
    void fiveDataNodesAreNamedAndNoAdviceIsGivenWhereSomethingElseIsTheLimit() {
        List<DataNodeTime> nodes = IntStream.range(0, 9)
                .mapToObj(number -> new DataNodeTime(Racks.node("a" + number), MB, 0, MB, 1))
                .toList();

        assertThat(HealEstimateText.lines(
                        new HealEstimate(9 * MB, 9, 10, 3, 9, HealLimit.CLUSTER_BANDWIDTH, nodes), limits(0), START))
                .hasSize(8)
                .startsWith(
                        "Started now it takes 9 s, until 2026-11-25 23:58:09 Z, held back by bandwidth of the cluster.")
                .last()
                .asString()
                .startsWith("  a4 ");
    }

    @Test
    void whereNothingIsToBeMovedNothingIsSaid() {
        assertThat(HealEstimateText.lines(
                        new HealEstimate(0, 0, 0, 0, 0, HealLimit.NOTHING_WAITS, List.of()), limits(0), START))
                .isEmpty();
    }

    private static HealLimitConfig limits(long dataNodeBytesPerSecond) {
        return new HealLimitConfig(dataNodeBytesPerSecond, 0, 0, 0, 1_000, 0.02, 500);
    }
}
