// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.verify;

import static io.hearth.healer.fakes.Racks.blockId;
import static io.hearth.healer.fakes.Racks.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.DataNode.StorageType;
import io.hearth.healer.verify.MoveVerifier.ExcessReplicaMonitor;
import io.hearth.healer.verify.MoveVerifier.PendingVerification;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExcessReplicaMonitorTest {

    private final ExcessReplicaMonitor watch = new ExcessReplicaMonitor();

    @Test
    void holdsFromEightLateBlocksOn() {
        late(1, 7);
        assertThat(watch.shouldHoldMoves(30_000)).isFalse();
        late(8, 8);
        assertThat(watch.shouldHoldMoves(30_000)).isTrue();
        assertThat(watch.blocks(30_000)).isEqualTo(8);
    }

    @Test
    void whatIsNotLateYetDoesNotCount() {
        for (long number = 1; number <= 20; number++) {
            watch.note(pending(number), true, 40_000, 29_999);
        }
        assertThat(watch.blocks(29_999)).isZero();
    }

    @Test
    void aBlockThatSettlesDoesNotCountAnyMore() {
        late(1, 8);
        watch.note(pending(3), false, 40_000, 31_000);

        assertThat(watch.shouldHoldMoves(31_000)).isFalse();
    }

    @Test
    void threeConfirmedMovesInARowEndIt() {
        late(1, 8);
        watch.moveVerified();
        watch.moveVerified();
        late(1, 1);
        watch.moveVerified();
        watch.moveVerified();
        assertThat(watch.shouldHoldMoves(40_000)).isTrue();
        watch.moveVerified();

        assertThat(watch.shouldHoldMoves(40_000)).isFalse();
    }

    @Test
    void whatIsOldIsForgotten() {
        late(1, 8);
        assertThat(watch.shouldHoldMoves(630_000)).isTrue();
        assertThat(watch.shouldHoldMoves(630_001)).isFalse();
    }

    private void late(long from, long to) {
        for (long number = from; number <= to; number++) {
            watch.note(pending(number), true, 40_000, 30_000);
        }
    }

    private static PendingVerification pending(long number) {
        BlockMove move = new BlockMove(
                new EncodedRegionName("r"),
                "/f",
                blockId(number),
                1,
                StorageType.DISK,
                node("b2"),
                List.of(node("b1")),
                node("c1"),
                3,
                2);
        return new PendingVerification(move, true, 0, 0);
    }
}
