// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.placement.Placement;
import io.hearth.balancer.state.LocalBytes;
import java.util.List;
import org.apache.hadoop.hbase.master.balancer.LocationSnapshotBenchmark;
import org.junit.jupiter.api.Test;

/** What {@code bench heat} measures does what it says; how long it takes is no test's business. */
class BenchHeatCommandTest {

    @Test
    void anUpdateIsOfEveryRegion() {
        HeatUpdateBenchmark benchmark = new HeatUpdateBenchmark();
        benchmark.advance();

        assertThat(benchmark.update()).isEqualTo(SyntheticServerReports.REGIONS);
    }

    @Test
    void thePlacementIsOfAThousandRegionsMostlyToWhereTheirBytesAre() {
        Placement placement = new PlacementBenchmark().place();

        assertThat(placement.regions()).hasSize(1_000);
        assertThat(placement.count(Placement.Reason.MOST_BYTES)).isGreaterThan(900);
    }

    @Test
    void theSnapshotIsOfRegionsWhoseBytesAreKnown() {
        List<LocalBytes> snapshot = new LocationSnapshotBenchmark().snapshot();

        assertThat(snapshot).hasSize(100_000);
        assertThat(snapshot.get(99_999).hostCount()).isEqualTo(79);
    }
}
