package io.hearth.healing.verify;

import static io.hearth.healing.fakes.Racks.blockId;
import static io.hearth.healing.fakes.Racks.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.load.RegionId;
import io.hearth.healing.model.BlockMove;
import io.hearth.healing.model.StorageType;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExcessWatchTest {

    private final ExcessWatch watch = new ExcessWatch();

    @Test
    void holdsFromEightLateBlocksOn() {
        late(1, 7);
        assertThat(watch.isHolding(30_000)).isFalse();
        late(8, 8);
        assertThat(watch.isHolding(30_000)).isTrue();
        assertThat(watch.blocks(30_000)).isEqualTo(8);
    }

    @Test
    void whatIsNotLateYetDoesNotCount() {
        for (long number = 1; number <= 20; number++) {
            watch.note(open(number), true, 40_000, 29_999);
        }
        assertThat(watch.blocks(29_999)).isZero();
    }

    @Test
    void aBlockThatSettlesDoesNotCountAnyMore() {
        late(1, 8);
        watch.note(open(3), false, 40_000, 31_000);

        assertThat(watch.isHolding(31_000)).isFalse();
    }

    @Test
    void threeConfirmedMovesInARowEndIt() {
        late(1, 8);
        watch.healed();
        watch.healed();
        late(1, 1);
        watch.healed();
        watch.healed();
        assertThat(watch.isHolding(40_000)).isTrue();
        watch.healed();

        assertThat(watch.isHolding(40_000)).isFalse();
    }

    @Test
    void whatIsOldIsForgotten() {
        late(1, 8);
        assertThat(watch.isHolding(630_000)).isTrue();
        assertThat(watch.isHolding(630_001)).isFalse();
    }

    private void late(long from, long to) {
        for (long number = from; number <= to; number++) {
            watch.note(open(number), true, 40_000, 30_000);
        }
    }

    private static OpenMove open(long number) {
        BlockMove move = new BlockMove(
                new RegionId("r"),
                "/f",
                blockId(number),
                1,
                StorageType.DISK,
                node("b2"),
                List.of(node("b1")),
                node("c1"),
                3,
                2);
        return new OpenMove(move, true, 0);
    }
}
