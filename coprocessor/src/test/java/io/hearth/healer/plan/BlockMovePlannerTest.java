// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.plan;

import static io.hearth.healer.fakes.Racks.block;
import static io.hearth.healer.fakes.Racks.blockId;
import static io.hearth.healer.fakes.Racks.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.BlockReplicas.Replica;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNode.ServiceState;
import io.hearth.healer.model.DataNode.StorageType;
import io.hearth.healer.model.DataNode.Volume;
import io.hearth.healer.model.DataNodes;
import io.hearth.healer.model.RegionFiles;
import io.hearth.healer.model.RegionFiles.FilePart;
import io.hearth.healer.model.RegionFiles.FileRead;
import io.hearth.healer.model.SkipReason;
import io.hearth.healer.model.StoreFile;
import io.hearth.healer.plan.PlacementRule.RackRule;
import io.hearth.healer.plan.PlanRequest.SharedFileReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class BlockMovePlannerTest {

    private static final EncodedRegionName REGION = new EncodedRegionName("r");

    private final List<DataNode> nodes = new ArrayList<>(Stream.of("a1", "a2", "b1", "b2", "c1", "c2")
            .map(name -> node(name))
            .toList());

    @Test
    void theWorkedExample() {
        MovePlan plan = plan(file(
                block(1, "a1", "b1", "b2"),
                block(2, "a1", "b1", "c2"),
                block(3, "b1", "b2", "c1"),
                block(4, "a1", "a2", "b1", "c2")));

        assertThat(plan.moves()).extracting(move -> move.block().number()).containsExactly(1L, 2L);
        assertThat(plan.moves()).extracting(move -> move.source().host()).containsExactly("b2", "c2");
        assertThat(plan.moves()).allMatch(move -> move.target().host().equals("c1"));
        assertThat(plan.moves().get(1).proxy(0).host()).isEqualTo("c2");
        assertThat(plan.skippedByReason()).isEqualTo(Map.of(SkipReason.ALREADY_LOCAL, 1L, SkipReason.IN_FLIGHT, 1L));
        assertThat(plan.localBytes()).isEqualTo(100);
        assertThat(plan.totalBytes()).isEqualTo(400);
        assertThat(plan.hasRetryableSkips()).isTrue();
    }

    @Test
    void theBlocksOfAFileAreNotAllTakenFromOneDataNode() {
        // a1 holds most and keeps it; b1 and b2 give in turns.
        MovePlan plan = plan(file(block(1, "a1", "b1", "b2"), block(2, "a1", "b1", "b2"), block(3, "a1", "b1", "b2")));

        assertThat(plan.moves()).extracting(move -> move.source().host()).containsExactly("b1", "b2", "b1");
    }

    @Test
    void theReplicaOfARegionThatReadsTheSameFileIsSpared() {
        StoreFile file = file(block(1, "a1", "b1", "b2"));

        MovePlan plan = planner().plan(request(file, new SharedFileReader("b2", FilePart.WHOLE)));

        assertThat(plan.moves()).extracting(move -> move.source().host()).containsExactly("b1");
    }

    @Test
    void aDaughterNeedsOnlyTheHalfThatItReads() {
        StoreFile file = file(block(1, "b2", "b1", "a1"), block(2, "b2", "b1", "a1"));
        List<SharedFileReader> everywhere = Stream.of("a1", "b1", "b2")
                .map(host -> new SharedFileReader(host, FilePart.FIRST_HALF))
                .toList();

        MovePlan plan = planner().plan(request(file, everywhere.toArray(SharedFileReader[]::new)));

        assertThat(plan.moves()).extracting(move -> move.block().number()).containsExactly(2L);
        assertThat(plan.skippedByReason()).isEqualTo(Map.of(SkipReason.LOCAL_TO_OTHER_REGION, 1L));
    }

    @Test
    void onlyTheHalfThatTheRegionReadsIsMoved() {
        StoreFile file = file(
                block(1, "a1", "b1", "b2"),
                block(2, "a1", "b1", "b2"),
                block(3, "a1", "b1", "c1"),
                block(4, "a1", "b1", "b2"));
        FileRead top = new FileRead(file, FilePart.SECOND_HALF, false, new TreeMap<>());

        MovePlan plan = planOf(new RegionFiles(List.of(top), Map.of(), false), "c1");

        assertThat(plan.moves()).extracting(move -> move.block().number()).containsExactly(4L);
        assertThat(plan.localBytes()).isEqualTo(100);
        assertThat(plan.totalBytes()).isEqualTo(200);
    }

    @Test
    void theServerBeforeKeepsWhatItHas() {
        // Without it a1 would be the best survivor, and b1 would give before b2.
        StoreFile file = file(block(1, "a1", "b1", "b2"), block(2, "a1", "b1", "b2"));
        PlanRequest request = new PlanRequest(
                REGION,
                "c1",
                RegionFiles.of(List.of(file)),
                DataNodes.of(nodes),
                Map.of(),
                Optional.of("b1"),
                id -> false,
                Long.MAX_VALUE);

        assertThat(planner().plan(request).moves())
                .extracting(move -> move.source().host())
                .containsExactly("b2", "b2");
    }

    @Test
    void whoHoldsMostOfTheRegionKeepsIt() {
        // b1 holds all three blocks; without that it would be asked first for 1 and 3.
        MovePlan plan = plan(file(block(1, "a1", "b1", "b2"), block(2, "a1", "a2", "b1"), block(3, "a2", "b1", "b2")));

        assertThat(plan.moves()).extracting(move -> move.source().host()).containsExactly("b2", "a1", "b2");
    }

    @Test
    void theFullestGives() {
        Stream.of("a1", "b1", "b2").forEach(name -> replace(used(name, 0.5)));
        assertThat(sourceOf(block(1, "a1", "b1", "b2"))).isEqualTo("b1");

        replace(used("b2", 0.81));
        replace(used("b1", 0.79));
        assertThat(sourceOf(block(1, "a1", "b1", "b2"))).isEqualTo("b2");

        // Within five points they are as full as each other.
        replace(used("b1", 0.84));
        assertThat(sourceOf(block(1, "a1", "b1", "b2"))).isEqualTo("b1");
    }

    @Test
    void whatDoesNotFitIntoTheBudgetStays() {
        StoreFile file = file(block(1, "a1", "b1", "b2"), block(2, "a1", "b1", "b2"), block(3, "a1", "b1", "b2"));
        PlanRequest request = new PlanRequest(
                REGION,
                "c1",
                RegionFiles.of(List.of(file)),
                DataNodes.of(nodes),
                Map.of(),
                Optional.empty(),
                id -> false,
                250);

        MovePlan plan = planner().plan(request);

        assertThat(plan.bytesToMove()).isEqualTo(200);
        assertThat(plan.skippedByReason()).isEqualTo(Map.of(SkipReason.OVER_BUDGET, 1L));
    }

    @ParameterizedTest
    @CsvSource({"100, 1", "199, 1", "200, 2"})
    void aBlockThatJustFitsIntoTheBudgetIsMoved(long budgetBytes, int moves) {
        PlanRequest request = new PlanRequest(
                REGION,
                "c1",
                RegionFiles.of(List.of(file(block(1, "a1", "b1", "b2"), block(2, "a1", "b1", "b2")))),
                DataNodes.of(nodes),
                Map.of(),
                Optional.empty(),
                id -> false,
                budgetBytes);

        assertThat(planner().plan(request).moves()).hasSize(moves);
    }

    /** The replicas are in the order of their DataNodes, the wanted types in their own. */
    @Test
    void storageTypesAreComparedWhateverTheirOrder() {
        BlockReplicas ssdFirst = new BlockReplicas(
                blockId(1),
                100,
                List.of(
                        new Replica(node("a1"), StorageType.SSD),
                        new Replica(node("b1"), StorageType.DISK),
                        new Replica(node("b2"), StorageType.DISK)),
                false);
        List<StorageType> wanted = List.of(StorageType.SSD, StorageType.DISK, StorageType.DISK);

        assertThat(plan(new StoreFile("/f", 3, false, true, wanted, List.of(ssdFirst)))
                        .moves())
                .hasSize(1);
    }

    /** Each holds as much, and a1 comes first but is stale: so b1 is where the region would best be opened, and b2 gives. */
    @Test
    void aStaleDataNodeIsNoPlaceToBeOpenedAt() {
        replace(node("a1", ServiceState.STALE));

        assertThat(plan(file(block(1, "a1", "b1", "b2"))).moves())
                .extracting(move -> move.source().host())
                .containsExactly("b2");
    }

    @Test
    void ofTwoRulesBothMustAllow() {
        PlacementRule yes = (holders, source, target) -> true;
        PlacementRule no = (holders, source, target) -> false;
        DataNode node = node("a1");

        assertThat(yes.and(yes).mayReplace(List.of(), node, node)).isTrue();
        assertThat(yes.and(no).mayReplace(List.of(), node, node)).isFalse();
        assertThat(no.and(yes).mayReplace(List.of(), node, node)).isFalse();
    }

    @Test
    void theStorageTypeOfTheSourceIsKept() {
        List<StorageType> oneSsd = List.of(StorageType.SSD, StorageType.DISK, StorageType.DISK);

        MovePlan plan = plan(new StoreFile("/f", 3, false, true, oneSsd, List.of(withSsdOnC2())));

        assertThat(plan.moves()).extracting(BlockMove::storageType).containsExactly(StorageType.SSD);
    }

    /** c1 has disks alone. By the order of sources a2 would give: a1 holds most, and b1 is alone on its rack. */
    @Test
    void theReplicaOnAStorageThatTheTargetHasGoesFirst() {
        MovePlan plan = plan(withItsSsdOnA2());

        assertThat(plan.moves()).extracting(move -> move.source().host()).containsExactly("b1");
        assertThat(plan.moves()).extracting(BlockMove::storageType).containsExactly(StorageType.DISK);
    }

    /** Its SSDs are full, and the disk replica of b1 fits. */
    @Test
    void aFullKindOfStorageIsNoReasonToLeaveABlockOfWhichAnotherReplicaFits() {
        replace(node(
                "c1",
                new Volume("DS-1", StorageType.SSD, true, 1_000, 950, 50),
                new Volume("DS-2", StorageType.DISK, true, 10_000, 0, 10_000)));
        assertThat(plan(withItsSsdOnA2()).moves())
                .extracting(move -> move.source().host())
                .containsExactly("b1");
    }

    private StoreFile withItsSsdOnA2() {
        BlockReplicas block = new BlockReplicas(
                blockId(1),
                100,
                List.of(
                        new Replica(node("a1"), StorageType.DISK),
                        new Replica(node("a2"), StorageType.SSD),
                        new Replica(node("b1"), StorageType.DISK)),
                false);
        List<StorageType> oneSsd = List.of(StorageType.SSD, StorageType.DISK, StorageType.DISK);
        return new StoreFile("/f", 3, false, true, oneSsd, List.of(block));
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
                    case TARGET_FULL -> planWith(with("c1", OptionalDouble.empty(), OptionalLong.of(99)));
                    case NO_REMOVABLE_REPLICA -> planUnder((holders, source, target) -> false);
                    case NO_PROXY_IN_SERVICE ->
                        planWith(
                                node("a1", ServiceState.STALE),
                                node("b1", ServiceState.STALE),
                                node("b2", ServiceState.STALE));
                    case LOCAL_TO_OTHER_REGION ->
                        planner()
                                .plan(request(
                                        file(block(1, "a1", "b1", "c2")), new SharedFileReader("c2", FilePart.WHOLE)));
                    case STORAGE_POLICY_UNMET -> plan(file(withSsdOnC2()));
                    case OVER_BUDGET ->
                        planner()
                                .plan(new PlanRequest(
                                        REGION,
                                        "c1",
                                        RegionFiles.of(List.of(file(block(1, "a1", "b1", "b2")))),
                                        DataNodes.of(nodes),
                                        Map.of(),
                                        Optional.empty(),
                                        id -> false,
                                        99));
                    case COMPACTION_PENDING ->
                        planner()
                                .plan(new PlanRequest(
                                        REGION,
                                        "c1",
                                        RegionFiles.of(List.of(file(block(1, "a1", "b1", "b2")))),
                                        DataNodes.of(nodes),
                                        Map.of(),
                                        Optional.empty(),
                                        id -> false,
                                        TargetHeadroom.upTo(0.9),
                                        Long.MAX_VALUE,
                                        file -> true));
                    case NOT_MOVABLE_STORAGE -> plan(file(on(StorageType.RAM_DISK, "a1", "b1", "b2")));
                    case PINNED ->
                        planOf(
                                new RegionFiles(
                                        List.of(FileRead.own(file(block(1, "a1", "b1", "b2")))), Map.of(), true),
                                "c1");
                    case STRIPED -> plan(new StoreFile("/f", 3, true, true, farBlock()));
                    case DANGLING_REFERENCE, UNOWNED_MOB ->
                        planOf(new RegionFiles(List.of(), Map.of(reason, 1L), false), "c1");
                };

        assertThat(plan.moves()).isEmpty();
        assertThat(plan.skippedByReason()).isEqualTo(Map.of(reason, 1L));
        assertThat(plan.hasRetryableSkips()).isEqualTo(!reason.permanent());
    }

    @Test
    void aTargetIsFilledNoFurtherThanItsRoom() {
        replace(with("c1", OptionalDouble.empty(), OptionalLong.of(200)));

        MovePlan plan = plan(file(block(1, "a1", "b1", "b2"), block(2, "a1", "b1", "c2"), block(3, "a1", "b1", "c2")));

        assertThat(plan.moves()).extracting(move -> move.block().number()).containsExactly(1L, 2L);
        assertThat(plan.skippedByReason()).isEqualTo(Map.of(SkipReason.TARGET_FULL, 1L));
    }

    @Test
    void whatEarlierPlansHavePromisedIsNotFree() {
        replace(with("c1", OptionalDouble.empty(), OptionalLong.of(300)));

        MovePlan plan = planner()
                .plan(new PlanRequest(
                        REGION,
                        "c1",
                        RegionFiles.of(List.of(file(block(1, "a1", "b1", "b2"), block(2, "a1", "b1", "c2")))),
                        DataNodes.of(nodes),
                        Map.of(),
                        Optional.empty(),
                        id -> false,
                        new TargetHeadroom(0.9, Map.of(StorageType.DISK, 200L)),
                        Long.MAX_VALUE,
                        file -> false));

        assertThat(plan.moves()).hasSize(1);
        assertThat(plan.skippedByReason()).isEqualTo(Map.of(SkipReason.TARGET_FULL, 1L));
    }

    @Test
    void aLeavingHolderDoesNotCount() {
        replace(node("b2", ServiceState.NOT_IN_SERVICE));

        assertThat(plan(file(block(1, "a1", "b1", "b2"))).skipped(SkipReason.UNDER_REPLICATED))
                .isEqualTo(1);
    }

    /** HDFS has copied it from b2, which is being decommissioned, and goes on naming b2. a1 holds most, b1 is alone on its rack. */
    @Test
    void aReplicaOnALeavingDataNodeIsNotOneTooMany() {
        replace(node("b2", ServiceState.NOT_IN_SERVICE));

        MovePlan plan = plan(file(block(1, "a1", "a2", "b1", "b2")));

        assertThat(plan.moves()).extracting(move -> move.source().host()).containsExactly("a2");
        assertThat(plan.moves().get(0).racks()).isEqualTo(2);
        assertThat(plan.skippedByReason()).isEmpty();
    }

    @Test
    void aBlockWhoseMoveIsUnderWayIsLeftAlone() {
        PlanRequest request = new PlanRequest(
                REGION,
                "c1",
                RegionFiles.of(List.of(file(block(1, "a1", "b1", "b2")))),
                DataNodes.of(nodes),
                Map.of(),
                Optional.empty(),
                blockId(1)::equals,
                Long.MAX_VALUE);

        assertThat(planner().plan(request).skippedByReason()).isEqualTo(Map.of(SkipReason.IN_FLIGHT, 1L));
    }

    @Test
    void hostNamesHaveNoCase() {
        assertThat(planFor("C1", file(block(1, "a1", "b1", "c1"))).skipped(SkipReason.ALREADY_LOCAL))
                .isEqualTo(1);
    }

    private PlanRequest request(StoreFile file, SharedFileReader... others) {
        return new PlanRequest(
                REGION,
                "c1",
                RegionFiles.of(List.of(file)),
                DataNodes.of(nodes),
                Map.of(file.name(), List.of(others)),
                Optional.empty(),
                id -> false,
                Long.MAX_VALUE);
    }

    /** Who gives for a file of this block alone, with a second file that makes a2 the best survivor. */
    private String sourceOf(BlockReplicas block) {
        StoreFile other = new StoreFile("/g", 3, false, true, List.of(block(8, "a2", "b1", "c1")));
        StoreFile another = new StoreFile("/h", 3, false, true, List.of(block(9, "a2", "b2", "c1")));
        MovePlan plan = planOf(RegionFiles.of(List.of(file(block), other, another)), "c1");
        assertThat(plan.moves()).hasSize(1);
        return plan.moves().get(0).source().host();
    }

    private static DataNode used(String name, double share) {
        return with(name, OptionalDouble.of(share), OptionalLong.empty());
    }

    private static DataNode with(String name, OptionalDouble usedShare, OptionalLong freeBytes) {
        DataNode node = node(name);
        return new DataNode(
                node.id(),
                node.host(),
                node.ipAddress(),
                node.rack(),
                node.state(),
                Optional.empty(),
                usedShare,
                freeBytes);
    }

    private static BlockReplicas withSsdOnC2() {
        List<Replica> replicas = new ArrayList<>(Stream.of("a1", "b1")
                .map(name -> new Replica(node(name), StorageType.DISK))
                .toList());
        replicas.add(new Replica(node("c2"), StorageType.SSD));
        return new BlockReplicas(blockId(1), 100, replicas, false);
    }

    private static BlockReplicas on(StorageType type, String... holders) {
        return new BlockReplicas(
                blockId(1),
                100,
                Stream.of(holders).map(name -> new Replica(node(name), type)).toList(),
                false);
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
