// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.verify;

import static io.hearth.healer.fakes.Racks.block;
import static io.hearth.healer.fakes.Racks.blockId;
import static io.hearth.healer.fakes.Racks.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.BlockReplicas.Replica;
import io.hearth.healer.model.DataNode.ServiceState;
import io.hearth.healer.model.DataNode.StorageType;
import io.hearth.healer.model.StoreFile;
import io.hearth.healer.verify.MoveVerifier.PendingVerification;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One answer of the NameNode about a move from b2 to c1 of a block of three replicas on two racks. */
class MoveOutcomeTest {

    private static final BlockMove MOVE = new BlockMove(
            new EncodedRegionName("r"),
            "/f",
            blockId(1),
            100,
            StorageType.DISK,
            node("b2"),
            List.of(node("b2")),
            node("c1"),
            3,
            2);

    @Test
    void missingIsABlockThatIsWholeWithoutTheTarget() {
        assertThat(isMissing(3, "a1", "b1", "b2")).isTrue();
        assertThat(isMissing(3, "a1", "b1", "c1")).as("it is there").isFalse();
        assertThat(isMissing(3, "a1", "b1")).as("one is still to come").isFalse();
        assertThat(isMissing(3, "a1", "b1", "b2", "a2"))
                .as("one is still to go")
                .isFalse();
        assertThat(isMissing(3, "b1", "b2", "b3")).as("racks are short").isFalse();
        assertThat(isMissing(2, "a1", "b1")).as("setrep 3 -> 2").isFalse();
        assertThat(isMissing(4, "a1", "b1", "b2", "a2")).as("setrep 3 -> 4").isFalse();
    }

    @Test
    void inExcessIsABlockWithMoreReplicasThanItsFileWants() {
        assertThat(MoveOutcome.isInExcess(MOVE, file(3, "a1", "b1", "b2", "c1")))
                .isTrue();
        assertThat(MoveOutcome.isInExcess(MOVE, file(3, "a1", "b1", "c1"))).isFalse();
        assertThat(MoveOutcome.isInExcess(MOVE, file(3, "a1", "c1"))).isFalse();
        assertThat(MoveOutcome.isInExcess(MOVE, of(3, 2, "a1", "b1", "b2", "c1")))
                .as("another block of the file")
                .isFalse();
    }

    @Test
    void revertedIsWhatWasMissingForHalfAMinuteAndHadBeenThere() {
        long enoughMs = MoveOutcome.MISSING_MS;

        assertThat(outcome(true, true, enoughMs, false)).isEqualTo(MoveOutcome.REVERTED);
        assertThat(outcome(true, true, enoughMs - 1, false)).isEqualTo(MoveOutcome.PENDING);
        assertThat(outcome(true, false, enoughMs, false))
                .as("the DataNode's word is waited for to the end")
                .isEqualTo(MoveOutcome.PENDING);
        assertThat(outcome(true, false, enoughMs, true)).isEqualTo(MoveOutcome.REVERTED);
        assertThat(outcome(false, false, enoughMs, true))
                .as("nobody says that it was ever copied")
                .isEqualTo(MoveOutcome.INCONCLUSIVE);
        assertThat(outcome(true, true, enoughMs - 1, true)).isEqualTo(MoveOutcome.INCONCLUSIVE);
    }

    @Test
    void healedIsWhatIsAtTheTargetOnAsManyRacksAndAsOftenAsWanted() {
        assertThat(outcome(3, "a1", "b1", "c1")).isEqualTo(MoveOutcome.VERIFIED);
        assertThat(outcome(3, "c1", "c2", "c3")).isEqualTo(MoveOutcome.PENDING);
        assertThat(outcome(3, "a1", "c1")).isEqualTo(MoveOutcome.PENDING);
        assertThat(outcome(3, "a1", "b1", "b2", "c1")).isEqualTo(MoveOutcome.PENDING);
        assertThat(outcome(2, "a1", "c1")).as("setrep 3 -> 2").isEqualTo(MoveOutcome.VERIFIED);
        assertThat(MoveOutcome.of(pending(true), of(3, 2, "a1", "b1", "c1"), true, 0, false))
                .isEqualTo(MoveOutcome.BLOCK_DELETED);
    }

    @Test
    void aReplicaOnALeavingDataNodeDoesNotCount() {
        List<Replica> replicas = new ArrayList<>(block(1, "a1", "b1", "c1").replicas());
        replicas.add(new Replica(node("a2", ServiceState.NOT_IN_SERVICE), StorageType.DISK));
        StoreFile file =
                new StoreFile("/f", 3, false, true, List.of(new BlockReplicas(blockId(1), 100, replicas, false)));

        assertThat(MoveOutcome.of(pending(true), file, false, 0, false)).isEqualTo(MoveOutcome.VERIFIED);
        assertThat(MoveOutcome.isInExcess(MOVE, file)).isFalse();
    }

    private static boolean isMissing(int replication, String... holders) {
        return MoveOutcome.isMissing(MOVE, file(replication, holders));
    }

    private static MoveOutcome outcome(boolean copied, boolean wasAtTarget, long missingMs, boolean isLast) {
        return MoveOutcome.of(pending(copied), file(3, "a1", "b1", "b2"), wasAtTarget, missingMs, isLast);
    }

    private static MoveOutcome outcome(int replication, String... holders) {
        return MoveOutcome.of(pending(true), file(replication, holders), false, 0, false);
    }

    private static PendingVerification pending(boolean copied) {
        return new PendingVerification(MOVE, copied, 0, 0);
    }

    private static StoreFile file(int replication, String... holders) {
        return of(replication, 1, holders);
    }

    private static StoreFile of(int replication, long number, String... holders) {
        return new StoreFile("/f", replication, false, true, List.of(block(number, holders)));
    }
}
