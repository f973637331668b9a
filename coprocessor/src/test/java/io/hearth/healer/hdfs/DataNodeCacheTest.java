// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.hearth.healer.hdfs.HdfsAdapter.PlacementPolicyRule;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNode.ServiceState;
import io.hearth.healer.model.DataNode.Volume;
import io.hearth.healer.model.DataNodes;
import io.hearth.healer.plan.PlacementRule.RackRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

class DataNodeCacheTest {

    private static final long DAY_MS = 86_400_000;

    private long nowMs;
    private final DataNodeCache cache = new DataNodeCache(() -> nowMs);

    static LongStream seeds() {
        return LongStream.range(0, 100L * Integer.getInteger("hearth.test.repetitions", 1));
    }

    @Test
    void aDataNodeIsStaleByTheNameNodesOwnTimes() {
        DataNodes nodes = cache.take(
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
        assertThat(state(nodes, "leaving")).isEqualTo(ServiceState.NOT_IN_SERVICE);
        assertThat(state(nodes, "resting")).isEqualTo(ServiceState.NOT_IN_SERVICE);
    }

    @Test
    void aHostOfItsOwnChoosingBeginsNoLine() {
        DataNodes nodes = cache.take(
                new DatanodeStorageReport[] {report("h1\nWARN forged", "/a", 0, AdminStates.NORMAL)}, 30_000);

        assertThat(nodes.on("h1?warn forged"))
                .singleElement()
                .extracting(DataNode::host)
                .isEqualTo("h1?warn forged");
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

        DataNode node = cache.take(new DatanodeStorageReport[] {report}, 30_000)
                .on("h1")
                .get(0);

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
        assertThat(cache.allNodes().on("h1").get(0).volumes())
                .as("locations have none")
                .isEmpty();
    }

    @Test
    void whatWasMetInLocationsIsKnown() {
        DataNode cached = cache.note(info("h1", "/a", 0, AdminStates.NORMAL), "/f");

        assertThat(cache.allNodes().on("H1")).containsExactly(cached);
        assertThat(cached.rack()).isEqualTo("/a");
    }

    @Test
    void aDataNodeThatWasFormattedAnewTakesThePlaceOfWhatItWas() {
        cache.note(info("h1", "/a", 0, AdminStates.NORMAL), "/f");
        DataNode now = cache.note(
                new DatanodeInfoBuilder()
                        .setDatanodeUuid("a-uuid-that-comes-first")
                        .setHostName("h1")
                        .setIpAddr("10.0.0.1")
                        .setXferPort(9866)
                        .setNetworkLocation("/a")
                        .build(),
                "/f");

        assertThat(cache.allNodes().on("h1")).containsExactly(now);
    }

    /** One that serves at another port, or goes by another name, has the same id: it is listed once. */
    @Test
    void aDataNodeThatChangedItsAddressIsListedOnce() {
        cache.note(info("h1", "/a", 0, AdminStates.NORMAL), "/f");
        DataNode moved = cache.note(
                new DatanodeInfoBuilder()
                        .setDatanodeUuid("uuid-h1")
                        .setHostName("h1")
                        .setIpAddr("10.0.0.1")
                        .setXferPort(1004)
                        .setNetworkLocation("/a")
                        .build(),
                "/f");

        assertThat(cache.allNodes().byId().values()).containsExactly(moved);
        assertThat(cache.allNodes().isReport()).isFalse();
        assertThat(cache.allNodes().wasMentionedWithin(moved.id(), 1)).isTrue();
    }

    /** Hosts come and go with new names: after a year the book has a week's. */
    @Test
    void aDataNodeThatIsMentionedNoMoreIsForgottenAfterAWeek() {
        for (int day = 0; day < 365; day++) {
            nowMs = day * DAY_MS;
            cache.note(info("stays", "/a", 0, AdminStates.NORMAL), "/f");
            cache.note(info(String.format(Locale.ROOT, "h%03d", day), "/a", 0, AdminStates.NORMAL), "/f");
        }

        assertThat(cache.allNodes().byId().values())
                .extracting(DataNode::host)
                .containsExactly("h357", "h358", "h359", "h360", "h361", "h362", "h363", "h364", "stays");
        DataNode gone = node("h356");
        assertThat(cache.info(gone)).isEmpty();
        assertThat(cache.info(node("h357"))).isPresent();
    }

    /** Where there are no reports, locations are all that there is, and nobody asks for those of a cluster that is local. */
    @Test
    void afterAQuietMonthEveryoneIsKnownStill() {
        cache.note(info("h1", "/a", 0, AdminStates.NORMAL), "/f");
        cache.note(info("h2", "/a", 0, AdminStates.NORMAL), "/f");
        nowMs = 30 * DAY_MS;
        cache.note(info("h1", "/a", 0, AdminStates.NORMAL), "/f");

        assertThat(cache.allNodes().byId().values()).extracting(DataNode::host).containsExactly("h1", "h2");
    }

    /** The pure rule and HDFS's default policy say the same of every layout. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void theRackRuleIsTheDefaultPolicysTest(long seed) {
        Random random = new Random(seed);
        List<DataNode> nodes = new ArrayList<>();
        for (int i = 0; i < 2 + random.nextInt(6); i++) {
            nodes.add(cache.note(info("h" + i, "/r" + random.nextInt(4), 0, AdminStates.NORMAL), "/f"));
        }
        DataNode target = nodes.remove(random.nextInt(nodes.size()));
        DataNode source = nodes.get(random.nextInt(nodes.size()));
        PlacementPolicyRule policy = new PlacementPolicyRule(cache, new Configuration(false));

        assertThat(policy.mayReplace(nodes, source, target))
                .as("seed %d: %s for %s among %s", seed, target, source, nodes)
                .isEqualTo(new RackRule().mayReplace(nodes, source, target));
    }

    private DataNode node(String host) {
        return new DataNodeCache(() -> 0).note(info(host, "/a", 0, AdminStates.NORMAL), "/f");
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
