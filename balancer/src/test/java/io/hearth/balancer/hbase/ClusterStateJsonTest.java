// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.balancer.hbase.JsonPathValue.JsonFormatException;
import io.hearth.balancer.heat.RegionHeat;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.RegionState.StoreFileBytes;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterStateJsonTest {

    /** From no server to eight, with everything that a state can say drawn from the seed. */
    static ClusterState state(long seed) {
        Random random = new Random(seed);
        List<ServerState> servers = new ArrayList<>();
        int regions = 0;
        for (int server = 0; server < seed % 9; server++) {
            ServerState state = new ServerState(
                    new ServerId("host" + server, random.nextInt(65_536), random.nextLong(1L << 50)),
                    random.nextBoolean() ? ServerState.UNKNOWN_RACK : "/rack\"" + random.nextInt(3),
                    0.1 + random.nextDouble(),
                    random.nextBoolean());
            List<RegionState> ofServer = new ArrayList<>();
            for (int region = random.nextInt(20); region > 0; region--) {
                ofServer.add(region(random, regions++));
            }
            servers.add((random.nextInt(4) == 0 ? state.beingDrained() : state).withRegions(ofServer));
        }
        return new ClusterState(random.nextLong(1L << 45), "a test, \"quoted\" <é>", "2.6.4", servers);
    }

    private static RegionState region(Random random, int number) {
        EncodedRegionName id = new EncodedRegionName(String.format("%032x", number));
        long bytes = random.nextLong(1L << 40);
        return new RegionState(
                id,
                random.nextInt(10) == 0 ? new EncodedRegionName(String.format("%032x", number / 2)) : id,
                new TableId("t" + random.nextInt(3)),
                heat(random),
                Pin.values()[random.nextInt(Pin.values().length)],
                random.nextBoolean()
                        ? LocalBytes.UNKNOWN
                        : LocalBytes.of(bytes, Map.of("a", bytes, "b" + random.nextInt(6), bytes / 3)),
                random.nextBoolean()
                        ? Optional.empty()
                        : Optional.of(new StoreFileBytes(bytes, random.nextLong(1L << 40), bytes / 2)));
    }

    private static RegionHeat heat(Random random) {
        RegionHeat.Reason[] reasons = RegionHeat.Reason.values();
        LoadVector load = load(random);
        return switch (random.nextInt(3)) {
            case 0 -> new RegionHeat.Unknown(reasons[random.nextInt(reasons.length)], load);
            case 1 -> new RegionHeat.Known(load, load);
            default -> new RegionHeat.Known(load, load(random), load(random), 1 + random.nextDouble(), load(random));
        };
    }

    private static LoadVector load(Random random) {
        return LoadVector.of(dimension -> random.nextInt(4) == 0 ? 0 : Math.exp(20 * random.nextGaussian()));
    }

    private static ClusterState read(String text) throws IOException, JsonFormatException {
        return ClusterStateJson.read(JsonPathValue.parse(new StringReader(text)));
    }

    @Test
    void whatIsWrittenIsReadAgain() throws Exception {
        for (long seed = 0; seed < 100; seed++) {
            ClusterState state = state(seed);

            String text = ClusterStateJson.text(state, ClusterStateJson.Regions.INCLUDED);

            assertThat(read(text)).as("seed " + seed).isEqualTo(state);
        }
    }

    @Test
    void withoutItsRegionsAServerHasTheSameTotals() throws Exception {
        for (long seed = 0; seed < 100; seed++) {
            ClusterState state = state(seed);

            String text = ClusterStateJson.text(state, ClusterStateJson.Regions.LEFT_OUT);
            ClusterState read = read(text);

            assertThat(text).doesNotContain("\"region\"");
            assertThat(read.servers().stream().map(ServerState::totals))
                    .as("seed " + seed)
                    .containsExactlyElementsOf(
                            state.servers().stream().map(ServerState::totals).toList());
            assertThat(ClusterStateJson.text(read, ClusterStateJson.Regions.INCLUDED))
                    .isEqualTo(text);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {5, 6, 7, 8})
    void fieldsOfANewerHearthArePassedOver(long seed) throws Exception {
        ClusterState state = state(seed);
        String text = ClusterStateJson.text(state, ClusterStateJson.Regions.INCLUDED);

        String newer = text.replaceAll("\\{\"(host|region|known|storeBytes|readsPerSecond)\"", "{\"new\":[1],\"$1\"");

        assertThat(newer).contains("\"new\"");
        assertThat(read(newer)).isEqualTo(state);
    }

    @Test
    void theWholeText() {
        LoadVector load = LoadVector.ofReads(1.5).withStoreBytes(1024);
        ClusterState state = new ClusterState(
                5,
                "the master",
                "2.6.4",
                List.of(new ServerState(new ServerId("a", 16020, 7), "/r", 2)
                        .withRegions(List.of(new RegionState(
                                new EncodedRegionName("r"),
                                new EncodedRegionName("r"),
                                new TableId("t"),
                                new RegionHeat.Known(load, load),
                                Pin.FREE,
                                LocalBytes.UNKNOWN,
                                Optional.of(new StoreFileBytes(1024, 10, 20)))))));
        String loads = Arrays.stream(LoadDimension.values())
                .map(dimension -> "\"" + dimension.jsonName() + "\":" + load.get(dimension))
                .collect(Collectors.joining(",", "{", "}"));
        assertThat(loads)
                .startsWith("{\"readsPerSecond\":1.5,\"writesPerSecond\":0.0,")
                .contains("\"storeBytes\":1024.0,");
        String reported = "\"reported\":{\"storeBytes\":1024,\"localBytes\":10,\"blockBytes\":20}";

        assertThat(ClusterStateJson.text(state, ClusterStateJson.Regions.INCLUDED))
                .isEqualTo("{\"format\":\"hearth-cluster-state\",\"version\":3,\"atMs\":5,\"source\":\"the master\","
                        + "\"hbaseVersion\":\"2.6.4\",\"servers\":[\n"
                        + "{\"host\":\"a\",\"port\":16020,\"startCode\":7,\"rack\":\"/r\",\"capacity\":2.0,"
                        + "\"mayReceiveRegions\":true,\"draining\":false,\"totals\":{\"regions\":1,\"unknownHeat\":0,"
                        + "\"plannedLoad\":" + loads + ",\"measuredLoad\":" + loads
                        + ",\"recentRequestsPerSecond\":1.5," + reported + "},\"regions\":[\n"
                        + "{\"region\":\"r\",\"table\":\"t\",\"pin\":\"FREE\",\"heat\":{\"known\":true,\"load\":"
                        + loads
                        + ",\"readCost\":1.0},\"plannedLoad\":" + loads + "," + reported + "}]}]}");
    }

    @Test
    void aDimensionThatTheWriterDidNotHaveIsZero() throws Exception {
        String text = ClusterStateJson.text(state(3), ClusterStateJson.Regions.INCLUDED);
        String older = text.replaceAll(",\"memstoreBytes\":[-0-9.E]+", "");

        assertThat(older).isNotEqualTo(text);
        assertThat(read(older).regionsOf(0))
                .allSatisfy(region -> assertThat(region.plannedLoad().get(LoadDimension.MEMSTORE))
                        .isZero());
        assertThatThrownBy(() -> read(text.replace("\"readsPerSecond\"", "\"reads\"")))
                .hasMessageEndingWith("readsPerSecond is missing");
    }

    @Test
    void anotherVersionIsRefusedWithWhatToDo() {
        String text = ClusterStateJson.text(state(3), ClusterStateJson.Regions.LEFT_OUT);

        assertThatThrownBy(() -> read(text.replace("\"version\":3", "\"version\":4")))
                .hasMessage(
                        "version is 4; it must be 3 for this Hearth: use one at least as new as the one that wrote it");
        assertThatThrownBy(() -> read(text.replace("\"version\":3", "\"version\":2")))
                .hasMessage("version is 2; it must be 3, and no Hearth reads older ones: take the snapshot again");
        assertThatThrownBy(() -> read("{\"format\":\"hearth-snapshot\",\"version\":1,\"takenAtMs\":0}"))
                .hasMessage("version is 1; it must be 3, and no Hearth reads older ones: take the snapshot again");
        assertThatThrownBy(() -> read(text.replace("hearth-cluster-state", "other")))
                .hasMessage("format is \"other\"; it must be \"hearth-cluster-state\"");
    }
}
