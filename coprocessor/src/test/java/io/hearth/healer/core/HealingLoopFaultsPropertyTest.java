// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import static io.hearth.healer.fakes.Racks.block;
import static io.hearth.healer.fakes.Racks.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import io.hearth.healer.config.HealingSettings.HealingConfig;
import io.hearth.healer.fakes.CountedMetrics;
import io.hearth.healer.fakes.FakeHdfs;
import io.hearth.healer.fakes.HealLimits;
import io.hearth.healer.fakes.HealPolicies;
import io.hearth.healer.fakes.HealerStates;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.HealRank;
import io.hearth.healer.model.ServedRegion.ReportedLocality;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import io.hearth.healer.model.StoreFile;
import io.hearth.healer.queue.PollHints;
import io.hearth.healer.spi.Assignments.AssignmentSnapshot;
import io.hearth.healer.spi.Observed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The loop among DataNodes and a NameNode that fail in every way a seed can think of, with two moves at a time, so that a slot
 * that did not come back would be missed. As long as it lasts: never a second move of a block while nobody can know how the
 * first ends, never a replica too few. Once the faults end: everything becomes local, and nothing is held any more. In two of three
 * seeds regions need no time to settle, in two of five several are asked for by one call, and in half of them two regions read the same file.
 */
class HealingLoopFaultsPropertyTest {

    private static final int REGIONS = 4;
    private static final EncodedRegionName R1 = new EncodedRegionName("r1");
    private static final List<String> HOSTS = List.of("a1", "a2", "b1", "b2", "c1", "c2");
    private static final List<HealingCounter> ENDS = List.of(
            HealingCounter.BLOCKS_VERIFIED,
            HealingCounter.BLOCKS_FAILED,
            HealingCounter.BLOCKS_REVERTED,
            HealingCounter.BLOCKS_DELETED,
            HealingCounter.BLOCKS_INCONCLUSIVE,
            HealingCounter.BLOCKS_CANCELLED);
    private static final long STEP_MS = 500;
    private static final long FAULTS_MS = 1_800_000;
    private static final long PATIENCE_MS = 12 * 3_600_000;

    private final FakeHdfs hdfs = new FakeHdfs();
    private final CountedMetrics metrics = new CountedMetrics();
    private final Map<EncodedRegionName, ServedRegion> served = new TreeMap<>();
    /** Files as they were seen with replicas enough: they never change, so that each is looked at once. */
    private final Set<StoreFile> safeFiles = Collections.newSetFromMap(new IdentityHashMap<>());

    private long regionStableMs;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 30L * Integer.getInteger("hearth.test.repetitions", 1));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everySlotComesBackAndNoBlockIsMovedTwiceAtATime(long seed) throws InterruptedException {
        Random random = new Random(seed);
        FaultyDataNodes dataNodes = new FaultyDataNodes(hdfs, random);
        regionStableMs = seed % 3 == 0 ? 5_000 : 0;
        hdfs.atATime = seed % 5 < 2 ? 8 : 1;
        HealingLoop loop = loop(dataNodes);
        layOut(random);
        if (seed % 2 == 0) {
            hdfs.pathsByRegion.get(R1).add(path(0));
        }
        long nowMs = 0;
        for (; nowMs < FAULTS_MS; nowMs += STEP_MS) {
            hdfs.nameNodeFails = random.nextInt(8) == 0;
            hdfs.deletesTheNewReplica = random.nextInt(4) == 0;
            if (random.nextInt(600) == 0) {
                serve(random.nextInt(REGIONS), HOSTS.get(random.nextInt(HOSTS.size())));
            }
            turn(loop, dataNodes, random.nextInt(6) == 0, nowMs, seed);
        }
        dataNodes.faulty = false;
        hdfs.nameNodeFails = false;
        hdfs.deletesTheNewReplica = false;
        for (; nowMs < FAULTS_MS + PATIENCE_MS && !(isIdle(dataNodes) && isLocal()); nowMs += STEP_MS) {
            turn(loop, dataNodes, nowMs % 3_000 == 0, nowMs, seed);
        }
        assertThat(isLocal())
                .as("seed %s: local after %s ms, %s, %s", seed, nowMs, served.values(), hdfs.fileByPath.values())
                .isTrue();
        assertThat(isIdle(dataNodes)).as("seed %s: nothing is held", seed).isTrue();
        assertThat(metrics.get(HealingCounter.BYTES_VERIFIED))
                .as("seed %s: verified is what was copied, at most", seed)
                .isLessThanOrEqualTo(
                        hdfs.moved.stream().mapToLong(BlockMove::lengthBytes).sum());
    }

    private void turn(HealingLoop loop, FaultyDataNodes dataNodes, boolean deletesExcess, long nowMs, long seed)
            throws InterruptedException {
        dataNodes.advance(nowMs);
        loop.doWork(nowMs);
        if (deletesExcess) {
            hdfs.deleteExcess();
        }
        assertThat(dataNodes.movedTwice).as("seed %s at %s ms", seed, nowMs).isEmpty();
        for (StoreFile file : hdfs.fileByPath.values()) {
            if (safeFiles.add(file)) {
                assertThat(file.blocks())
                        .as("seed %s at %s ms", seed, nowMs)
                        .allMatch(block -> block.replicas().size() >= 3 && block.racks() >= 2);
            }
        }
        long inFlight = metrics.get(HealingGauge.BLOCKS_IN_FLIGHT);
        assertThat(inFlight).isGreaterThanOrEqualTo(0);
        assertThat(inFlight + metrics.get(HealingGauge.BLOCKS_WAITING))
                .as("seed %s at %s ms: every end belongs to one plan", seed, nowMs)
                .isEqualTo(metrics.get(HealingCounter.BLOCKS_PLANNED) - endedMoves());
    }

    private long endedMoves() {
        long ended = 0;
        for (HealingCounter end : ENDS) {
            ended += metrics.get(end);
        }
        return ended;
    }

    private boolean isIdle(FaultyDataNodes dataNodes) {
        return dataNodes.open() == 0
                && metrics.get(HealingGauge.BLOCKS_IN_FLIGHT) == 0
                && metrics.get(HealingGauge.BLOCKS_WAITING) == 0;
    }

    private boolean isLocal() {
        return hdfs.fileByPath.values().stream().allMatch(file -> file.blocks().stream()
                .allMatch(block ->
                        block.replicas().size() == 3 && readers(file.path()).anyMatch(block::isLocalTo)));
    }

    /** The hosts on which the file is read. Of two readers of a file one may have to do without. */
    private Stream<String> readers(String path) {
        return served.values().stream()
                .filter(region -> hdfs.pathsByRegion.get(region.region()).contains(path))
                .map(region -> region.server().host());
    }

    private static String path(int region) {
        return "/hbase/data/default/t/r" + region + "/f/of-r" + region;
    }

    private void layOut(Random random) {
        HOSTS.forEach(name -> hdfs.nodes.add(node(name)));
        for (int region = 0; region < REGIONS; region++) {
            String path = path(region);
            List<BlockReplicas> blocks = new ArrayList<>();
            for (int number = 0; number < 5; number++) {
                String rack = Stream.of("a", "b", "c")
                        .skip(random.nextInt(3))
                        .findFirst()
                        .orElseThrow();
                String other = rack.equals("a") ? "b1" : "a" + (1 + random.nextInt(2));
                blocks.add(block(region * 100 + number, rack + "1", rack + "2", other));
            }
            hdfs.addFile(new EncodedRegionName("r" + region), new StoreFile(path, 3, false, true, blocks));
            serve(region, HOSTS.get(random.nextInt(HOSTS.size())));
        }
    }

    /** Its server never reports more than this: only what the NameNode says settles anything. */
    private void serve(int number, String host) {
        EncodedRegionName region = new EncodedRegionName("r" + number);
        served.put(
                region,
                new ServedRegion(
                        region,
                        new TableId("t"),
                        HealRank.USER,
                        TableHealingMode.ON,
                        new ServerId(host, 16020, 1),
                        Optional.of(new ReportedLocality(0, 500))));
    }

    private HealingLoop loop(FaultyDataNodes dataNodes) {
        HealingConfig config = new HealingConfig(
                true,
                1.0,
                10_000,
                regionStableMs,
                HealLimits.of(2, 2, 0),
                30_000,
                60_000,
                HealPolicies.with(Map.of("max.reverted.moves.per.hour", "0")));
        HealerServices services = hdfs.services(
                () -> Observed.known(AssignmentSnapshot.of(served.values(), List.of())), dataNodes, regions -> {});
        return new HealingLoop(
                services, dataNodes, new PollHints(() -> {}), () -> config, metrics, HealerStates.alone());
    }
}
