package io.hearth.healing.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healing.model.DataNode;
import io.hearth.healing.model.DataNodes;
import io.hearth.healing.model.ServiceState;
import io.hearth.healing.plan.RackRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DataNodeBookTest {

    private final DataNodeBook book = new DataNodeBook();

    static LongStream seeds() {
        return LongStream.range(0, 100L * Integer.getInteger("hearth.test.repetitions", 1));
    }

    @Test
    void aDataNodeIsStaleByTheNameNodesOwnTimes() {
        DataNodes nodes = book.take(
                new DatanodeInfo[] {
                    info("fresh", "/a", 100_000, AdminStates.NORMAL),
                    info("late", "/a", 70_000, AdminStates.NORMAL),
                    info("stale", "/b", 69_999, AdminStates.NORMAL),
                    info("leaving", "/b", 100_000, AdminStates.DECOMMISSION_INPROGRESS),
                    info("resting", "/b", 100_000, AdminStates.IN_MAINTENANCE)
                },
                30_000);

        assertThat(state(nodes, "fresh")).isEqualTo(ServiceState.IN_SERVICE);
        assertThat(state(nodes, "late")).isEqualTo(ServiceState.IN_SERVICE);
        assertThat(state(nodes, "stale")).isEqualTo(ServiceState.STALE);
        assertThat(state(nodes, "leaving")).isEqualTo(ServiceState.LEAVING);
        assertThat(state(nodes, "resting")).isEqualTo(ServiceState.LEAVING);
    }

    @Test
    void whatWasMetInLocationsIsKnown() {
        DataNode met = book.note(info("h1", "/a", 0, AdminStates.NORMAL));

        assertThat(book.everyNodeMet().on("H1")).containsExactly(met);
        assertThat(met.rack()).isEqualTo("/a");
    }

    @Test
    void aDataNodeThatWasFormattedAnewTakesThePlaceOfWhatItWas() {
        book.note(info("h1", "/a", 0, AdminStates.NORMAL));
        DataNode now = book.note(new DatanodeInfoBuilder()
                .setDatanodeUuid("a-uuid-that-comes-first")
                .setHostName("h1")
                .setIpAddr("10.0.0.1")
                .setXferPort(9866)
                .setNetworkLocation("/a")
                .build());

        assertThat(book.everyNodeMet().on("h1")).containsExactly(now);
    }

    /** The pure rule and HDFS's default policy say the same of every layout. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void theRackRuleIsTheDefaultPolicysTest(long seed) {
        Random random = new Random(seed);
        List<DataNode> nodes = new ArrayList<>();
        for (int i = 0; i < 2 + random.nextInt(6); i++) {
            nodes.add(book.note(info("h" + i, "/r" + random.nextInt(4), 0, AdminStates.NORMAL)));
        }
        DataNode target = nodes.remove(random.nextInt(nodes.size()));
        DataNode giver = nodes.get(random.nextInt(nodes.size()));
        NameNodePlacement policy = new NameNodePlacement(book, new Configuration(false));

        assertThat(policy.mayReplace(nodes, giver, target))
                .as("seed %d: %s for %s among %s", seed, target, giver, nodes)
                .isEqualTo(new RackRule().mayReplace(nodes, giver, target));
    }

    private static ServiceState state(DataNodes nodes, String host) {
        return nodes.on(host).get(0).state();
    }

    private static DatanodeInfo info(String host, String rack, long lastUpdateMs, AdminStates state) {
        return new DatanodeInfoBuilder()
                .setDatanodeUuid("uuid-" + host)
                .setHostName(host)
                .setIpAddr("10.0.0.1")
                .setXferPort(9866)
                .setNetworkLocation(rack)
                .setLastUpdate(lastUpdateMs)
                .setAdminState(state)
                .build();
    }
}
