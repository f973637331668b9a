// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.heat.RegionHeat;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterStateBuilderTest {

    private static final int SERVERS = 5;
    private static final int TABLES = 4;

    private static ServerId server(int number) {
        return new ServerId("rs" + number, 16020, 1);
    }

    private static TableId table(int number) {
        return new TableId("t" + number);
    }

    private static RegionState region(int number, LoadVector load) {
        return new RegionState(new EncodedRegionName("r" + number), table(number % TABLES), load, Pin.FREE);
    }

    private static ClusterStateBuilder random(Random random) {
        ClusterStateBuilder states = new ClusterStateBuilder();
        for (int server = 0; server < SERVERS; server++) {
            states.add(ServerState.of(server(server)));
        }
        for (int number = 0; number < 60; number++) {
            LoadVector load = LoadVector.ofReads(random.nextDouble())
                    .withWrites(random.nextDouble())
                    .withStoreBytes(random.nextInt(1000))
                    .with(LoadDimension.MEMSTORE, random.nextInt(10));
            states.add(server(random.nextInt(SERVERS)), region(number, load));
        }
        return states;
    }

    private static void assertSameLoads(ClusterState ofTable, ClusterState all, String what) {
        for (LoadDimension dimension : LoadDimension.values()) {
            assertThat(ofTable.loadByServer(dimension))
                    .as("%s of %s", dimension, what)
                    .containsExactly(all.loadByServer(dimension), within(1e-6));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void theSnapshotOfATableHasTheLoadsOfAllAndItsOwnRegionsOnly(long seed) {
        ClusterStateBuilder states = random(new Random(seed));

        for (int number = 0; number < TABLES; number++) {
            ClusterState ofTable = states.of(table(number));
            assertSameLoads(ofTable, states.all(), "table " + number + ", seed " + seed);
            assertThat(ofTable.regionCount()).isEqualTo(60 / TABLES + SERVERS);
            assertThat(countPinned(ofTable, Pin.OTHER_TABLE)).isEqualTo(SERVERS);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void aMoveOfOneTableCountsForTheNext(long seed) {
        Random random = new Random(seed);
        ClusterStateBuilder states = random(random);
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
        ClusterStateBuilder states = new ClusterStateBuilder();
        states.add(ServerState.of(server(0)));
        states.add(server(0), region(0, LoadVector.ofReads(1).withWrites(1).withStoreBytes(1)));

        states.move(new EncodedRegionName("r0"), table(0), server(0), server(1));

        assertThat(states.all().regionsOf(0)).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = Pin.class,
            names = {"HEAT_UNKNOWN", "COOL_DOWN", "IN_FLIGHT", "MOVED_MANUALLY"})
    void aServerWhoseHeatIsUnknownToAGoodPartIsGivenNothingWhateverElsePinsItsRegions(Pin pin) {
        ClusterStateBuilder states = new ClusterStateBuilder();
        for (int server = 0; server < 2; server++) {
            states.add(ServerState.of(server(server)));
            for (int number = 0; number < 8; number++) {
                RegionState known = region(
                        8 * server + number, LoadVector.ofReads(1).withWrites(1).withStoreBytes(1));
                boolean isUnknown = number < 2 + server;
                states.add(
                        server(server),
                        new RegionState(
                                known.region(),
                                known.primary(),
                                known.table(),
                                isUnknown ? new RegionHeat.Unknown(RegionHeat.Reason.NEVER_REPORTED) : known.heat(),
                                isUnknown ? pin : Pin.FREE,
                                LocalBytes.UNKNOWN,
                                Optional.empty()));
            }
        }

        assertThat(states.all().server(0).mayReceiveRegions())
                .as("2 of 8 unknown")
                .isTrue();
        assertThat(states.all().server(1).mayReceiveRegions())
                .as("3 of 8 unknown")
                .isFalse();
        assertThat(states.of(table(0)).server(1).mayReceiveRegions())
                .as("by table")
                .isFalse();
    }

    static int countPinned(ClusterState snapshot, Pin pin) {
        int count = 0;
        for (int server = 0; server < snapshot.servers().size(); server++) {
            count += (int) snapshot.regionsOf(server).stream()
                    .filter(region -> region.pin() == pin)
                    .count();
        }
        return count;
    }
}
