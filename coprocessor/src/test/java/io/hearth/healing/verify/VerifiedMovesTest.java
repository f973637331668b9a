package io.hearth.healing.verify;

import static io.hearth.healing.fakes.Racks.block;
import static io.hearth.healing.fakes.Racks.blockId;
import static io.hearth.healing.fakes.Racks.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.load.RegionId;
import io.hearth.healing.model.BlockMove;
import io.hearth.healing.model.BlockReplicas;
import io.hearth.healing.model.DataNodes;
import io.hearth.healing.model.ServiceState;
import io.hearth.healing.model.StorageType;
import io.hearth.healing.model.StoreFile;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerifiedMovesTest {

    private static final BlockMove MOVE = move(1);

    private final VerifiedMoves verified = new VerifiedMoves();
    private DataNodes nodes = DataNodes.of(List.of(node("c1")));

    VerifiedMovesTest() {
        verified.verified(MOVE);
    }

    @Test
    void aReplicaThatIsGoneFromItsDataNodeWasUndoneAndIsToldOnce() {
        assertThat(undone("c1", block(1, "a1", "b1", "c1"))).isEmpty();
        assertThat(undone("c1", block(1, "a1", "b1", "b2"))).containsExactly(MOVE);
        assertThat(undone("c1", block(1, "a1", "b1", "b2"))).isEmpty();
    }

    @Test
    void aReplicaThatIsMissingMayComeBack() {
        assertThat(undone("c1", block(1, "a1", "b1"))).isEmpty();
    }

    @Test
    void aRegionElsewhereHasOtherWishes() {
        assertThat(undone("a2", block(1, "a1", "b1", "b2"))).isEmpty();
    }

    @Test
    void aDataNodeThatIsNotInServiceHasUndoneNothing() {
        nodes = DataNodes.of(List.of(node("c1", ServiceState.LEAVING)));
        assertThat(undone("c1", block(1, "a1", "b1", "b2"))).isEmpty();
        nodes = DataNodes.NONE;
        assertThat(undone("c1", block(1, "a1", "b1", "b2"))).isEmpty();
    }

    @Test
    void aFurtherMoveOfTheBlockIsAnotherMatter() {
        verified.forget(blockId(1));
        assertThat(undone("c1", block(1, "a1", "b1", "b2"))).isEmpty();
    }

    @Test
    void theOldestIsForgottenFirst() {
        for (int number = 2; number <= VerifiedMoves.KEPT + 1; number++) {
            verified.verified(move(number));
        }
        assertThat(undone("c1", block(1, "a1", "b1", "b2"))).isEmpty();
        assertThat(undone("c1", block(2, "a1", "b1", "b2"))).hasSize(1);
    }

    private List<BlockMove> undone(String host, BlockReplicas block) {
        return verified.undone(List.of(new StoreFile("/f", 3, false, true, List.of(block))), host, nodes);
    }

    private static BlockMove move(long number) {
        return new BlockMove(
                new RegionId("r"),
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
