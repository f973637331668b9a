// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.verify;

import static io.hearth.healer.fakes.Racks.block;
import static io.hearth.healer.fakes.Racks.blockId;
import static io.hearth.healer.fakes.Racks.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.fakes.FakeHdfs;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.DataNode.StorageType;
import io.hearth.healer.model.StoreFile;
import io.hearth.healer.spi.Observed;
import io.hearth.healer.spi.Observed.UnknownReason;
import io.hearth.healer.throttle.NameNodeBudget;
import io.hearth.healer.verify.MoveVerifier.PendingVerification;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MoveVerifierTest {

    private static final int CALLS = 50;

    private static final long TIMEOUT_MS = 60_000;
    private static final long COPIED_MS = -2_000;

    private final FakeHdfs hdfs = new FakeHdfs();
    private final NameNodeBudget budget = new NameNodeBudget(hdfs.usage);
    private final MoveVerifier verifier = new MoveVerifier(hdfs, budget);
    private long lastAskedMs;

    @BeforeEach
    void fiftyCallsASecond() {
        budget.set(1, CALLS);
    }

    @Test
    void healedOnceTheOldReplicaIsDeleted() {
        hold("/f", block(1, "a1", "b1", "b2"));
        assertThat(ask(copied("/f", 1), 1_000))
                .as("the NameNode has not heard of it")
                .isEmpty();
        hold("/f", block(1, "a1", "b1", "b2", "c1"));
        assertThat(ask(copied("/f", 1), 2_000)).as("one too many").isEmpty();
        hold("/f", block(1, "a1", "b1", "c1"));
        assertThat(ask(copied("/f", 1), 3_000)).isEqualTo(Map.of(blockId(1), MoveOutcome.VERIFIED));
    }

    @Test
    void revertedIfTheNewReplicaIsDeleted() {
        hold("/f", block(1, "a1", "b1", "b2", "c1"));
        ask(copied("/f", 1), 1_000);
        hold("/f", block(1, "a1", "b1", "b2"));

        assertThat(ask(copied("/f", 1), 2_000))
                .as("it may be a NameNode that has just started")
                .isEmpty();
        assertThat(ask(copied("/f", 1), 31_999)).isEmpty();
        assertThat(ask(copied("/f", 1), 33_000)).isEqualTo(Map.of(blockId(1), MoveOutcome.REVERTED));
    }

    /** A file whose folder the healer's user may not enter any more; its region is looked at anew once the move has ended. */
    @ParameterizedTest
    @EnumSource(
            value = UnknownReason.class,
            names = {"NOT_PERMITTED", "UNREADABLE"})
    void inconclusiveIfTheFileMayNotBeAskedAbout(UnknownReason reason) {
        MoveVerifier refused = new MoveVerifier(path -> Observed.unknown(reason, "/f"), budget);

        for (long nowMs = 0; nowMs < COPIED_MS + TIMEOUT_MS; nowMs += 1_000) {
            assertThat(refused.doWork(List.of(copied("/f", 1)), TIMEOUT_MS, nowMs))
                    .isEmpty();
        }
        assertThat(refused.doWork(List.of(copied("/f", 1)), TIMEOUT_MS, COPIED_MS + TIMEOUT_MS))
                .isEqualTo(Map.of(blockId(1), MoveOutcome.INCONCLUSIVE));
    }

    @Test
    void whatANameNodeDeletesThatWasDownMeanwhileIsNotReverted() {
        hold("/f", block(1, "a1", "b1", "b2", "c1"));
        ask(copied("/f", 1), 1_000);
        hdfs.nameNodeFails = true;
        ask(copied("/f", 1), 2_000);
        hdfs.nameNodeFails = false;
        hold("/f", block(1, "a1", "b1", "b2"));

        assertThat(ask(copied("/f", 1), 3_000)).isEmpty();
        assertThat(ask(copied("/f", 1), 34_000)).isEqualTo(Map.of(blockId(1), MoveOutcome.INCONCLUSIVE));
    }

    /** Each call that fails takes the time that a client tries for, and holds up the loop. */
    @Test
    void aNameNodeThatIsDownIsAskedOnceInARoundAndNoMoveIsRevertedForIt() {
        List<PendingVerification> open = List.of(copied("/f", 1), copied("/g", 2), copied("/h", 3));
        hold("/f", block(1, "a1", "b1", "b2", "c1"));
        hold("/g", block(2, "a1", "b1", "b2", "c1"));
        hold("/h", block(3, "a1", "b1", "b2", "c1"));
        ask(open, 1_000);
        assertThat(verifier.failure()).isEmpty();
        hdfs.nameNodeFails = true;
        int before = hdfs.questions;
        ask(open, 2_000);
        assertThat(hdfs.questions - before).as("in that round").isEqualTo(1);
        assertThat(verifier.failure())
                .contains(new Observed.Unknown<>(UnknownReason.NAMENODE_FAILED, "connection refused"));
        ask(open, 6_999);
        hdfs.nameNodeFails = false;
        hold("/f", block(1, "a1", "b1", "b2"));
        hold("/g", block(2, "a1", "b1", "b2"));
        hold("/h", block(3, "a1", "b1", "b2"));

        assertThat(ask(open, 8_000)).isEmpty();
        assertThat(verifier.failure()).isEmpty();
        assertThat(ask(open, 39_000).values()).hasSize(3).containsOnly(MoveOutcome.INCONCLUSIVE);
    }

    /** It was copied while the last call failed, so that no round of the outage knew of it. */
    @Test
    void whatWasCopiedJustBeforeTheNameNodeIsBackIsNotReverted() {
        hdfs.nameNodeFails = true;
        for (long failedMs = 6_000; failedMs <= 36_000; failedMs += 6_000) {
            verifier.doWork(List.of(copied("/f", 1)), TIMEOUT_MS, failedMs);
        }
        hdfs.nameNodeFails = false;
        hold("/f", block(1, "a1", "b1", "c1"));
        hold("/g", block(2, "a1", "b1", "b2", "c1"));
        List<PendingVerification> open = List.of(copied("/f", 1), move("/g", 2, true, 38_000, 2));
        lastAskedMs = 42_000;
        verifier.doWork(open, TIMEOUT_MS, 42_000);
        hold("/g", block(2, "a1", "b1", "b2"));

        assertThat(ask(open, 44_000)).doesNotContainKey(blockId(2));
        assertThat(ask(open, 76_000)).containsEntry(blockId(2), MoveOutcome.INCONCLUSIVE);
    }

    /** Else a call that fails now and then would keep the alarm of reverted moves from ever coming. */
    @Test
    void aCallThatFailsNowAndThenExcusesItsOwnFileAlone() {
        List<PendingVerification> open = List.of(copied("/f", 1), copied("/g", 2));
        hold("/f", block(1, "a1", "b1", "b2", "c1"));
        hold("/g", block(2, "a1", "b1", "b2", "c1"));
        ask(open, 1_000);
        hold("/f", block(1, "a1", "b1", "b2"));
        hold("/g", block(2, "a1", "b1", "b2"));
        ask(open, 2_000);
        hdfs.nameNodeFails = true;
        ask(open, 5_000);
        hdfs.nameNodeFails = false;

        assertThat(ask(open, 33_000)).isEqualTo(Map.of(blockId(2), MoveOutcome.REVERTED));
    }

    /** A client that fails over has its answer in the end, from a NameNode that was never given the hint. */
    @Test
    void whatGoesWhileNobodyAnswersIsNotReverted() {
        hold("/f", block(1, "a1", "b1", "b2", "c1"));
        ask(copied("/f", 1), 1_000);
        hold("/f", block(1, "a1", "b1", "b2"));

        assertThat(verifier.doWork(List.of(copied("/f", 1)), TIMEOUT_MS, 6_000)).isEmpty();
        lastAskedMs = 6_000;
        assertThat(ask(copied("/f", 1), 35_000)).isEmpty();
        assertThat(ask(copied("/f", 1), 36_000)).isEqualTo(Map.of(blockId(1), MoveOutcome.INCONCLUSIVE));
    }

    /** A failover on command is over before the next question, and the other NameNode has no hint either. */
    @Test
    void whatGoesAtAFailoverIsNotReverted() {
        hdfs.answeringNameNode = Optional.of("nn1");
        hold("/f", block(1, "a1", "b1", "b2", "c1"));
        ask(copied("/f", 1), 1_000);
        hdfs.answeringNameNode = Optional.of("nn2");
        ask(copied("/f", 1), 2_000);
        hold("/f", block(1, "a1", "b1", "b2"));

        assertThat(ask(copied("/f", 1), 3_000)).isEmpty();
        assertThat(ask(copied("/f", 1), 33_000)).isEqualTo(Map.of(blockId(1), MoveOutcome.INCONCLUSIVE));
    }

    /** Until the DataNodes have told the NameNode all that they have it deletes what it likes best. */
    @Test
    void whatIsCopiedSoonAfterAFailoverIsNotReverted() {
        failOver();

        assertThat(outcomeOfWhatGoes(20_000)).isEqualTo(MoveOutcome.INCONCLUSIVE);
    }

    @Test
    void onceMovesAreConfirmedAfterAFailoverOneThatGoesIsReverted() {
        failOver();
        for (int move = 0; move < MoveVerifier.ExcessReplicaMonitor.GOOD_SIGNS; move++) {
            hold("/v", block(7, "a1", "b1", "c1"));
            assertThat(ask(move("/v", 7, true, 3_000, 2), 10_000 + 1_000 * move))
                    .isEqualTo(Map.of(blockId(7), MoveOutcome.VERIFIED));
        }

        assertThat(outcomeOfWhatGoes(20_000)).isEqualTo(MoveOutcome.REVERTED);
    }

    /** Else the alarm would never come where no move is ever confirmed. */
    @Test
    void tenMinutesAfterAFailoverWhatGoesIsReverted() {
        failOver();

        assertThat(outcomeOfWhatGoes(603_000)).isEqualTo(MoveOutcome.REVERTED);
    }

    private void failOver() {
        hdfs.answeringNameNode = Optional.of("nn1");
        ask(copied("/g", 2), 1_000);
        hdfs.answeringNameNode = Optional.of("nn2");
        ask(copied("/g", 2), 2_000);
    }

    /** Of a move that was copied then, was seen, and went. */
    private MoveOutcome outcomeOfWhatGoes(long copiedMs) {
        verifier.doWork(List.of(), TIMEOUT_MS, copiedMs);
        lastAskedMs = copiedMs + 2_000;
        PendingVerification move = move("/f", 1, true, copiedMs, 2);
        hold("/f", block(1, "a1", "b1", "b2", "c1"));
        ask(move, copiedMs + 2_000);
        hold("/f", block(1, "a1", "b1", "b2"));
        return ask(move, copiedMs + 36_000).get(blockId(1));
    }

    /** The client still waits when the DataNode has copied a block, and the NameNode that answers in the end has no hint of it. */
    @Test
    void whatIsCopiedWhileNobodyAnswersIsNotReverted() {
        ask(copied("/f", 2), 1_000);
        PendingVerification move = move("/f", 1, true, 6_500, 2);
        hold("/f", block(1, "a1", "b1", "b2", "c1"));
        verifier.doWork(List.of(move), TIMEOUT_MS, 7_000);
        verifier.doWork(List.of(move), TIMEOUT_MS, 9_000);
        hold("/f", block(1, "a1", "b1", "b2"));

        verifier.doWork(List.of(move), TIMEOUT_MS, 10_000);
        lastAskedMs = 10_000;
        assertThat(ask(move, 40_000)).isEqualTo(Map.of(blockId(1), MoveOutcome.INCONCLUSIVE));
    }

    /** One NameNode is restarted and then the other: there is but one answer between the two. */
    @Test
    void whatGoesWhileTheOtherNameNodeIsAwayTooIsNotReverted() {
        ask(copied("/f", 2), 1_000);
        verifier.doWork(List.of(copied("/f", 2)), TIMEOUT_MS, 7_000);
        PendingVerification move = move("/f", 1, true, 8_000, 2);
        hold("/f", block(1, "a1", "b1", "b2", "c1"));
        verifier.doWork(List.of(move), TIMEOUT_MS, 15_000);
        hold("/f", block(1, "a1", "b1", "b2"));

        verifier.doWork(List.of(move), TIMEOUT_MS, 16_000);
        lastAskedMs = 16_000;
        assertThat(ask(move, 46_000)).isEqualTo(Map.of(blockId(1), MoveOutcome.INCONCLUSIVE));
    }

    /** Else the alarm of reverted moves would never come where rounds are always late. */
    @Test
    void whatGoesWhileEveryRoundIsLateIsReverted() {
        ask(copied("/f", 2), 1_000);
        for (long nowMs = 7_000; nowMs < 25_000; nowMs += 6_000) {
            verifier.doWork(List.of(copied("/f", 2)), TIMEOUT_MS, nowMs);
        }
        PendingVerification move = move("/f", 1, true, 22_000, 2);
        hold("/f", block(1, "a1", "b1", "b2", "c1"));
        verifier.doWork(List.of(move), TIMEOUT_MS, 25_000);
        hold("/f", block(1, "a1", "b1", "b2"));
        for (long nowMs = 31_000; nowMs < 61_000; nowMs += 6_000) {
            assertThat(verifier.doWork(List.of(move), TIMEOUT_MS, nowMs)).isEmpty();
        }

        assertThat(verifier.doWork(List.of(move), TIMEOUT_MS, 61_000))
                .isEqualTo(Map.of(blockId(1), MoveOutcome.REVERTED));
    }

    /** Who was not under way then has lost nothing by it. */
    @Test
    void aMoveAfterARestIsRevertedAsEver() {
        ask(copied("/f", 2), 1_000);
        verifier.doWork(List.of(), TIMEOUT_MS, 2_000);
        hold("/f", block(1, "a1", "b1", "b2", "c1"));
        lastAskedMs = 30_000;
        ask(move("/f", 1, true, 28_000, 2), 30_000);
        hold("/f", block(1, "a1", "b1", "b2"));

        assertThat(ask(move("/f", 1, true, 28_000, 2), 66_000)).isEqualTo(Map.of(blockId(1), MoveOutcome.REVERTED));
    }

    /** An operator lowers the replication while blocks move, thinks better of it, and HDFS makes the third replica where it likes. */
    @Test
    void whatGoesBySetrepIsNotRevertedThoughTheReplicationIsAsBefore() {
        hold("/f", block(1, "a1", "b1", "b2", "c1"));
        ask(copied("/f", 1), 1_000);
        hdfs.fileByPath.put("/f", new StoreFile("/f", 2, false, true, List.of(block(1, "a1", "b1"))));
        ask(copied("/f", 1), 2_000);
        hold("/f", block(1, "a1", "b1", "b2"));

        assertThat(ask(copied("/f", 1), 3_000)).isEmpty();
        assertThat(ask(copied("/f", 1), 34_000)).isEqualTo(Map.of(blockId(1), MoveOutcome.INCONCLUSIVE));
    }

    /** The new replica came and went between two answers: its region need not wait for the end of the time allowed. */
    @Test
    void whatWasNeverSeenIsGivenUpAfterSetrep() {
        hdfs.fileByPath.put("/f", new StoreFile("/f", 2, false, true, List.of(block(1, "a1", "b1"))));
        ask(copied("/f", 1), 1_000);
        hold("/f", block(1, "a1", "b1", "b2"));

        assertThat(ask(copied("/f", 1), 2_000)).isEmpty();
        assertThat(ask(copied("/f", 1), 31_000)).isEmpty();
        assertThat(ask(copied("/f", 1), 33_000)).isEqualTo(Map.of(blockId(1), MoveOutcome.INCONCLUSIVE));
    }

    /**
     * The same, all of it between two answers: the old replica went, the new one was one too many, and the block is a replica short.
     * Who undoes a move leaves no block short.
     */
    @Test
    void aBlockThatWasShortOfAReplicaIsGivenUpWithoutBeingReverted() {
        hold("/f", block(1, "a1", "b1"));
        ask(copied("/f", 1), 1_000);
        hold("/f", block(1, "a1", "b1", "b2"));

        assertThat(ask(copied("/f", 1), 2_000)).isEmpty();
        assertThat(ask(copied("/f", 1), 31_000)).isEmpty();
        assertThat(ask(copied("/f", 1), 33_000)).isEqualTo(Map.of(blockId(1), MoveOutcome.INCONCLUSIVE));
    }

    @Test
    void aNameNodeThatStillReadsBlockReportsSaysNothing() {
        hold("/f", block(1, "a1", "b1", "b2", "c1"));
        ask(copied("/f", 1), 1_000);
        hold("/f", block(1));
        assertThat(ask(copied("/f", 1), 2_000)).isEmpty();
        hold("/f", block(1, "a1"));
        assertThat(ask(copied("/f", 1), 3_000)).isEmpty();
        hold("/f", block(1, "a1", "b1"));
        assertThat(ask(copied("/f", 1), 39_000)).isEmpty();
        hold("/f", block(1, "a1", "b1", "b2"));
        assertThat(ask(copied("/f", 1), 40_000)).as("all but the new one").isEmpty();
        hold("/f", block(1, "a1", "b1", "c1"));
        assertThat(ask(copied("/f", 1), 45_000)).isEqualTo(Map.of(blockId(1), MoveOutcome.VERIFIED));
    }

    @Test
    void tooFewHoldersAtTheEndAreInconclusive() {
        hold("/f", block(1, "a1", "b1"));
        ask(copied("/f", 1), 1_000);

        assertThat(ask(copied("/f", 1), TIMEOUT_MS)).isEqualTo(Map.of(blockId(1), MoveOutcome.INCONCLUSIVE));
    }

    @Test
    void whatWasSeenOfAMoveSaysNothingAboutTheNextOneOfTheBlock() {
        hold("/f", block(1, "a1", "b1", "b2", "c1"));
        ask(copied("/f", 1), 1_000);
        verifier.doWork(List.of(), TIMEOUT_MS, 2_000);
        hold("/f", block(1, "a1", "b1", "b2"));
        ask(move("/f", 1, false, 5_000, 2), 6_000);

        assertThat(ask(move("/f", 1, false, 5_000, 2), 50_000)).isEmpty();
    }

    @Test
    void pendingWhileRacksOrReplicasAreShort() {
        hold("/f", block(1, "b1", "b2", "b3"));
        BlockReplicas twoShort = block(2, "c1", "b1");
        hold("/g", twoShort);

        assertThat(verifier.doWork(List.of(move("/g", 2, true, COPIED_MS, 2)), TIMEOUT_MS, 1_000))
                .as("a replica is short")
                .isEmpty();
        hold("/g", block(2, "c1", "c2", "c3"));
        assertThat(verifier.doWork(List.of(move("/g", 2, true, COPIED_MS, 2)), TIMEOUT_MS, 2_000))
                .as("a rack is short")
                .isEmpty();
    }

    @Test
    void goneWithTheFileOrTheBlock() {
        assertThat(ask(copied("/f", 1), 1_000)).isEqualTo(Map.of(blockId(1), MoveOutcome.BLOCK_DELETED));
        hold("/f", block(7, "a1", "b1", "b2"));
        assertThat(ask(copied("/f", 1), 2_000)).isEqualTo(Map.of(blockId(1), MoveOutcome.BLOCK_DELETED));
    }

    @Test
    void aRaisedGenerationStampIsTheSameBlock() {
        BlockReplicas moveVerified = block(1, "a1", "b1", "c1");
        hold("/f", new BlockReplicas(new BlockId("pool", 1, 2002), 100, moveVerified.replicas(), false));

        assertThat(ask(copied("/f", 1), 1_000)).isEqualTo(Map.of(blockId(1), MoveOutcome.VERIFIED));
    }

    @Test
    void aNameNodeThatFailsSaysNothing() {
        hdfs.nameNodeFails = true;

        assertThat(ask(copied("/f", 1), 1_000)).isEmpty();
        assertThat(ask(copied("/f", 1), TIMEOUT_MS))
                .as("its slot is not free while nobody knows")
                .isEmpty();
        hdfs.nameNodeFails = false;
        hold("/f", block(1, "a1", "b1", "c1"));
        assertThat(ask(copied("/f", 1), 2 * TIMEOUT_MS)).isEqualTo(Map.of(blockId(1), MoveOutcome.VERIFIED));
    }

    @Test
    void whatIsStillTooManyAtTheEndIsInconclusive() {
        hold("/f", block(1, "a1", "b1", "b2", "c1"));

        assertThat(ask(copied("/f", 1), TIMEOUT_MS)).isEqualTo(Map.of(blockId(1), MoveOutcome.INCONCLUSIVE));
    }

    @Test
    void aCopyThatNeverCameToBeKnownIsReverted() {
        hold("/f", block(1, "a1", "b1", "b2"));

        ask(copied("/f", 1), 1_000);
        assertThat(ask(copied("/f", 1), 40_000)).isEmpty();
        assertThat(ask(copied("/f", 1), TIMEOUT_MS)).isEqualTo(Map.of(blockId(1), MoveOutcome.REVERTED));
    }

    @Test
    void aMoveWithoutTheDataNodesAnswerThatNeverShowsIsInconclusive() {
        hold("/f", block(1, "a1", "b1", "b2"));

        assertThat(ask(move("/f", 1, false, COPIED_MS, 2), TIMEOUT_MS))
                .isEqualTo(Map.of(blockId(1), MoveOutcome.INCONCLUSIVE));
    }

    @Test
    void oneQuestionForAllTheMovesOfAFileAndOneRoundASecond() {
        hold("/f", block(1, "a1", "b1", "b2"), block(2, "a1", "b1", "b2"));
        List<PendingVerification> moves = List.of(copied("/f", 1), copied("/f", 2));

        verifier.doWork(moves, TIMEOUT_MS, 1_000);
        verifier.doWork(moves, TIMEOUT_MS, 1_999);
        assertThat(hdfs.questions).isEqualTo(1);
        verifier.doWork(moves, TIMEOUT_MS, 2_000);
        assertThat(hdfs.questions).isEqualTo(2);
    }

    @Test
    void everyFileComesToItsTurn() {
        int files = 2 * CALLS;
        List<PendingVerification> moves = IntStream.range(0, files)
                .mapToObj(i -> {
                    hold("/f" + i, block(i, "a1", "b1", "c1"));
                    return copied("/f" + i, i);
                })
                .toList();

        int first = verifier.doWork(moves, TIMEOUT_MS, 1_000).size();
        assertThat(first).isEqualTo(CALLS);
        assertThat(hdfs.questions).isEqualTo(CALLS);
        assertThat(verifier.doWork(moves, TIMEOUT_MS, 2_000)).hasSize(CALLS);
        assertThat(verifier.doWork(moves, TIMEOUT_MS, 2_000)).isEmpty();
    }

    @Test
    void severalFilesTakeOneCallAndEachHasItsOwnAnswer() {
        hdfs.atATime = 4;
        List<PendingVerification> moves = new ArrayList<>();
        for (int file = 0; file < 9; file++) {
            moves.add(copied("/f" + file, file));
            if (file != 3) {
                hold("/f" + file, block(file, "a1", "b1", file == 5 ? "b2" : "c1"));
            }
        }

        Map<BlockId, MoveOutcome> outcomes = verifier.doWork(moves, TIMEOUT_MS, 1_000);

        assertThat(hdfs.questions).isEqualTo(3);
        assertThat(hdfs.usage.calls()).isEqualTo(3);
        assertThat(outcomes).hasSize(8).containsEntry(blockId(3), MoveOutcome.BLOCK_DELETED);
        assertThat(outcomes.values()).filteredOn(MoveOutcome.VERIFIED::equals).hasSize(7);
        assertThat(outcomes).as("still pending").doesNotContainKey(blockId(5));
    }

    @Test
    void theBudgetIsForCallsAndNotForFiles() {
        hdfs.atATime = 3;
        budget.set(1, 2);
        List<PendingVerification> moves = IntStream.range(0, 10)
                .mapToObj(i -> {
                    hold("/f" + i, block(i, "a1", "b1", "c1"));
                    return copied("/f" + i, i);
                })
                .toList();

        assertThat(verifier.doWork(moves, TIMEOUT_MS, 1_000)).hasSize(6);
        assertThat(verifier.wasCutShort()).isTrue();
        assertThat(verifier.doWork(moves.subList(6, 10), TIMEOUT_MS, 2_000)).hasSize(4);
        assertThat(verifier.wasCutShort()).isFalse();
    }

    /** Without an answer each file is asked about for ever, and by itself that would take more than the budget in every second. */
    @Test
    void filesThatTakeMoreThanTheBudgetAreAskedLessOftenSoThatOthersHaveTheirTurn() {
        int files = 4 * CALLS;
        List<PendingVerification> moves = IntStream.range(0, files)
                .mapToObj(i -> {
                    hold("/f" + i, block(i, "a1", "b1", "b2", "c1"));
                    return copied("/f" + i, i);
                })
                .toList();
        int whole = 0;
        for (int second = 1; second <= 50; second++) {
            assertThat(verifier.doWork(moves, TIMEOUT_MS, second * 1_000L)).isEmpty();
            whole += verifier.wasCutShort() ? 0 : 1;
        }

        assertThat(whole).as("rounds that leave something of the budget").isGreaterThanOrEqualTo(10);
        assertThat(hdfs.questions).as("each file every 8 seconds at least").isGreaterThanOrEqualTo(6 * files);
    }

    @Test
    void nobodyIsAskedInTheFirstSecondsAfterACopy() {
        hold("/f", block(1, "a1", "b1", "c1"));
        assertThat(ask(move("/f", 1, true, 0, 2), 1_999)).isEmpty();
        assertThat(hdfs.questions).isZero();
        assertThat(ask(move("/f", 1, true, 0, 2), 3_000)).isEqualTo(Map.of(blockId(1), MoveOutcome.VERIFIED));
    }

    @Test
    void filesThatAreAskedAgainDoNotStarveWhileNewOnesCome() {
        hold("/old", block(0, "a1", "b1", "b2", "c1"));
        List<PendingVerification> moves = new ArrayList<>(List.of(move("/old", 0, true, 0, 2)));
        for (int second = 0; second < 10; second++) {
            for (int file = 0; file < CALLS; file++) {
                String path = "/new" + second + "-" + file;
                hold(path, block(1 + second * 100L + file, "a1", "b1", "b2", "c1"));
                moves.add(move(path, 1 + second * 100L + file, true, second * 1_000L, 2));
            }
            assertThat(verifier.doWork(moves, TIMEOUT_MS, second * 1_000L)).isEmpty();
        }
        hold("/old", block(0, "a1", "b1", "c1"));
        Map<BlockId, MoveOutcome> outcomes = new TreeMap<>();
        for (int second = 10; second < 20; second++) {
            outcomes.putAll(verifier.doWork(moves, TIMEOUT_MS, second * 1_000L));
        }
        assertThat(outcomes).isEqualTo(Map.of(blockId(0), MoveOutcome.VERIFIED));
        assertThat(verifier.isBehind()).isFalse();
    }

    @Test
    void aThousandFilesAreTooManyToFollow() {
        List<PendingVerification> moves = IntStream.rangeClosed(0, MoveVerifier.BEHIND_SECONDS * CALLS)
                .mapToObj(i -> copied("/f" + i, i))
                .toList();
        hdfs.nameNodeFails = true;
        verifier.doWork(moves, TIMEOUT_MS, 1_000);
        assertThat(verifier.isBehind()).isTrue();
        verifier.doWork(moves.subList(1, moves.size()), TIMEOUT_MS, 2_000);
        assertThat(verifier.isBehind()).isFalse();
    }

    /** A round with this move alone, after those of every fourth second since the last one that was asked for here. */
    private Map<BlockId, MoveOutcome> ask(PendingVerification move, long nowMs) {
        return ask(List.of(move), nowMs);
    }

    private Map<BlockId, MoveOutcome> ask(List<PendingVerification> moves, long nowMs) {
        for (long betweenMs = lastAskedMs + 4_000; betweenMs < nowMs; betweenMs += 4_000) {
            verifier.doWork(moves, TIMEOUT_MS, betweenMs);
        }
        lastAskedMs = nowMs;
        return verifier.doWork(moves, TIMEOUT_MS, nowMs);
    }

    private void hold(String path, BlockReplicas... blocks) {
        hdfs.fileByPath.put(path, new StoreFile(path, 3, false, true, List.of(blocks)));
    }

    private static PendingVerification copied(String path, long number) {
        return move(path, number, true, COPIED_MS, 2);
    }

    private static PendingVerification move(String path, long number, boolean copied, long sinceMs, int racks) {
        BlockMove move = new BlockMove(
                new EncodedRegionName("r"),
                path,
                blockId(number),
                100,
                StorageType.DISK,
                node("b2"),
                List.of(node("b2")),
                node("c1"),
                3,
                racks);
        return new PendingVerification(move, copied, sinceMs, sinceMs);
    }
}
