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
import io.hearth.healer.metrics.HealLimit;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.DataNode.ServiceState;
import io.hearth.healer.model.DataNodes;
import io.hearth.healer.model.RegionFiles;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.HealRank;
import io.hearth.healer.model.ServedRegion.ReportedLocality;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import io.hearth.healer.model.SkipReason;
import io.hearth.healer.model.StoreFile;
import io.hearth.healer.move.BlockMover.MoveResult;
import io.hearth.healer.move.BlockMover.MoveResult.Response;
import io.hearth.healer.plan.BlockMovePlanner;
import io.hearth.healer.plan.PlacementRule.RackRule;
import io.hearth.healer.plan.PlanRequest;
import io.hearth.healer.queue.PollHints;
import io.hearth.healer.spi.Assignments;
import io.hearth.healer.spi.Assignments.AssignmentSnapshot;
import io.hearth.healer.spi.Observed;
import io.hearth.healer.spi.Observed.UnknownReason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The whole loop on a cluster in memory, turned by the test: ten turns a second. */
class HealingLoopTest {

    private static final EncodedRegionName R1 = new EncodedRegionName("r1");
    private static final String FILE = "/hbase/data/default/t/r1/f/1";

    private final FakeHdfs hdfs = new FakeHdfs();
    private final Map<EncodedRegionName, ServedRegion> served = new TreeMap<>();
    private final List<EncodedRegionName> refreshed = new ArrayList<>();
    private final CountedMetrics metrics = new CountedMetrics();
    private final PollHints hints = new PollHints(() -> {});
    private final Deque<Runnable> dataNodeThreads = new ArrayDeque<>();
    private boolean dataNodesAnswer = true;
    private boolean masterReady = true;
    private boolean leads = true;
    private TableHealingMode mode = TableHealingMode.ON;
    private HealingConfig config =
            new HealingConfig(true, 1.0, 10_000, 5_000, HealLimits.of(8, 4, 0), 30_000, 60_000, HealPolicies.usual());
    private long nowMs;
    private final HealerState healerState = HealerStates.alone();
    private HealingLoop loop = newLoop();

    @BeforeEach
    void aLocalRegion() {
        Stream.of("a1", "a2", "b1", "b2", "c1", "c2").forEach(name -> hdfs.nodes.add(node(name)));
        hdfs.addFile(
                R1,
                new StoreFile(FILE, 3, false, true, List.of(block(1, "a1", "b1", "b2"), block(2, "a1", "b1", "c2"))));
        serve("a1", 200, 200);
    }

    @Test
    void aLocalClusterAsksNothingOfTheNameNode() {
        run(120_000);

        assertThat(hdfs.listings + hdfs.questions).isZero();
        assertThat(metrics.get(HealingCounter.POLLS)).isEqualTo(12);
    }

    @Test
    void aMovedRegionIsHealedAndTheBalancerIsTold() {
        run(1_000);
        serve("c1", 0, 200);
        run(60_000);

        assertThat(isLocal("c1")).isTrue();
        assertThat(metrics.get(HealingCounter.BLOCKS_PLANNED)).isEqualTo(2);
        assertThat(metrics.get(HealingCounter.BLOCKS_VERIFIED)).isEqualTo(2);
        assertThat(metrics.get(HealingCounter.BYTES_VERIFIED)).isEqualTo(200);
        assertThat(metrics.get(HealingCounter.BYTES_ACROSS_RACKS))
                .as("of the second block a replica is on c2")
                .isEqualTo(100);
        assertThat(metrics.get(HealingCounter.REGIONS_HEALED)).isEqualTo(1);
        assertThat(refreshed).startsWith(R1);
        assertThat(metrics.get(HealingCounter.NAMENODE_CALLS)).isEqualTo(hdfs.listings + hdfs.questions);
        assertThat(metrics.get(HealingCounter.NAMENODE_MS)).isEqualTo(hdfs.usage.micros() / 1_000);
        assertThat(metrics.get(HealingGauge.BLOCKS_IN_FLIGHT)).isZero();
        assertThat(metrics.get(HealingGauge.REGIONS_QUEUED)).isZero();
    }

    /** It may come back, and its readers may still be open. */
    @Test
    void theHostThatServedALocalRegionBeforeKeepsItsReplicas() {
        serve("b1", 200, 200);
        run(20_000);
        serve("c1", 0, 200);
        run(60_000);

        assertThat(isLocal("c1")).isTrue();
        assertThat(hdfs.moved).extracting(move -> move.source().host()).containsExactlyInAnyOrder("b2", "c2");
    }

    /** A loop that fails is followed by another, which has not seen the region leave. */
    @Test
    void theHostBeforeIsKnownToTheNextLoopToo() {
        serve("b1", 200, 200);
        run(20_000);
        serve("c1", 0, 200);
        run(1_000);
        assertThat(hdfs.moved).isEmpty();
        loop = newLoop();
        run(60_000);

        assertThat(isLocal("c1")).isTrue();
        assertThat(hdfs.moved).extracting(move -> move.source().host()).containsExactlyInAnyOrder("b2", "c2");
    }

    @Test
    void manyRegionsTakeFewCallsWhereOneIsForSeveral() {
        hdfs.atATime = 16;
        for (int number = 0; number < 64; number++) {
            EncodedRegionName region = new EncodedRegionName("q" + number);
            hdfs.addFile(
                    region,
                    new StoreFile("/q/" + number, 3, false, true, List.of(block(1_000 + number, "a1", "b1", "b2"))));
            served.put(region, region(region, number % 2 == 0 ? "c1" : "c2", 0, 100));
        }
        run(600_000);

        assertThat(hdfs.moved).hasSize(64);
        assertThat(metrics.get(HealingCounter.BLOCKS_VERIFIED)).isEqualTo(64);
        assertThat(metrics.get(HealingCounter.NAMENODE_CALLS))
                .as("64 listings and as many questions at least, one by one")
                .isLessThan(100);
    }

    @Test
    void whileTheReportLagsTheNameNodesWordWins() {
        run(1_000);
        serve("c1", 0, 200);
        run(3_600_000);

        assertThat(hdfs.moved).as("nothing is moved twice").hasSize(2);
        assertThat(metrics.get(HealingCounter.REGIONS_LISTED))
                .as("asked less and less")
                .isBetween(2L, 12L);
    }

    @Test
    void aHintMakesThePollComeEarly() {
        run(1_000);
        serve("c1", 0, 200);
        hints.leave();
        run(7_000);

        assertThat(hdfs.moved).hasSize(2);
    }

    @Test
    void lostHintsCostOnlyTime() {
        run(1_000);
        serve("c1", 0, 200);
        run(8_900);
        assertThat(hdfs.moved).as("not looked yet").isEmpty();
        run(10_000);
        assertThat(hdfs.moved).hasSize(2);
    }

    @Test
    void aStormOfHintsIsOnePollASecond() {
        for (int i = 0; i < 100; i++) {
            hints.leave();
            run(100);
        }
        assertThat(metrics.get(HealingCounter.POLLS)).isBetween(9L, 11L);
    }

    /** At 100 bytes a second a block of 100 bytes is paid for in 901 ms where 10 bytes were saved up. */
    @Test
    void theNextTurnIsDueWhenTheNextMoveHasItsBytes() {
        config = new HealingConfig(
                true, 1.0, 10_000, 5_000, HealLimits.of(8, 4, 100), 30_000, 60_000, HealPolicies.usual());
        hdfs.fileByPath.put(FILE, new StoreFile(FILE, 3, false, true, List.of(block(1, "a1", "b1", "b2"))));
        hdfs.addFile(R1, new StoreFile(FILE + "2", 3, false, true, List.of(block(2, "a1", "b1", "b2"))));
        dataNodesAnswer = false;
        run(1_000);
        assertThat(loop.idleMs(250, nowMs)).as("nothing waits for time").isEqualTo(250);
        serve("c1", 0, 200);
        for (int turn = 0; turn < 300 && metrics.get(HealingGauge.BLOCKS_IN_FLIGHT) == 0; turn++) {
            run(100);
        }

        assertThat(loop.idleMs(250, nowMs)).as("no longer than asked for").isEqualTo(250);
        long idleMs = loop.idleMs(10_000, nowMs);
        assertThat(idleMs).as("a turn later").isEqualTo(801);
        leads = false;
        loop.doWork(nowMs + idleMs - 2);
        assertThat(loop.idleMs(10_000, nowMs + idleMs - 2))
                .as("no move starts under another master")
                .isEqualTo(10_000);
        leads = true;
        loop.doWork(nowMs + idleMs - 1);
        assertThat(metrics.get(HealingGauge.BLOCKS_IN_FLIGHT)).isEqualTo(1);
        loop.doWork(nowMs + idleMs);
        assertThat(metrics.get(HealingGauge.BLOCKS_IN_FLIGHT)).isEqualTo(2);
    }

    @Test
    void aRegionThatMovesOnLeavesItsUnstartedMovesBehind() {
        config = with(1);
        moveWithoutAnAnswer();
        assertThat(metrics.get(HealingGauge.BLOCKS_WAITING)).isEqualTo(1);

        serve("a2", 0, 200);
        run(10_000);
        assertThat(metrics.get(HealingCounter.BLOCKS_CANCELLED)).isEqualTo(1);
        dataNodesAnswer = true;
        run(60_000);
        assertThat(isLocal("a2")).isTrue();
    }

    /** Broken (only what has not started is taken back, and only at the poll that sees the region leave): it is copied to c1. */
    @Test
    void aMoveThatWasUnderWayWhenItsRegionLeftIsNotTriedAgain() {
        config = with(1);
        moveWithoutAnAnswer();
        serve("a2", 0, 200);
        run(10_000);

        hdfs.responses.add(MoveResult.of(Response.BUSY));
        dataNodesAnswer = true;
        run(60_000);
        assertThat(hdfs.moved).extracting(move -> move.target().host()).containsOnly("a2");
        assertThat(isLocal("a2")).isTrue();
    }

    @Test
    void aBlockThatIsPlannedAgainAsItsMoveEndsBelongsToTheNewPlan() {
        config = with(1, 0);
        moveWithoutAnAnswer();

        serve("a2", 0, 200);
        run(10_000);
        assertThat(metrics.get(HealingCounter.BLOCKS_CANCELLED)).isEqualTo(1);
        assertThat(metrics.get(HealingGauge.BLOCKS_WAITING)).isEqualTo(1);
        assertThat(metrics.get(HealingGauge.BLOCKS_IN_FLIGHT))
                .as("the end of the first move is not taken for that of the second")
                .isEqualTo(1);
    }

    @Test
    void aMoveThatCouldNotStartIsPlannedAgainFromWhatIsThere() {
        config = with(1);
        hdfs.addFile(R1, new StoreFile(FILE + "2", 3, false, true, List.of(block(3, "a1", "b1", "b2"))));
        dataNodesAnswer = false;
        run(1_000);
        serve("c1", 0, 300);
        run(140_000);
        assertThat(metrics.get(HealingCounter.BLOCKS_CANCELLED)).isPositive();
        assertThat(metrics.get(HealingCounter.BLOCKS_FAILED)).isZero();

        dataNodeThreads.clear();
        hdfs.fileByPath.put(FILE + "2", new StoreFile(FILE + "2", 3, false, true, List.of(block(3, "a2", "b1", "b2"))));
        dataNodesAnswer = true;
        run(120_000);
        assertThat(isLocal("c1")).isTrue();
    }

    @Test
    void aTargetThatLeavesServiceGetsNothingMore() {
        config = with(1);
        moveWithoutAnAnswer();
        hdfs.nodes.replaceAll(known -> known.isOn("c1") ? node("c1", ServiceState.NOT_IN_SERVICE) : known);
        run(20_000);

        assertThat(metrics.get(HealingCounter.BLOCKS_CANCELLED)).isEqualTo(1);
        assertThat(metrics.get(HealingGauge.BLOCKS_WAITING)).isZero();
    }

    @Test
    void aPlanIsForWhatCanBeMovedSoon() {
        config = new HealingConfig(
                true, 1.0, 10_000, 5_000, HealLimits.of(8, 4, 1), 30_000, 60_000, HealPolicies.usual());
        List<BlockReplicas> gigabytes = IntStream.range(10, 16)
                .mapToObj(number -> block(number, "a1", "b1", "b2"))
                .map(block -> new BlockReplicas(block.block(), 1L << 30, block.replicas(), false))
                .toList();
        hdfs.fileByPath.put(FILE, new StoreFile(FILE, 3, false, true, gigabytes));
        run(1_000);
        serve("c1", 0, 6L << 30);
        run(20_000);

        assertThat(metrics.get(HealingCounter.BLOCKS_PLANNED)).isEqualTo(4);
        assertThat(metrics.get(SkipReason.OVER_BUDGET)).isEqualTo(2);
    }

    @Test
    void aFileThatVanishesIsAnOrdinaryEnd() {
        moveWithoutAnAnswer();
        hdfs.fileByPath.remove(FILE);
        dataNodesAnswer = true;
        run(20_000);

        assertThat(metrics.get(HealingCounter.BLOCKS_DELETED)).isEqualTo(2);
        assertThat(metrics.get(HealingCounter.BLOCKS_FAILED)).isZero();
        assertThat(metrics.get(HealingGauge.BLOCKS_IN_FLIGHT)).isZero();
    }

    @Test
    void aTableThatIsDroppedIsAnOrdinaryEnd() {
        run(1_000);
        serve("c1", 0, 200);
        hdfs.pathsByRegion.clear();
        run(20_000);
        served.clear();
        run(60_000);

        assertThat(metrics.get(HealingCounter.BLOCKS_PLANNED)).isZero();
        assertThat(metrics.get(HealingGauge.REGIONS_QUEUED)).isZero();
    }

    @Test
    void quotaRefusalsAreWaitedOut() {
        for (int i = 0; i < 6; i++) {
            hdfs.responses.add(new MoveResult(Response.BUSY, "threads quota is exceeded"));
        }
        run(1_000);
        serve("c1", 0, 200);
        run(120_000);

        assertThat(isLocal("c1")).isTrue();
        assertThat(metrics.get(HealingCounter.BLOCKS_FAILED)).isZero();
        assertThat(metrics.get(HealingCounter.MOVES_BUSY)).isEqualTo(6);
    }

    @Test
    void aMoveWithoutAnswerIsFollowedByTheNameNodesWord() {
        moveWithoutAnAnswer();
        hdfs.copy(plannedMove(1));
        run(40_000);
        assertThat(metrics.get(HealingCounter.BLOCKS_VERIFIED)).isEqualTo(1);
        assertThat(metrics.get(HealingGauge.BLOCKS_IN_FLIGHT))
                .as("the other one's end is unknown")
                .isEqualTo(1);

        run(60_000);
        assertThat(metrics.get(HealingCounter.BLOCKS_INCONCLUSIVE)).isEqualTo(1);
        dataNodeThreads.clear();
        dataNodesAnswer = true;
        run(120_000);
        assertThat(isLocal("c1")).isTrue();
    }

    @Test
    void aRevertedReplicaIsTriedAgain() {
        hdfs.deletesTheNewReplica = true;
        run(1_000);
        serve("c1", 0, 200);
        run(80_000);
        assertThat(metrics.get(HealingCounter.BLOCKS_REVERTED)).isEqualTo(2);
        assertThat(metrics.get(HealingCounter.BYTES_ACROSS_RACKS)).isEqualTo(100);
        assertThat(metrics.get(HealingCounter.BYTES_VERIFIED)).isZero();

        hdfs.deletesTheNewReplica = false;
        run(30_000);
        assertThat(metrics.get(HealingCounter.BLOCKS_BACKED_OFF))
                .as("not at once: somebody wants it otherwise")
                .isPositive();
        run(120_000);
        assertThat(isLocal("c1")).isTrue();
        assertThat(metrics.get(HealingCounter.BYTES_VERIFIED)).isEqualTo(200);
    }

    /** Nothing is left to be listed: it shows by the moves that nobody confirms. */
    @Test
    void aNameNodeThatFailsWhileMovesWaitForItIsCounted() {
        hdfs.keepsExcess = true;
        run(1_000);
        serve("c1", 0, 200);
        run(20_000);
        assertThat(hdfs.moved).hasSize(2);
        assertThat(metrics.get(HealingCounter.NAMENODE_FAILURES)).isZero();

        hdfs.nameNodeFails = true;
        int before = hdfs.questions;
        run(20_000);
        assertThat(metrics.get(HealingCounter.NAMENODE_FAILURES))
                .isEqualTo(hdfs.questions - before)
                .isGreaterThan(5);
        assertThat(metrics.get(HealingCounter.BLOCKS_INCONCLUSIVE)).isZero();
    }

    @Test
    void aNameNodeThatFailsIsLeftAloneAndNothingIsConcluded() {
        hdfs.nameNodeFails = true;
        run(1_000);
        serve("c1", 0, 200);
        run(600_000);
        assertThat(hdfs.moved).isEmpty();
        assertThat(hdfs.listings).as("backs off").isBetween(3, 20);
        assertThat(metrics.get(HealingCounter.NAMENODE_FAILURES)).isEqualTo(hdfs.listings);

        hdfs.nameNodeFails = false;
        run(90_000);
        assertThat(isLocal("c1"))
                .as("the NameNode rests for a minute, the region for ten seconds")
                .isTrue();
    }

    @Test
    void switchedOffMidWayNothingMoreStarts() {
        config = with(1);
        moveWithoutAnAnswer();
        config = off(config);
        dataNodesAnswer = true;
        run(120_000);

        assertThat(hdfs.moved).as("the one under way is followed to its end").hasSize(1);
        assertThat(metrics.get(HealingCounter.BLOCKS_VERIFIED)).isEqualTo(1);
        assertThat(metrics.get(HealingCounter.BLOCKS_CANCELLED)).isEqualTo(1);
        assertThat(metrics.get(HealingGauge.ENABLED)).isZero();

        config = with(1);
        run(120_000);
        assertThat(isLocal("c1")).isTrue();
    }

    @Test
    void aTableSwitchedOffMidWayStartsNothingMore() {
        config = with(1);
        moveWithoutAnAnswer();
        mode = TableHealingMode.OFF;
        serve("c1", 0, 200);
        run(10_000);
        dataNodesAnswer = true;
        run(120_000);

        assertThat(hdfs.moved).hasSize(1);
        assertThat(metrics.get(HealingCounter.BLOCKS_CANCELLED)).isEqualTo(1);
    }

    @Test
    void switchedOffNothingIsAsked() {
        config = off(config);
        run(1_000);
        serve("c1", 0, 200);
        run(120_000);

        assertThat(hdfs.listings).isZero();
    }

    @Test
    void switchedOnAgainItLooksBeforeItPlans() {
        config = off(config);
        run(1_000);
        serve("c1", 0, 200);
        run(120_000);
        mode = TableHealingMode.OFF;
        serve("c1", 0, 200);
        config = with(4);
        run(120_000);

        assertThat(hdfs.moved)
                .as("the table was switched off since the last look")
                .isEmpty();
    }

    @Test
    void withoutThePrivilegeNothingIsAsked() {
        hdfs.missingPrivilege = Optional.of("no block keys. Make the HMaster's user an HDFS superuser.");
        run(1_000);
        serve("c1", 0, 200);
        run(30_000);

        assertThat(hdfs.listings).isZero();
        assertThat(metrics.get(HealingCounter.PRIVILEGE_MISSING)).isPositive();

        run(3_600_000);
        hdfs.missingPrivilege = Optional.empty();
        run(20_000);
        assertThat(isLocal("c1")).as("no region has to pay for it").isTrue();
    }

    @Test
    void aMasterThatIsNotReadyIsAskedAgain() {
        masterReady = false;
        run(30_000);
        masterReady = true;
        serve("c1", 0, 200);
        run(60_000);

        assertThat(isLocal("c1")).isTrue();
    }

    @Test
    void aNewMastersLoopGoesOnFromWhatItSees() {
        moveWithoutAnAnswer();
        hdfs.copy(plannedMove(1));
        loop = newLoop();
        dataNodeThreads.clear();
        dataNodesAnswer = true;
        run(120_000);

        assertThat(isLocal("c1")).isTrue();
        assertThat(hdfs.moved).as("each block was copied once").hasSize(2);
    }

    @Test
    void blocksThatStayAreCountedByReason() {
        hdfs.nodes.removeIf(known -> known.isOn("c1"));
        run(1_000);
        serve("c1", 0, 200);
        run(16_000);

        assertThat(metrics.get(SkipReason.NO_DATANODE_ON_HOST)).isEqualTo(2);
    }

    @Test
    void aNewFileIsHealedWhenTheReportFalls() {
        run(1_000);
        serve("c1", 0, 200);
        run(60_000);
        serve("c1", 200, 200);
        run(60_000);
        hdfs.addFile(R1, new StoreFile(FILE + "2", 3, false, true, List.of(block(3, "a1", "b1", "b2"))));
        serve("c1", 200, 300);
        run(120_000);

        assertThat(isLocal("c1")).isTrue();
        assertThat(hdfs.moved).hasSize(3);
    }

    @Test
    void aRegionThatIsSaidToBeRemoteIsHealedThoughItsServerReportsItLocal() {
        hdfs.fileByPath.put(FILE, new StoreFile(FILE, 3, false, true, List.of(block(1, "b1", "b2", "c1"))));
        run(60_000);
        assertThat(hdfs.listings).as("nobody knows").isZero();

        healerState.requests().localityStale(R1, "a1");
        healerState.requests().localityStale(new EncodedRegionName("gone"), "a1");
        run(20_000);

        assertThat(isLocal("a1")).isTrue();
        assertThat(metrics.get(HealingCounter.REGIONS_LOCALITY_STALE)).isEqualTo(1);
        assertThat(metrics.get(HealingGauge.REGIONS_QUEUED)).isZero();
        int listings = hdfs.listings;
        run(600_000);
        assertThat(hdfs.listings).as("a stale locality is told once").isEqualTo(listings);
    }

    @Test
    void noEndIsPromisedWhileNoMoveMayStart() {
        config = with(1);
        moveWithoutAnAnswer();
        assertThat(metrics.get(HealingGauge.BLOCKS_WAITING)).isEqualTo(1);
        assertThat(metrics.get(HealingGauge.ESTIMATED_HEAL_MS)).isPositive();

        leads = false;
        run(5_100);
        assertThat(metrics.get(HealingGauge.LIMITED_BY)).isEqualTo(HealLimit.HELD.ordinal());
        assertThat(metrics.get(HealingGauge.ESTIMATED_HEAL_MS))
                .as("under another master")
                .isZero();

        leads = true;
        run(5_100);
        assertThat(metrics.get(HealingGauge.ESTIMATED_HEAL_MS)).isPositive();
    }

    @Test
    void noEndIsPromisedWhileTheNameNodeDeletesNothing() {
        hdfs.keepsExcess = true;
        hdfs.fileByPath.put(
                FILE,
                new StoreFile(
                        FILE,
                        3,
                        false,
                        true,
                        IntStream.range(10, 30)
                                .mapToObj(number -> block(number, "a1", "b1", "b2"))
                                .toList()));
        run(1_000);
        serve("c1", 0, 2_000);
        run(40_000);
        assertThat(metrics.get(HealingGauge.BLOCKS_IN_EXCESS)).isZero();
        assertThat(metrics.get(HealingGauge.ESTIMATED_HEAL_MS)).isPositive();

        run(30_000);
        assertThat(metrics.get(HealingGauge.BLOCKS_IN_EXCESS)).isGreaterThanOrEqualTo(8);
        assertThat(metrics.get(HealingGauge.ESTIMATED_HEAL_MS))
                .as("one move at a time")
                .isZero();
    }

    /** The region comes to c1, where it is away from all of its blocks, and what is asked of DataNodes stays under way. */
    private void moveWithoutAnAnswer() {
        dataNodesAnswer = false;
        run(1_000);
        serve("c1", 0, 200);
        run(20_000);
    }

    /** The move that is planned for this block. */
    private BlockMove plannedMove(long number) {
        StoreFile file = Objects.requireNonNull(hdfs.fileByPath.get(FILE));
        return new BlockMovePlanner(new RackRule())
                        .plan(PlanRequest.of(R1, "c1", RegionFiles.of(List.of(file)), DataNodes.of(hdfs.nodes)))
                        .moves()
                        .stream()
                        .filter(move -> move.block().number() == number)
                        .findFirst()
                        .orElseThrow();
    }

    private HealingLoop newLoop() {
        Assignments assignments = new Assignments() {
            @Override
            public Observed<AssignmentSnapshot> snapshot() {
                return masterReady
                        ? Observed.known(AssignmentSnapshot.of(served.values(), List.of()))
                        : Observed.unknown(UnknownReason.MASTER_NOT_READY, "starting");
            }

            @Override
            public boolean mayAct() {
                return leads;
            }
        };
        HealerServices services = hdfs.services(assignments, hdfs, refreshed::addAll);
        return new HealingLoop(services, dataNodeThreads::add, hints, () -> config, metrics, healerState);
    }

    private void run(long ms) {
        for (long untilMs = nowMs + ms; nowMs < untilMs; nowMs += 100) {
            loop.doWork(nowMs);
            while (dataNodesAnswer && !dataNodeThreads.isEmpty()) {
                dataNodeThreads.poll().run();
            }
            if (nowMs % 3_000 == 1_500) {
                hdfs.deleteExcess();
            }
        }
    }

    private void serve(String host, long localBytes, long totalBytes) {
        served.put(R1, region(R1, host, localBytes, totalBytes));
    }

    private ServedRegion region(EncodedRegionName region, String host, long localBytes, long totalBytes) {
        return new ServedRegion(
                region,
                new TableId("t"),
                HealRank.USER,
                mode,
                new ServerId(host, 16020, 1),
                Optional.of(new ReportedLocality(localBytes, totalBytes)));
    }

    private boolean isLocal(String host) {
        return hdfs.fileByPath.values().stream()
                .flatMap(file -> file.blocks().stream())
                .allMatch(block -> block.isLocalTo(host) && hasThreeReplicas(block));
    }

    private static boolean hasThreeReplicas(BlockReplicas block) {
        return block.replicas().size() == 3 && block.racks() >= 2;
    }

    private static HealingConfig with(int concurrentMoves) {
        return with(concurrentMoves, 5_000);
    }

    private static HealingConfig with(int concurrentMoves, long regionStableMs) {
        return new HealingConfig(
                true,
                1.0,
                10_000,
                regionStableMs,
                HealLimits.of(concurrentMoves, 4, 0),
                30_000,
                60_000,
                HealPolicies.usual());
    }

    private static HealingConfig off(HealingConfig on) {
        return new HealingConfig(
                false,
                on.threshold(),
                on.pollMs(),
                on.regionStableMs(),
                on.limits(),
                on.moveTimeoutMs(),
                on.verifyTimeoutMs(),
                on.policy());
    }
}
