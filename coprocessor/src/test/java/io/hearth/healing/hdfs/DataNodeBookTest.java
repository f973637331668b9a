package io.hearth.healing.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.hearth.healing.model.DataNode;
import io.hearth.healing.model.DataNodes;
import io.hearth.healing.model.ServiceState;
import io.hearth.healing.model.Volume;
import io.hearth.healing.plan.RackRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage.State;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
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
                new DatanodeStorageReport[] {
                    report("fresh", "/a", 100_000, AdminStates.NORMAL),
                    report("late", "/a", 70_000, AdminStates.NORMAL),
                    report("stale", "/b", 69_999, AdminStates.NORMAL),
                    report("leaving", "/b", 100_000, AdminStates.DECOMMISSION_INPROGRESS),
                    report("resting", "/b", 100_000, AdminStates.IN_MAINTENANCE)
                },
                30_000);

        assertThat(state(nodes, "fresh")).isEqualTo(ServiceState.IN_SERVICE);
        assertThat(state(nodes, "late")).isEqualTo(ServiceState.IN_SERVICE);
        assertThat(state(nodes, "stale")).isEqualTo(ServiceState.STALE);
        assertThat(state(nodes, "leaving")).isEqualTo(ServiceState.LEAVING);
        assertThat(state(nodes, "resting")).isEqualTo(ServiceState.LEAVING);
    }

    @Test
    void volumesAreAsTheReportHasThem() {
        DatanodeStorageReport report =
                new DatanodeStorageReport(info("h1", "/a", 0, AdminStates.NORMAL), new StorageReport[] {
                    storage("DS-1", State.NORMAL, StorageType.DISK, false),
                    storage("DS-2", State.FAILED, StorageType.SSD, false),
                    storage("DS-3", State.NORMAL, StorageType.DISK, true),
                    storage("DS-4", State.READ_ONLY_SHARED, StorageType.DISK, false)
                });

        DataNode node =
                book.take(new DatanodeStorageReport[] {report}, 30_000).on("h1").get(0);

        assertThat(node.volumes())
                .extracting(Volume::id, volume -> volume.type().name(), Volume::healthy)
                .containsExactly(
                        tuple("DS-1", "DISK", true),
                        tuple("DS-2", "SSD", false),
                        tuple("DS-3", "DISK", false),
                        tuple("DS-4", "DISK", false));
        assertThat(node.volumes().get(0))
                .extracting(Volume::capacityBytes, Volume::usedBytes, Volume::remainingBytes)
                .containsExactly(1_000L, 600L, 300L);
        assertThat(book.everyNodeMet().on("h1").get(0).volumes())
                .as("locations have none")
                .isEmpty();
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

    private static StorageReport storage(String id, State state, StorageType type, boolean failed) {
        return new StorageReport(new DatanodeStorage(id, state, type), failed, 1_000, 600, 300, 600, 100);
    }

    private static DatanodeStorageReport report(String host, String rack, long lastUpdateMs, AdminStates state) {
        return new DatanodeStorageReport(info(host, rack, lastUpdateMs, state), StorageReport.EMPTY_ARRAY);
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
