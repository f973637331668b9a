// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.config.HealLimitSettings.HealLimitConfig;
import io.hearth.healer.estimate.HealEstimate.DataNodeTime;
import io.hearth.healer.estimate.HealEstimator.NameNodeCost;
import io.hearth.healer.fakes.Racks;
import io.hearth.healer.metrics.HealLimit;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNode.StorageType;
import io.hearth.healer.move.MoveExecutor.DataNodeLimits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HealEstimatorTest {

    private static final long MB = 1 << 20;
    private static final NameNodeCost FREE = new NameNodeCost(0, 0, 0, 1);

    /** 100 MiB/s for each DataNode: the lost seconds of its slow start are 0.75 + 0.65 + ... + 0.05. */
    private static final double SLOW_START = 3.2;

    /** As long as HDFS takes at its own intervals. */
    private static final double CONFIRM = 6.5;

    private long number;

    @Test
    void nothingToMoveTakesNoTime() {
        assertThat(estimate(config(0, 0, 0, 1_000), FREE))
                .isEqualTo(new HealEstimate(0, 0, 0, 0, 0, HealLimit.NOTHING_WAITS, List.of()));
    }

    @Test
    void oneNewDataNodeReceivesAllThatItsLimitAllows() {
        List<BlockMove> moves = new ArrayList<>();
        for (int block = 0; block < 300; block++) {
            moves.add(move("/f" + block / 3, 128 * MB, "a1", "b1", "c1"));
        }

        HealEstimate estimate = estimate(config(0, 0, 0, 1_000), new NameNodeCost(100, 300, 100, 1), moves);

        assertThat(estimate.seconds()).isCloseTo(384 + SLOW_START + CONFIRM, within(0.01));
        assertThat(estimate.limit()).isEqualTo(HealLimit.DATANODE_BANDWIDTH);
        assertThat(estimate.bytes()).isEqualTo(300 * 128 * MB);
        assertThat(estimate.moves()).isEqualTo(300);
        assertThat(estimate.dataNodes().get(0))
                .isEqualTo(new DataNodeTime(
                        Racks.node("a1"),
                        300 * 128 * MB,
                        0,
                        100 * MB,
                        estimate.dataNodes().get(0).seconds()));
        assertThat(estimate.nameNodeCalls())
                .as("listed once each, asked 4 times and once for each second between the first block and the last")
                .isEqualTo(100 + 100 * 4 + Math.round(2 / 3.0 * (384 + SLOW_START)));
    }

    /** Measured: 5.5 s with heartbeats of 3 s and redundancy looked at each second. */
    @Test
    void confirmingTakesAsLongAsHeartbeatsAndRedundancyNeed() {
        assertThat(HealEstimator.confirmSeconds(3, 3)).isEqualTo(CONFIRM);
        assertThat(HealEstimator.confirmSeconds(3, 1)).isEqualTo(5.5);
        assertThat(HealEstimator.confirmSeconds(1, 1)).isEqualTo(2.5);
    }

    @Test
    void aHealerThatHealedJustBeforeLosesNothingToASlowStart() {
        List<BlockMove> moves = List.of(move("/f", 1_000 * MB, "a1", "b1"));
        HealEstimator resting = estimator(config(0, 0, 0, 1_000));

        assertThat(resting.startingAt(1).estimate(moves, FREE).seconds()).isCloseTo(10 + CONFIRM, within(0.01));
        assertThat(resting.startingAt(0.45).estimate(moves, FREE).seconds())
                .as("two seconds into the slow start")
                .isCloseTo(10 + SLOW_START - 0.75 - 0.65 + CONFIRM, within(0.01));
        assertThat(resting.startingAt(0.1).estimate(moves, FREE)).isEqualTo(resting.estimate(moves, FREE));
    }

    @Test
    void copiesComeFromProxiesThatHaveLessToDoThanTheTarget() {
        HealEstimate estimate = estimate(
                config(0, 0, 0, 1_000),
                FREE,
                List.of(
                        move("/f", 400 * MB, "a1", "b1", "c1"),
                        move("/f", 400 * MB, "a1", "b1", "c1"),
                        move("/g", 900 * MB, "b1", "c1"),
                        move("/h", 100 * MB, "c2", "b1", "c1")));

        assertThat(bytesOut(estimate)).isEqualTo(Map.of("b1", 100 * MB, "c1", 1_700 * MB, "a1", 0L, "c2", 0L));
    }

    @Test
    void theLimitThatHoldsLongestIsNamed() {
        List<BlockMove> moves = List.of(move("/f", 1_000 * MB, "a1", "b1"), move("/g", 1_000 * MB, "c1", "b2"));

        assertThat(estimate(config(50 * MB, 0, 0, 1_000), FREE, moves).seconds())
                .as("50 MB/s for each DataNode")
                .isCloseTo(20 + SLOW_START + CONFIRM, within(0.01));
        HealEstimate racks = estimate(config(0, 10 * MB, 0, 1_000), FREE, moves);
        assertThat(racks.limit()).isEqualTo(HealLimit.RACK_BANDWIDTH);
        assertThat(racks.seconds()).as("2,000 MB out of rack b").isCloseTo(200 + CONFIRM, within(0.01));
        HealEstimate cluster = estimate(config(0, 0, 20 * MB, 1_000), FREE, moves);
        assertThat(cluster.limit()).isEqualTo(HealLimit.CLUSTER_BANDWIDTH);
        assertThat(cluster.seconds()).isCloseTo(100 + CONFIRM, within(0.01));
        HealEstimate nameNode = estimate(config(0, 0, 0, 1_000), new NameNodeCost(9_990, 4_000, 1_000, 1), moves);
        assertThat(nameNode.limit()).isEqualTo(HealLimit.NAMENODE_BUDGET);
        assertThat(nameNode.seconds())
                .as("2 % of a handler: 5 calls a second")
                .isCloseTo(nameNode.nameNodeCalls() / 5.0 + CONFIRM, within(1.0));
        assertThat(nameNode.nameNodeMs()).isCloseTo(4 * nameNode.nameNodeCalls(), within(4L));
    }

    @Test
    void smallBlocksWaitForPlacesAndNotForBytes() {
        List<BlockMove> moves = new ArrayList<>();
        for (int block = 0; block < 1_000; block++) {
            moves.add(move("/f" + block, 1_000, "a1", "b1", "c1"));
        }

        HealEstimate estimate = estimate(config(0, 0, 0, 1_000), FREE, moves);

        assertThat(estimate.limit()).isEqualTo(HealLimit.DATANODE_MOVES);
        assertThat(estimate.seconds()).as("30 ms each, 2 at a time").isCloseTo(15 + CONFIRM, within(0.1));
        assertThat(estimate(config(0, 0, 0, 1), FREE, moves).limit()).isEqualTo(HealLimit.CLUSTER_MOVES);
    }

    /** 2,000 files are asked about 4 times each: one by one, or by a call a second while the busiest DataNode receives. */
    @Test
    void oneCallAsksManyFiles() {
        List<BlockMove> moves = new ArrayList<>();
        for (int file = 0; file < 2_000; file++) {
            moves.add(move("/f" + file, 10 * MB, "a1", "b1", "c1"));
        }
        HealLimitConfig config = config(100 * MB, 0, 0, 1_000);

        assertThat(estimate(config, new NameNodeCost(70, 300, 100, 1), moves).nameNodeCalls())
                .isEqualTo(8_070);
        HealEstimate batched = estimate(config, new NameNodeCost(70, 300, 100, 100), moves);
        assertThat((double) batched.nameNodeCalls())
                .as("100 regions 1.6 times, and 1.3 calls a second")
                .isCloseTo(160 + 1.3 * batched.seconds(), within(1.0));
        assertThat((double) estimate(config, new NameNodeCost(70, 300, 100, 10), moves)
                        .nameNodeCalls())
                .as("800 questions do not fit into a call a second")
                .isCloseTo(160 + 800 + 0.3 * batched.seconds(), within(1.0));
    }

    @Test
    void aDryRunThatListedRegionsTwiceCountsThemOnce() {
        assertThat(NameNodeCost.of(200, 60_000, 100, 50, 7)).isEqualTo(new NameNodeCost(100, 300, 50, 7));
        assertThat(NameNodeCost.of(0, 0, 0, 0, 1)).isEqualTo(new NameNodeCost(0, 0, 0, 1));
    }

    /** Broken (all bytes / the rate of all): 240 bytes at 24 a second, of which 180 are one DataNode's that gets 8 of them. */
    @Test
    void theRestIsOverWhenTheBusiestDataNodeIs() {
        Map<DataNode, Long> left = Map.of(Racks.node("a1"), 180L, Racks.node("b1"), 30L, Racks.node("c1"), 30L);

        assertThat(remaining(left, 4, 8, 0)).isCloseTo(22.5 + CONFIRM, within(0.01));
        assertThat(remaining(left, 4, 8, 10)).as("the limit is the cluster's").isCloseTo(24 + CONFIRM, within(0.01));
    }

    /** Broken (each DataNode with a byte left has a share): one of 100 that has all but 99 bytes would take a hundred times as long. */
    @Test
    void dataNodesWithNextToNothingLeftTakeNoPartOfTheRate() {
        Map<DataNode, Long> left = new HashMap<>();
        names(10, 10).forEach(name -> left.put(Racks.node(name), name.equals("a1") ? 10_000L : 1L));

        assertThat(remaining(left, 100, 100, 0)).isCloseTo(100 + CONFIRM, within(0.01));
    }

    @Test
    void whatIsReceivedIsSentToo() {
        Map<DataNode, Long> left = new HashMap<>();
        names(2, 5).forEach(name -> left.put(Racks.node(name), 100L));

        assertThat(remaining(left, 10, 10, 0)).as("100 in and 100 out, each").isCloseTo(20 + CONFIRM, within(0.01));
        assertThat(remaining(left, 40, 10, 0)).as("others send").isCloseTo(10 + CONFIRM, within(0.01));
    }

    private static double remaining(Map<DataNode, Long> left, int nodes, double bytesPerSecond, long cluster) {
        List<DataNode> all =
                names(10, 10).stream().limit(nodes).map(Racks::node).toList();
        return HealEstimator.remainingSeconds(left, all, (node, bytes) -> bytes / bytesPerSecond, cluster, CONFIRM);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void aRandomHealTakesAsLongAsItsBusiestPart(long seed) {
        Random random = new Random(seed);
        Map<String, DataNodeLimits> allowed = new HashMap<>();
        for (String name : names(2 + random.nextInt(4), 1 + random.nextInt(6))) {
            allowed.put(name, new DataNodeLimits(2 + random.nextInt(100), (1 + random.nextInt(200)) * MB));
        }
        List<String> names = allowed.keySet().stream().sorted().toList();
        List<BlockMove> moves = new ArrayList<>();
        for (int block = random.nextInt(400); block >= 0; block--) {
            String target = names.get(random.nextInt(names.size()));
            List<String> others =
                    names.stream().filter(name -> !name.equals(target)).toList();
            String[] proxies = Stream.generate(() -> others.get(random.nextInt(others.size())))
                    .limit(3)
                    .distinct()
                    .toArray(String[]::new);
            moves.add(move("/f" + block / 3, 1 + random.nextInt((int) (128 * MB)), target, proxies));
        }
        HealLimitConfig config = config(
                random.nextBoolean() ? 0 : (1 + random.nextInt(100)) * MB,
                random.nextBoolean() ? 0 : (1 + random.nextInt(100)) * MB,
                random.nextBoolean() ? 0 : (1 + random.nextInt(100)) * MB,
                1 + random.nextInt(100));

        HealEstimate estimate =
                new HealEstimator(config, node -> allowed.get(node.host()), CONFIRM).estimate(moves, FREE);

        String cluster = "seed " + seed + ": " + allowed + ", " + config + ", " + moves;
        long bytes = moves.stream().mapToLong(BlockMove::lengthBytes).sum();
        double least = config.clusterBytesPerSecond() == 0 ? 0 : (double) bytes / config.clusterBytesPerSecond();
        long received = 0;
        long sent = 0;
        for (DataNodeTime time : estimate.dataNodes()) {
            String name = time.node().host();
            assertThat(time.bytesIn()).as(cluster).isEqualTo(bytes(moves, move -> List.of(move.target()), name));
            assertThat(time.bytesOut()).as(cluster).isLessThanOrEqualTo(bytes(moves, BlockMove::proxies, name));
            long most = config.dataNodeBytesPerSecond() == 0
                    ? allowed.get(name).bytesPerSecond()
                    : Math.min(
                            config.dataNodeBytesPerSecond(), allowed.get(name).bytesPerSecond());
            assertThat(time.bytesPerSecond()).as(cluster).isEqualTo(most);
            least = Math.max(least, (double) (time.bytesIn() + time.bytesOut()) / most);
            assertThat(time.seconds()).as(cluster).isLessThanOrEqualTo(estimate.seconds());
            received += time.bytesIn();
            sent += time.bytesOut();
        }
        assertThat(received).as(cluster).isEqualTo(bytes).isEqualTo(sent);
        assertThat(estimate.bytes()).as(cluster).isEqualTo(bytes);
        assertThat(estimate.seconds()).as(cluster).isGreaterThan(least);
        if (estimate.limit() == HealLimit.DATANODE_BANDWIDTH || estimate.limit() == HealLimit.CLUSTER_BANDWIDTH) {
            assertThat(estimate.seconds()).as(cluster).isLessThanOrEqualTo(least + SLOW_START + CONFIRM + 0.01);
        }
    }

    private static long bytes(List<BlockMove> moves, Function<BlockMove, List<DataNode>> nodes, String name) {
        return moves.stream()
                .filter(move -> nodes.apply(move).contains(Racks.node(name)))
                .mapToLong(BlockMove::lengthBytes)
                .sum();
    }

    private static List<String> names(int racks, int eachRack) {
        List<String> names = new ArrayList<>();
        for (int rack = 0; rack < racks; rack++) {
            for (int node = 1; node <= eachRack; node++) {
                names.add((char) ('a' + rack) + "" + node);
            }
        }
        return names;
    }

    private static Map<String, Long> bytesOut(HealEstimate estimate) {
        Map<String, Long> bytesOut = new HashMap<>();
        estimate.dataNodes().forEach(time -> bytesOut.put(time.node().host(), time.bytesOut()));
        return bytesOut;
    }

    private static HealEstimate estimate(HealLimitConfig config, NameNodeCost nameNode) {
        return estimate(config, nameNode, List.of());
    }

    private static HealEstimate estimate(HealLimitConfig config, NameNodeCost nameNode, List<BlockMove> moves) {
        return estimator(config).estimate(moves, nameNode);
    }

    private static HealEstimator estimator(HealLimitConfig config) {
        return new HealEstimator(config, node -> new DataNodeLimits(100, 100 * MB), CONFIRM);
    }

    private static HealLimitConfig config(long dataNode, long rack, long cluster, int clusterMoves) {
        return new HealLimitConfig(dataNode, 0, rack, cluster, clusterMoves, 0.02, 500);
    }

    private BlockMove move(String file, long bytes, String target, String... proxies) {
        List<DataNode> nodes = Stream.of(proxies).map(Racks::node).toList();
        return new BlockMove(
                new EncodedRegionName("r"),
                file,
                Racks.blockId(number++),
                bytes,
                StorageType.DISK,
                nodes.get(0),
                nodes,
                Racks.node(target),
                3,
                3);
    }
}
