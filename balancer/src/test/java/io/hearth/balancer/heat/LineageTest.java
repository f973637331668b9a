package io.hearth.balancer.heat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.config.HeatConfig;
import io.hearth.balancer.heat.RegionHeat.Known;
import io.hearth.balancer.heat.RegionHeat.Reason;
import io.hearth.balancer.heat.RegionHeat.Unknown;
import io.hearth.balancer.ingest.Origin;
import io.hearth.balancer.ingest.RegionReport;
import io.hearth.balancer.ingest.ServerReport;
import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Old regions (a..), (g..), (p..) with 100, 200 and 400 reads a second and 10, 20 and 40 bytes. */
class LineageTest {

    private static final ServerId SERVER = new ServerId("a", 1, 1);
    private static final long OLD_MS = 0;
    private static final long START_MS = 1_000_000;
    private static final long NOW_MS = START_MS + 60_000;

    private final HeatModel heat = new HeatModel(HeatConfig.of(60_000, 10_000));

    @BeforeEach
    void learn() {
        update(START_MS, region("a", OLD_MS, 0, 10), region("g", OLD_MS, 0, 20), region("p", OLD_MS, 0, 40));
        update(NOW_MS, region("a", OLD_MS, 6_000, 10), region("g", OLD_MS, 12_000, 20), oldP());
    }

    private static RegionReport oldA() {
        return region("a", OLD_MS, 6_000, 10);
    }

    private static RegionReport oldP() {
        return region("p", OLD_MS, 24_000, 40);
    }

    private static RegionReport region(String startKey, long regionIdMs, long reads, long bytes) {
        return new RegionReport(
                id(startKey, regionIdMs),
                new TableId("t"),
                Optional.of(new Origin(startKey, regionIdMs)),
                RegionReport.UNKNOWN,
                reads,
                0,
                bytes,
                0,
                0);
    }

    private static RegionId id(String startKey, long regionIdMs) {
        return new RegionId(startKey + "." + regionIdMs);
    }

    private void update(long ms, RegionReport... regions) {
        heat.update(List.of(new ServerReport(SERVER, ms, List.of(regions))), ms);
    }

    private void assertKnown(String startKey, double readsPerSecond) {
        assertThat(heat.heat(id(startKey, NOW_MS))).isInstanceOfSatisfying(Known.class, known -> assertThat(
                        known.load().get(LoadDimension.READS))
                .isCloseTo(readsPerSecond, within(1e-6)));
    }

    private void assertUnknown(String startKey) {
        assertThat(heat.heat(id(startKey, NOW_MS))).isEqualTo(new Unknown(Reason.SEEN_TOO_BRIEFLY));
    }

    @Test
    void daughtersInheritByTheirShareOfTheStoreBytes() {
        update(NOW_MS + 3_000, oldA(), region("g", NOW_MS, 0, 15), region("m", NOW_MS, 0, 5), oldP());

        assertKnown("g", 150);
        assertKnown("m", 50);
        assertThat(heat.size()).as("the parent is gone").isEqualTo(4);
    }

    @Test
    void emptyDaughtersInheritHalfEach() {
        update(NOW_MS + 3_000, oldA(), region("g", NOW_MS, 0, 0), region("m", NOW_MS, 0, 0), oldP());

        assertKnown("g", 100);
        assertKnown("m", 100);
    }

    @Test
    void aDaughterWaitsForHerSister() {
        update(NOW_MS + 3_000, region("g", NOW_MS, 0, 15));
        assertUnknown("g");
        update(NOW_MS + 6_000, region("g", NOW_MS, 0, 15), region("m", NOW_MS, 0, 5));

        assertKnown("m", 50);
    }

    @Test
    void aMergedRegionInheritsTheSum() {
        update(NOW_MS + 3_000, region("a", NOW_MS, 0, 30), oldP());

        assertKnown("a", 300);
        assertThat(heat.size()).isEqualTo(2);
    }

    @Test
    void aNeighbourThatIsOnItsWayIsNotMergedIn() {
        update(NOW_MS + 3_000, region("a", NOW_MS, 0, 31));

        assertKnown("a", 300);
        assertThat(heat.heat(id("p", OLD_MS))).isInstanceOf(Known.class);
    }

    @Test
    void aTableThatWasTruncatedWithItsSplitsInheritsNothing() {
        update(NOW_MS + 3_000, region("a", NOW_MS, 0, 0), region("g", NOW_MS, 0, 0), region("p", NOW_MS, 0, 0));

        assertUnknown("a");
        assertUnknown("g");
    }

    @Test
    void nobodyInheritsFromARegionThatLives() {
        update(
                NOW_MS + 3_000,
                region("g", OLD_MS, 12_000, 20),
                region("g", NOW_MS, 0, 15),
                region("m", NOW_MS, 0, 5),
                oldP());

        assertUnknown("g");
        assertUnknown("m");
    }
}
