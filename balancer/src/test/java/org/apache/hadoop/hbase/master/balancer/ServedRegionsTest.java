package org.apache.hadoop.hbase.master.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.hbase.Names;
import io.hearth.balancer.load.RegionId;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.junit.jupiter.api.Test;

class ServedRegionsTest {

    private static final long HOUR_MS = TimeUnit.HOURS.toMillis(1);
    private static final RegionInfo REGION =
            RegionInfoBuilder.newBuilder(TableName.valueOf("t")).build();
    private static final RegionId ID = Names.region(REGION);

    private final ServedRegions regions = new ServedRegions();

    @Test
    void aRegionIsAddedOnce() {
        assertThat(regions.add(REGION)).isTrue();
        assertThat(regions.add(REGION)).isFalse();
        assertThat(regions.get(ID)).contains(REGION);
        assertThat(regions.areAll(Set.of(ID))).isTrue();
        assertThat(regions.areAll(Set.of(ID, new RegionId("other")))).isFalse();
    }

    @Test
    void theFirstLocalityIsNoChange() {
        regions.add(REGION);

        assertThat(regions.hasChanged(ID, 0.5f)).isFalse();
        assertThat(regions.hasChanged(ID, 0.5f)).isFalse();
        assertThat(regions.hasChanged(ID, 0.6f)).isTrue();
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
