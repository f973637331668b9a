package io.hearth.healing.plan;

import static io.hearth.healing.fakes.Racks.block;
import static io.hearth.healing.fakes.Racks.blockId;
import static io.hearth.healing.fakes.Racks.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.load.RegionId;
import io.hearth.healing.model.BlockMove;
import io.hearth.healing.model.BlockReplicas;
import io.hearth.healing.model.DataNode;
import io.hearth.healing.model.DataNodes;
import io.hearth.healing.model.RegionFiles;
import io.hearth.healing.model.Replica;
import io.hearth.healing.model.ServiceState;
import io.hearth.healing.model.SkipReason;
import io.hearth.healing.model.StorageType;
import io.hearth.healing.model.StoreFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BlockMovePlannerTest {

    private static final RegionId REGION = new RegionId("r");

    private final List<DataNode> nodes = new ArrayList<>(Stream.of("a1", "a2", "b1", "b2", "c1", "c2")
            .map(name -> node(name))
            .toList());

    @Test
    void theWorkedExample() {
        MovePlan plan = plan(file(
                block(1, "a1", "b1", "b2"),
                block(2, "a1", "b1", "c2"),
                block(3, "a1", "b2", "c1"),
                block(4, "a1", "a2", "b1", "c2")));

        assertThat(plan.moves()).extracting(move -> move.block().number()).containsExactly(1L, 2L);
        assertThat(plan.moves()).extracting(move -> move.giver().host()).containsExactly("b1", "c2");
        assertThat(plan.moves()).allMatch(move -> move.target().host().equals("c1"));
        assertThat(plan.moves().get(1).proxy(0).host()).isEqualTo("c2");
        assertThat(plan.skippedByReason()).isEqualTo(Map.of(SkipReason.ALREADY_LOCAL, 1L, SkipReason.IN_FLIGHT, 1L));
        assertThat(plan.localBytes()).isEqualTo(100);
        assertThat(plan.totalBytes()).isEqualTo(400);
        assertThat(plan.leavesSomethingForLater()).isTrue();
    }

    @Test
    void theBlocksOfAFileAreNotAllTakenFromOneDataNode() {
        MovePlan plan = plan(file(block(1, "a1", "b1", "b2"), block(2, "a1", "b1", "b2"), block(3, "a2", "b1", "b2")));

        assertThat(plan.moves()).extracting(move -> move.giver().host()).containsExactly("b1", "b2", "b1");
    }

    @Test
    void theReplicaOfARegionThatReadsTheSameFileIsSpared() {
        StoreFile file = file(block(1, "a1", "b1", "b2"));
        SortedMap<String, SortedSet<String>> sharers = new TreeMap<>(Map.of(file.name(), new TreeSet<>(List.of("b1"))));

        MovePlan plan = planner()
                .plan(new PlanRequest(
                        REGION, "c1", RegionFiles.of(List.of(file)), DataNodes.of(nodes), sharers, id -> false));

        assertThat(plan.moves()).extracting(move -> move.giver().host()).containsExactly("b2");
    }

    @Test
    void theStorageTypeOfTheGiverIsKept() {
        BlockReplicas onSsd = new BlockReplicas(
                blockId(1),
                100,
                List.of(
                        new Replica(node("a1"), StorageType.DISK),
                        new Replica(node("b1"), StorageType.DISK),
                        new Replica(node("c2"), StorageType.SSD)),
                false);

        assertThat(plan(file(onSsd)).moves()).extracting(BlockMove::storageType).containsExactly(StorageType.SSD);
    }

    @Test
    void aStaleHolderIsNotCopiedFrom() {
        replace(node("c2", ServiceState.STALE));

        assertThat(plan(file(block(1, "a1", "b1", "c2"))).moves().get(0).proxies())
                .extracting(DataNode::host)
                .containsExactly("a1", "b1");
    }

    @Test
    void anotherProxyAtEachAttempt() {
        BlockMove move = plan(file(block(1, "a1", "b1", "c2"))).moves().get(0);

        assertThat(Stream.of(0, 1, 2, 3).map(attempt -> move.proxy(attempt).host()))
                .containsExactly("c2", "a1", "b1", "c2");
    }

    @ParameterizedTest
    @EnumSource(SkipReason.class)
    void everyReasonToStay(SkipReason reason) {
        MovePlan plan =
                switch (reason) {
                    case ALREADY_LOCAL -> plan(file(block(1, "a1", "b1", "c1")));
                    case IN_FLIGHT -> plan(file(block(1, "a1", "a2", "b1", "c1")));
                    case UNDER_CONSTRUCTION -> plan(new StoreFile("/f", 3, false, false, farBlock()));
                    case UNDER_REPLICATED -> plan(file(block(1, "a1", "b1")));
                    case CORRUPT -> plan(file(corrupt()));
                    case NO_DATANODE_ON_HOST -> planFor("elsewhere", file(block(1, "a1", "b1", "b2")));
                    case TARGET_NOT_IN_SERVICE -> planWith(node("c1", ServiceState.STALE));
                    case NO_PLACEMENT_SAFE_GIVER -> planUnder((holders, giver, target) -> false);
                    case NO_PROXY_IN_SERVICE ->
                        planWith(
                                node("a1", ServiceState.STALE),
                                node("b1", ServiceState.STALE),
                                node("b2", ServiceState.STALE));
                    case STRIPED -> plan(new StoreFile("/f", 3, true, true, farBlock()));
                    case REFERENCE ->
                        planOf(new RegionFiles(List.of(), new TreeSet<>(List.of("f")), new TreeSet<>()), "c1");
                    case LINK -> planOf(new RegionFiles(List.of(), new TreeSet<>(), new TreeSet<>(List.of("f"))), "c1");
                };

        assertThat(plan.moves()).isEmpty();
        assertThat(plan.skippedByReason()).isEqualTo(Map.of(reason, 1L));
        assertThat(plan.leavesSomethingForLater()).isEqualTo(!reason.settled());
    }

    @Test
    void aLeavingHolderDoesNotCount() {
        replace(node("b2", ServiceState.LEAVING));

        assertThat(plan(file(block(1, "a1", "b1", "b2"))).skipped(SkipReason.UNDER_REPLICATED))
                .isEqualTo(1);
    }

    @Test
    void aBlockWhoseMoveIsUnderWayIsLeftAlone() {
        PlanRequest request = new PlanRequest(
                REGION,
                "c1",
                RegionFiles.of(List.of(file(block(1, "a1", "b1", "b2")))),
                DataNodes.of(nodes),
                new TreeMap<>(),
                blockId(1)::equals);

        assertThat(planner().plan(request).skippedByReason()).isEqualTo(Map.of(SkipReason.IN_FLIGHT, 1L));
    }

    @Test
    void hostNamesHaveNoCase() {
        assertThat(planFor("C1", file(block(1, "a1", "b1", "c1"))).skipped(SkipReason.ALREADY_LOCAL))
                .isEqualTo(1);
    }

    private MovePlan planWith(DataNode... changed) {
        Stream.of(changed).forEach(this::replace);
        return plan(file(block(1, "a1", "b1", "b2")));
    }

    private MovePlan planUnder(PlacementRule rule) {
        return new BlockMovePlanner(rule)
                .plan(PlanRequest.of(
                        REGION, "c1", RegionFiles.of(List.of(file(block(1, "a1", "b1", "b2")))), DataNodes.of(nodes)));
    }

    private MovePlan plan(StoreFile file) {
        return planFor("c1", file);
    }

    private MovePlan planFor(String host, StoreFile file) {
        return planOf(RegionFiles.of(List.of(file)), host);
    }

    private MovePlan planOf(RegionFiles files, String host) {
        return planner().plan(PlanRequest.of(REGION, host, files, DataNodes.of(nodes)));
    }

    private static BlockMovePlanner planner() {
        return new BlockMovePlanner(new RackRule());
    }

    private void replace(DataNode changed) {
        nodes.removeIf(known -> known.id().equals(changed.id()));
        nodes.add(changed);
    }

    private static StoreFile file(BlockReplicas... blocks) {
        return new StoreFile("/hbase/data/default/t/r/f/hfile", 3, false, true, List.of(blocks));
    }

    private static List<BlockReplicas> farBlock() {
        return List.of(block(1, "a1", "b1", "b2"));
    }

    private static BlockReplicas corrupt() {
        BlockReplicas sound = block(1, "a1", "b1", "b2");
        return new BlockReplicas(sound.block(), sound.lengthBytes(), sound.replicas(), true);
    }
}
