package io.hearth.balancer.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.snapshot.ClusterSnapshot;
import io.hearth.balancer.snapshot.LocalBytes;
import io.hearth.balancer.snapshot.Pin;
import io.hearth.balancer.snapshot.RegionSnapshot;
import io.hearth.balancer.snapshot.ServerSnapshot;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterSnapshotBuilderTest {

    private static final int SERVERS = 5;
    private static final int TABLES = 4;

    private static ServerId server(int number) {
        return new ServerId("rs" + number, 16020, 1);
    }

    private static TableId table(int number) {
        return new TableId("t" + number);
    }

    private static RegionSnapshot region(int number, LoadVector load) {
        return new RegionSnapshot(new EncodedRegionName("r" + number), table(number % TABLES), load, Pin.FREE);
    }

    private static ClusterSnapshotBuilder random(Random random) {
        ClusterSnapshotBuilder states = new ClusterSnapshotBuilder();
        for (int server = 0; server < SERVERS; server++) {
            states.add(ServerSnapshot.of(server(server)));
        }
        for (int number = 0; number < 60; number++) {
            LoadVector load = LoadVector.ofReads(random.nextDouble())
                    .withWrites(random.nextDouble())
                    .withStoreBytes(random.nextInt(1000))
                    .withMemstoreBytes(random.nextInt(10));
            states.add(server(random.nextInt(SERVERS)), region(number, load));
        }
        return states;
    }

    private static void assertSameLoads(ClusterSnapshot ofTable, ClusterSnapshot all, String what) {
        for (LoadDimension dimension : LoadDimension.values()) {
            assertThat(ofTable.loadByServer(dimension))
                    .as("%s of %s", dimension, what)
                    .containsExactly(all.loadByServer(dimension), within(1e-6));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void theSnapshotOfATableHasTheLoadsOfAllAndItsOwnRegionsOnly(long seed) {
        ClusterSnapshotBuilder states = random(new Random(seed));

        for (int number = 0; number < TABLES; number++) {
            ClusterSnapshot ofTable = states.of(table(number));
            assertSameLoads(ofTable, states.all(), "table " + number + ", seed " + seed);
            assertThat(ofTable.regionCount()).isEqualTo(60 / TABLES + SERVERS);
            assertThat(countPinned(ofTable, Pin.OTHER_TABLE)).isEqualTo(SERVERS);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void aMoveOfOneTableCountsForTheNext(long seed) {
        Random random = new Random(seed);
        ClusterSnapshotBuilder states = random(random);
        for (int step = 0; step < 30; step++) {
            int number = random.nextInt(60);
            states.move(
                    new EncodedRegionName("r" + number),
                    table(number % TABLES),
                    server(random.nextInt(SERVERS)),
                    server(random.nextInt(SERVERS)));
        }

        assertThat(states.all().regionCount()).isEqualTo(60);
        assertSameLoads(states.of(table(0)), states.all(), "seed " + seed);
    }

    @Test
    void aServerThatHasGoneMeanwhileTakesNothing() {
        ClusterSnapshotBuilder states = new ClusterSnapshotBuilder();
        states.add(ServerSnapshot.of(server(0)));
        states.add(server(0), region(0, LoadVector.ofReads(1).withWrites(1).withStoreBytes(1)));

        states.move(new EncodedRegionName("r0"), table(0), server(0), server(1));

        assertThat(states.all().regionsOf(0)).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = Pin.class,
            names = {"HEAT_UNKNOWN", "COOL_DOWN", "IN_FLIGHT", "MOVED_MANUALLY"})
    void aServerWhoseHeatIsUnknownToAGoodPartIsGivenNothingWhateverElsePinsItsRegions(Pin pin) {
        ClusterSnapshotBuilder states = new ClusterSnapshotBuilder();
        for (int server = 0; server < 2; server++) {
            states.add(ServerSnapshot.of(server(server)));
            for (int number = 0; number < 8; number++) {
                RegionSnapshot known = region(
                        8 * server + number, LoadVector.ofReads(1).withWrites(1).withStoreBytes(1));
                boolean isUnknown = number < 2 + server;
                states.add(
                        server(server),
                        new RegionSnapshot(
                                known.region(),
                                known.primary(),
                                known.table(),
                                known.load(),
                                !isUnknown,
                                isUnknown ? pin : Pin.FREE,
                                LocalBytes.UNKNOWN));
            }
        }

        assertThat(states.all().serverSnapshot(0).target()).as("2 of 8 unknown").isTrue();
        assertThat(states.all().serverSnapshot(1).target()).as("3 of 8 unknown").isFalse();
        assertThat(states.of(table(0)).serverSnapshot(1).target())
                .as("by table")
                .isFalse();
    }

    static int countPinned(ClusterSnapshot snapshot, Pin pin) {
        int count = 0;
        for (int server = 0; server < snapshot.servers().size(); server++) {
            count += (int) snapshot.regionsOf(server).stream()
                    .filter(region -> region.pin() == pin)
                    .count();
        }
        return count;
    }
}
