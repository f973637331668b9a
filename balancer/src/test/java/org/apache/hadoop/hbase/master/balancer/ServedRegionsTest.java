// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.common.model.EncodedRegionName;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.master.balancer.ServedRegions.Followed;
import org.junit.jupiter.api.Test;

class ServedRegionsTest {

    private static final long HOUR_MS = TimeUnit.HOURS.toMillis(1);
    private static final RegionInfo REGION =
            RegionInfoBuilder.newBuilder(TableName.valueOf("t")).build();
    private static final EncodedRegionName ID = HBaseNames.region(REGION);

    private final ServedRegions regions = new ServedRegions();

    @Test
    void aRegionIsAddedOnce() {
        assertThat(regions.add(REGION)).isTrue();
        assertThat(regions.add(REGION)).isFalse();
        assertThat(regions.get(ID).map(Followed::region)).contains(REGION);
        assertThat(regions.get(new EncodedRegionName("other"))).isEmpty();
    }

    private boolean hasChanged(String host, float locality) {
        return regions.get(ID).orElseThrow().hasChanged(host, locality);
    }

    @Test
    void theFirstLocalityIsNoChange() {
        regions.add(REGION);

        assertThat(hasChanged("a", 0.5f)).isFalse();
        assertThat(hasChanged("a", 0.5f)).isFalse();
        assertThat(hasChanged("b", 0.6f)).isTrue();
    }

    @Test
    void aRegionIsDoubtedWhereItsServerReportsAllOfItAndTheNameNodeLess() {
        regions.add(REGION);
        HDFSBlocksDistribution onA = blocks("a", "b");
        HDFSBlocksDistribution elsewhere = blocks("b", "c");
        assertThat(regions.hostWithStaleLocality(ID, elsewhere))
                .as("nobody reports it")
                .isEmpty();

        hasChanged("a", 1);
        assertThat(regions.hostWithStaleLocality(ID, onA)).isEmpty();
        assertThat(regions.hostWithStaleLocality(ID, elsewhere)).contains("a");
        assertThat(regions.hostWithStaleLocality(ID, new HDFSBlocksDistribution()))
                .as("no files")
                .isEmpty();

        hasChanged("a", 0.9f);
        assertThat(regions.hostWithStaleLocality(ID, elsewhere))
                .as("known already")
                .isEmpty();
        hasChanged("b", 1);
        assertThat(regions.hostWithStaleLocality(ID, elsewhere))
                .as("it has moved")
                .isEmpty();
    }

    private static HDFSBlocksDistribution blocks(String... hosts) {
        HDFSBlocksDistribution blocks = new HDFSBlocksDistribution();
        blocks.addHostsAndBlockWeight(hosts, 100);
        return blocks;
    }

    @Test
    void whatIsNotReportedAtTwoHourlyLooksIsForgotten() {
        regions.add(REGION);

        assertThat(regions.forget(Set.of(), 0)).isTrue();
        assertThat(regions.forget(Set.of(), HOUR_MS - 1)).as("too early").isFalse();
        assertThat(regions.get(ID)).isPresent();
        assertThat(regions.forget(Set.of(), HOUR_MS)).isTrue();
        assertThat(regions.get(ID)).isEmpty();
    }

    @Test
    void aClockThatWasSetBackDoesNotKeepThemForLonger() {
        regions.forget(Set.of(), 10 * HOUR_MS);

        assertThat(regions.forget(Set.of(), 0)).isTrue();
        assertThat(regions.forget(Set.of(), 1)).isFalse();
        assertThat(regions.forget(Set.of(), HOUR_MS)).isTrue();
    }
}
