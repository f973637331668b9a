// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StartupLocalityLoaderTest {

    private final CountDownLatch answers = new CountDownLatch(1);
    private final Set<RegionInfo> asked = ConcurrentHashMap.newKeySet();
    private final List<RegionInfo> regions = new ArrayList<>();

    StartupLocalityLoaderTest() {
        for (int number = 0; number < 100; number++) {
            regions.add(RegionInfoBuilder.newBuilder(TableName.valueOf("t"))
                    .setStartKey(Bytes.toBytes(number))
                    .build());
        }
    }

    @AfterEach
    void letTheThreadsGo() {
        answers.countDown();
    }

    private BlockLocations locations() {
        return new BlockLocations(this::answer, () -> 0, new RecordingLocalityErrorHandler(), (region, blocks) -> {});
    }

    private HDFSBlocksDistribution answer(RegionInfo region) {
        asked.add(region);
        try {
            answers.await();
        } catch (InterruptedException interrupted) {
            throw new AssertionError("interrupted", interrupted);
        }
        return new HDFSBlocksDistribution();
    }

    @Test
    void asksAboutEveryRegion() {
        answers.countDown();

        assertThat(new StartupLocalityLoader(regions, locations()).waitFor(30_000))
                .isEmpty();
        assertThat(asked).containsExactlyInAnyOrderElementsOf(regions);
    }

    @Test
    void aNameNodeThatDoesNotAnswerIsNotWaitedForAndTheRestIsGivenBack() {
        List<RegionInfo> left = new StartupLocalityLoader(regions, locations()).waitFor(50);

        assertThat(left).hasSizeBetween(95, 100);
        assertThat(regions).containsAll(left);
        answers.countDown();
        assertThat(asked).hasSizeLessThanOrEqualTo(5);
    }
}
