package io.hearth.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.placement.Placement;
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
}
