// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.heal;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.heal.LargeCluster.ClusterSize;
import io.hearth.bench.heal.SimulatedHdfs.Machines;
import io.hearth.bench.heal.TransferNetwork.Link;
import io.hearth.bench.heal.TransferNetwork.Transfer;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.RegionFiles;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.StoreFile;
import io.hearth.healer.move.BlockMover.MoveResult.Response;
import io.hearth.healer.plan.BlockMovePlanner;
import io.hearth.healer.plan.PlacementRule.RackRule;
import io.hearth.healer.plan.PlanRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulatedHdfsTest {

    private static final Machines MACHINES = new Machines(100_000_000, 3, 1_000_000_000, 2_000_000_000, 150_000_000);
    private static final long LISTEN_MS = 1_000_000;

    private final SimulatedTime time = new SimulatedTime();
    private final List<BlockMove> copied = new ArrayList<>();
    private final Map<Response, Integer> answers = new HashMap<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void nothingIsFasterThanMachinesAndNetwork(long seed) {
        Random random = new Random(seed);
        ClusterSize size = new ClusterSize(6 + random.nextInt(12), 3 + random.nextInt(3), 60, 1, 2, 400);
        LargeCluster cluster = new LargeCluster(size, 0.5, seed);
        SimulatedHdfs hdfs = new SimulatedHdfs(cluster, MACHINES, time, copied::add);
        List<BlockMove> moves = moves(cluster);

        moves.forEach(move -> retryUntilCopied(hdfs, move));
        Map<String, Long> bytesByHost = new HashMap<>();
        moves.forEach(move -> bytesByHost.merge(move.target().host(), move.lengthBytes(), Long::sum));
        int most = 0;
        while (copied.size() < moves.size()) {
            time.advanceTo(time.nowMicros() + 10_000);
            most = Math.max(most, assertThatMachinesKeepUp(hdfs, seed));
        }

        assertThat(time.nowMicros() / 1e6)
                .as("seed %d: seconds for %d moves", seed, moves.size())
                .isGreaterThanOrEqualTo(hdfs.leastSeconds(bytesByHost));
        assertThat(most).as("seed %d: moves of a DataNode at a time", seed).isEqualTo(3);
        assertThat(answers.get(Response.BUSY)).isPositive();
        assertThat(answers).containsEntry(Response.COPIED, moves.size()).doesNotContainKey(Response.FAILED);
    }

    @Test
    void theNameNodeListsBothUntilTheOldReplicaIsDeleted() {
        LargeCluster cluster = LargeCluster.withNewServers(new ClusterSize(6, 3, 12, 1, 1, 12), 0.1, 1);
        SimulatedHdfs hdfs = new SimulatedHdfs(cluster, MACHINES, time, copied::add);
        BlockMove move = moves(cluster).get(0);

        hdfs.start(
                move,
                move.proxy(0),
                LISTEN_MS,
                task -> {},
                result -> answers.merge(result.response(), 1, Integer::sum));
        time.advanceTo(SimulatedHdfs.CONNECT_MICROS);
        assertThat(block(hdfs, move).replicas()).hasSize(3);
        time.advanceUntil(() -> !copied.isEmpty(), Long.MAX_VALUE / 4);
        long copiedMicros = time.nowMicros();
        assertThat(answers).containsExactly(Map.entry(Response.COPIED, 1));
        assertThat(block(hdfs, move).replicas()).hasSize(4);
        assertThat(block(hdfs, move).isHeldBy(move.target().id())).isTrue();
        time.advanceTo(copiedMicros + 2_900_000);
        assertThat(block(hdfs, move).replicas()).hasSize(4);
        time.advanceTo(copiedMicros + 6_100_000);
        assertThat(block(hdfs, move).replicas()).hasSize(3);
        assertThat(block(hdfs, move).isHeldBy(move.source().id())).isFalse();

        hdfs.start(
                move,
                move.target(),
                LISTEN_MS,
                task -> {},
                result -> answers.merge(result.response(), 1, Integer::sum));
        time.advanceTo(time.nowMicros() + SimulatedHdfs.CONNECT_MICROS);
        assertThat(answers).containsEntry(Response.ALREADY_THERE, 1);
    }

    @Test
    void whoWaitsTooLongIsToldSoOnce() {
        LargeCluster cluster = LargeCluster.withNewServers(new ClusterSize(6, 3, 12, 1, 1, 12), 0.1, 1);
        SimulatedHdfs hdfs = new SimulatedHdfs(cluster, MACHINES, time, copied::add);
        BlockMove move = moves(cluster).get(0);
        hdfs.slowDown(move.target(), 1_000_000);

        hdfs.start(
                move, move.proxy(0), 10_000, task -> {}, result -> answers.merge(result.response(), 1, Integer::sum));
        time.advanceUntil(() -> !copied.isEmpty(), Long.MAX_VALUE / 4);

        assertThat(answers).containsExactly(Map.entry(Response.TIMED_OUT, 1));
    }

    @Test
    void aCallOfTheNameNodeTakesTime() {
        LargeCluster cluster = new LargeCluster(new ClusterSize(6, 3, 12, 2, 1, 24), 0.5, 1);
        SimulatedHdfs hdfs = new SimulatedHdfs(cluster, MACHINES, time, copied::add);
        ServedRegion region =
                cluster.assignmentSnapshot().servedById().values().iterator().next();

        assertThat(hdfs.list(region, 0).ifKnown()).contains(cluster.list(region.region()));
        assertThat(time.nowMicros()).as("one for each folder").isEqualTo(2 * SimulatedHdfs.NAMENODE_CALL_MICROS);
        String path = cluster.files(region.region()).get(1).path();
        assertThat(hdfs.locate(path).ifKnown().orElseThrow().path()).isEqualTo(path);
        assertThat(hdfs.usage().calls()).isEqualTo(3);
    }

    @Test
    void oneCallForSeveralRegionsTakesLittleLongerThanForOne() {
        LargeCluster cluster = new LargeCluster(new ClusterSize(12, 3, 60, 2, 2, 1_200), 1, 1);
        SimulatedHdfs hdfs = new SimulatedHdfs(cluster, MACHINES, time, copied -> {});
        List<ServedRegion> regions = cluster.assignmentSnapshot().servedById().values().stream()
                .limit(6)
                .toList();

        assertThat(hdfs.prepare(regions, 0)).as("of two folders each").isEqualTo(4);
        long micros = SimulatedHdfs.NAMENODE_CALL_MICROS
                + 8 * SimulatedHdfs.PATH_MICROS
                + 4 * 20 * SimulatedHdfs.BLOCK_MICROS;
        assertThat(time.nowMicros()).isEqualTo(micros);
        assertThat(hdfs.usage().calls()).isEqualTo(1);
        assertThat(hdfs.list(regions.get(3), 0).ifKnown())
                .contains(cluster.list(regions.get(3).region()));
        assertThat(time.nowMicros()).as("asked already").isEqualTo(micros);
        hdfs.list(regions.get(4), 0);
        assertThat(hdfs.usage().calls()).as("one for each folder").isEqualTo(3);
        List<String> paths = cluster.files(regions.get(0).region()).stream()
                .map(StoreFile::path)
                .toList();
        assertThat(hdfs.locateAll(paths)).hasSize(4).allMatch(file -> file.ifKnown()
                .isPresent());
        assertThat(hdfs.usage().calls()).isEqualTo(4);
        assertThat(hdfs.longestCallMicros()).isEqualTo(micros);
    }

    private void retryUntilCopied(SimulatedHdfs hdfs, BlockMove move) {
        hdfs.start(move, move.proxy(0), LISTEN_MS, task -> {}, result -> {
            answers.merge(result.response(), 1, Integer::sum);
            if (result.response() != Response.COPIED) {
                time.after(50_000, () -> retryUntilCopied(hdfs, move));
            }
        });
    }

    /** Returns the most transfers that share one DataNode's throttle. */
    private static int assertThatMachinesKeepUp(SimulatedHdfs hdfs, long seed) {
        Set<Link> links = new LinkedHashSet<>();
        hdfs.transfers().forEach(transfer -> links.addAll(transfer.links()));
        int most = 0;
        for (Link link : links) {
            assertThat(TransferNetworkTest.naiveSum(link, hdfs.transfers()))
                    .as("seed %d", seed)
                    .isLessThanOrEqualTo(link.bytesPerSecond() * (1 + 1e-6));
            if (link.bytesPerSecond() == 100_000_000) {
                most = Math.max(most, (int) hdfs.transfers().stream()
                        .map(Transfer::links)
                        .filter(ofOne -> ofOne.contains(link))
                        .count());
            }
        }
        return most;
    }

    private static BlockReplicas block(SimulatedHdfs hdfs, BlockMove move) {
        return hdfs.filesNow(move.region()).stream()
                .flatMap(file -> file.blocks().stream())
                .filter(block -> block.block().equals(move.block()))
                .findFirst()
                .orElseThrow();
    }

    private static List<BlockMove> moves(LargeCluster cluster) {
        BlockMovePlanner planner = new BlockMovePlanner(new RackRule());
        return cluster.assignmentSnapshot().servedById().values().stream()
                .flatMap(region -> planner
                        .plan(PlanRequest.of(
                                region.region(),
                                region.server().host(),
                                RegionFiles.of(cluster.files(region.region())),
                                cluster.dataNodes()))
                        .moves()
                        .stream())
                .toList();
    }
}
