// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.balancer.hbase.JsonPathValue.JsonFormatException;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals.PlanLimits;
import io.hearth.balancer.planner.DirectedPlanner;
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
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotFileTest {

    private static final PlanGoals GOALS = PlanGoals.of(Map.of(
                    LoadDimension.READS, new DimensionGoal(200, 1.1, 1.03, 20),
                    LoadDimension.STORE_SIZE, new DimensionGoal(35, 1.3, 1.3, 1 << 30)))
            .withLimits(PlanLimits.DEFAULT.withMaxMoves(600).withMovesLeftByTable(Map.of(new TableId("t2"), 3)));

    /** Servers of three racks and two sizes, with heat, pins, replicas and blocks drawn from a seed. */
    private static ClusterState cluster(long seed) {
        Random random = new Random(seed);
        Map<ServerId, List<RegionState>> regions = new HashMap<>();
        Map<ServerId, ServerState> states = new HashMap<>();
        for (int server = 0; server < 6; server++) {
            ServerId id = new ServerId("host" + server, 16020, 1_700_000_000_000L + server);
            states.put(id, new ServerState(id, "/rack" + server % 3, 1 + server % 2, server != 5));
            List<RegionState> ofServer = new ArrayList<>();
            for (int region = 0; region < 30; region++) {
                ofServer.add(region(random, server * 100 + region, "host" + server));
            }
            regions.put(id, ofServer);
        }
        return ClusterState.of(regions, states).foundOut(1_700_000_000_000L, "a test, \"quoted\"", "2.6.4");
    }

    private static RegionState region(Random random, int number, String host) {
        EncodedRegionName id = new EncodedRegionName(String.format("%032x", number));
        EncodedRegionName primary =
                random.nextInt(10) == 0 ? new EncodedRegionName(String.format("%032x", number % 100)) : id;
        long bytes = random.nextInt(1 << 30);
        LocalBytes local = random.nextBoolean()
                ? LocalBytes.of(bytes, Map.of(host, bytes, "elsewhere" + random.nextInt(6), bytes / 3))
                : LocalBytes.UNKNOWN;
        LoadVector load = LoadVector.ofReads(Math.exp(random.nextGaussian()) * 100)
                .withWrites(random.nextDouble())
                .withStoreBytes((double) bytes)
                .with(LoadDimension.MEMSTORE, 0.1);
        Pin pin = random.nextInt(20) == 0 ? Pin.COOL_DOWN : Pin.FREE;
        return new RegionState(id, primary, new TableId("t" + random.nextInt(3)), load, pin, local);
    }

    private static String text(ClusterState snapshot) throws IOException {
        StringWriter out = new StringWriter();
        new SnapshotFile(snapshot, GOALS).write(out);
        return out.toString();
    }

    private static SnapshotFile read(String text) throws IOException, JsonFormatException {
        return SnapshotFile.read(new StringReader(text));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void theSameFileGivesTheSamePlanAgain(long seed) throws Exception {
        ClusterState snapshot = cluster(seed);

        SnapshotFile read = read(text(snapshot));

        assertThat(read.state()).isEqualTo(snapshot);
        assertThat(read.goals()).isEqualTo(GOALS);
        assertThat(new DirectedPlanner().plan(read.state(), read.goals()))
                .isEqualTo(new DirectedPlanner().plan(snapshot, GOALS));
        assertThat(text(read.state())).isEqualTo(text(snapshot));
    }

    @Test
    void thereIsSomethingToPlan() {
        assertThat(new DirectedPlanner().plan(cluster(1), GOALS).moves()).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "\"rack\":\"/rack0\", |  | servers[0].rack is missing",
                "\"capacity\":1.0 | \"capacity\":0 |"
                        + " servers[0]: The capacity of host0,16020,1700000000000 is 0.0: it must be finite and above 0.",
                "\"port\":16020 | \"port\":70000 | servers[0].port is 70000; it must be a whole number from 0 to 65535",
                "\"mayReceiveRegions\":true | \"mayReceiveRegions\":1 |"
                        + " servers[0].mayReceiveRegions is 1; it must be true or false",
                "\"host\" | \"hostname\" | servers[0].host is missing",
                "\"memstoreBytes\":0.1 | \"memstoreBytes\":-1 | servers[0].regions[0]: The load in memstore is -1.0:"
                        + " it must be finite and at least 0.",
                "\"weight\":200.0 | \"weight\":\"much\" | goals.heat.readsPerSecond.weight is \"much\"; it must be a number",
            })
    void whatIsWrongIsNamedWithItsPlace(String right, String wrong, String problem) throws Exception {
        String text = text(cluster(1));
        assertThat(text).contains(right);

        String broken = text.replaceFirst(java.util.regex.Pattern.quote(right), wrong == null ? "" : wrong);

        assertThatThrownBy(() -> read(broken))
                .isInstanceOf(JsonFormatException.class)
                .hasMessage(problem);
    }

    @Test
    void aPinThatIsNotKnownIsNamedWithThoseThatAre() throws Exception {
        String broken = text(cluster(1)).replaceFirst("\"FREE\"", "\"STUCK\"");

        assertThatThrownBy(() -> read(broken))
                .hasMessageStartingWith(
                        "servers[0].regions[0].pin is \"STUCK\"; it must be one of FREE, HEAT_UNKNOWN, ");
    }

    @Test
    void aRegionThatIsThereTwiceIsNamed() throws Exception {
        String name = String.format("%032x", 1);
        String broken = text(cluster(1)).replaceFirst(String.format("%032x", 0), name);

        assertThatThrownBy(() -> read(broken)).hasMessage("servers[0].regions[1]: region " + name + " is there twice");
    }

    @Test
    void whatIsCutOffIsNoJson() throws Exception {
        String text = text(cluster(1));

        assertThatThrownBy(() -> read(text.substring(0, text.length() / 2))).hasMessageStartingWith("it is no JSON: ");
        assertThatThrownBy(() -> read(text + "{}")).isInstanceOf(JsonFormatException.class);
    }
}
