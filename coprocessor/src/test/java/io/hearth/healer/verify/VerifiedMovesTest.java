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
import io.hearth.healer.model.DataNode.StorageType;
import io.hearth.healer.model.StoreFile;
import io.hearth.healer.verify.VerifiedMoves.Missing;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerifiedMovesTest {

    private static final BlockMove MOVE = move(1);

    private final VerifiedMoves verified = new VerifiedMoves();

    VerifiedMovesTest() {
        verified.verified(MOVE, 5);
    }

    @Test
    void aReplicaThatIsGoneFromItsDataNodeIsToldOnce() {
        assertThat(missing("c1", block(1, "a1", "b1", "c1"))).isEmpty();
        assertThat(missing("c1", block(1, "a1", "b1", "b2")))
                .containsExactly(new Missing(
                        MOVE,
                        5,
                        List.of(node("a1").id(), node("b1").id(), node("b2").id())));
        assertThat(missing("c1", block(1, "a1", "b1", "b2"))).isEmpty();
    }

    @Test
    void aReplicaThatIsMissingMayComeBack() {
        assertThat(missing("c1", block(1, "a1", "b1"))).isEmpty();
        assertThat(missing("c1", block(1, "a1", "b1", "b2"))).hasSize(1);
    }

    @Test
    void aRegionElsewhereIsNotAskedFor() {
        assertThat(missing("a2", block(1, "a1", "b1", "b2"))).isEmpty();
    }

    @Test
    void whoSetTheReplicationHasUndoneNothing() {
        assertThat(verified.takeMissing(List.of(file(2, block(1, "a1", "b1"))), "c1"))
                .as("setrep 3 -> 2, and the NameNode chose the local one")
                .isEmpty();
        assertThat(verified.takeMissing(List.of(file(4, block(1, "a1", "b1", "b2", "c2"))), "c1"))
                .isEmpty();
    }

    @Test
    void aFurtherMoveOfTheBlockIsAnotherMatter() {
        verified.forget(blockId(1));
        assertThat(missing("c1", block(1, "a1", "b1", "b2"))).isEmpty();
    }

    @Test
    void theOldestIsForgottenFirst() {
        for (int number = 2; number <= VerifiedMoves.KEPT + 1; number++) {
            verified.verified(move(number), 5);
        }
        assertThat(missing("c1", block(1, "a1", "b1", "b2"))).isEmpty();
        assertThat(missing("c1", block(2, "a1", "b1", "b2"))).hasSize(1);
    }

    private List<Missing> missing(String host, BlockReplicas block) {
        return verified.takeMissing(List.of(file(3, block)), host);
    }

    private static StoreFile file(int replication, BlockReplicas block) {
        return new StoreFile("/f", replication, false, true, List.of(block));
    }

    private static BlockMove move(long number) {
        return new BlockMove(
                new EncodedRegionName("r"),
                "/f",
                blockId(number),
                100,
                StorageType.DISK,
                node("b2"),
                List.of(node("b2")),
                node("c1"),
                3,
                2);
    }
}
