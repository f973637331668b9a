// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.verify;

import static io.hearth.healer.fakes.Racks.blockId;
import static io.hearth.healer.fakes.Racks.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.fakes.RetainedSize;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.DataNode.StorageType;
import java.util.List;
import org.junit.jupiter.api.Test;

class RevertedMovesTest {

    private static final long MINUTE_MS = 60_000;

    private final RevertedMoves revertedMoves = new RevertedMoves();

    @Test
    void thePairAndTheBlockAreBackedOffFrom() {
        revertedMoves.reverted(move(1, "b1", "c1"), 0);

        assertThat(revertedMoves.isBackedOff(move(2, "b2", "c1"), 1))
                .as("the same rack, the same target")
                .isTrue();
        assertThat(revertedMoves.isBackedOff(move(1, "a1", "c1"), 1))
                .as("the same block")
                .isTrue();
        assertThat(revertedMoves.isBackedOff(move(2, "a1", "c1"), 1)).isFalse();
        assertThat(revertedMoves.isBackedOff(move(2, "b1", "c2"), 1)).isFalse();
        assertThat(revertedMoves.isBackedOff(move(2, "b2", "c1"), MINUTE_MS)).isFalse();
    }

    /** A placement policy that forbids the pair reverts every one of its moves; the HDFS Balancer and setrep take a few. */
    @Test
    void aPairOfWhichFewMovesAreRevertedIsNotLeftAlone() {
        for (int number = 0; number < 8; number++) {
            revertedMoves.verified(move(number, "b1", "c1"), 0);
        }
        revertedMoves.reverted(move(1, "b1", "c1"), 1);
        revertedMoves.reverted(move(2, "b1", "c1"), 1);

        assertThat(revertedMoves.isBackedOff(move(2, "b1", "c1"), 2))
                .as("the block")
                .isTrue();
        assertThat(revertedMoves.isBackedOff(move(9, "b1", "c1"), 2))
                .as("the pair")
                .isFalse();

        revertedMoves.reverted(move(3, "b1", "c1"), 2);
        assertThat(revertedMoves.isBackedOff(move(9, "b1", "c1"), 3))
                .as("3 of 8")
                .isTrue();
    }

    /** The Balancer may take what the NameNode has confirmed a minute before. */
    @Test
    void whatIsRevertedAfterItWasVerifiedCountsAgainstThePairToo() {
        for (int number = 0; number < 1_000; number++) {
            revertedMoves.verified(move(number, "b1", "c1"), number);
        }
        for (int number = 0; number < 10; number++) {
            revertedMoves.reverted(move(number, "b1", "c1"), 1_000);
        }

        assertThat(revertedMoves.isBackedOff(move(5_000, "b1", "c1"), 1_001))
                .as("10 of the last 30 or fewer, however many there were before")
                .isTrue();
    }

    @Test
    void twiceAsLongEachTimeUpToAnHour() {
        long nowMs = 0;
        for (int minutes = 1; minutes <= 32; minutes *= 2) {
            revertedMoves.reverted(move(1, "b1", "c1"), nowMs);
            assertThat(revertedMoves.isBackedOff(move(1, "b1", "c1"), nowMs + minutes * MINUTE_MS - 1))
                    .isTrue();
            nowMs += minutes * MINUTE_MS;
            assertThat(revertedMoves.isBackedOff(move(1, "b1", "c1"), nowMs)).isFalse();
        }
        for (int more = 0; more < 3; more++) {
            revertedMoves.reverted(move(1, "b1", "c1"), nowMs);
            nowMs += 60 * MINUTE_MS;
            assertThat(revertedMoves.isBackedOff(move(1, "b1", "c1"), nowMs)).isFalse();
        }
    }

    /** Where no number of reverted moves is an alarm, nobody asks how many there were within an hour. */
    @Test
    void afterAYearNoMoreIsRememberedThanAfterAMonth() {
        long afterAMonth = 0;
        for (int hour = 0; hour < 365 * 24; hour++) {
            revertedMoves.verified(move(hour, "b" + hour % 300, "c1"), hour * 60 * MINUTE_MS);
            revertedMoves.reverted(move(hour, "b1", "c1"), hour * 60 * MINUTE_MS);
            if (hour == 30 * 24) {
                afterAMonth = RetainedSize.bytes(revertedMoves, List.of());
            }
        }

        assertThat(RetainedSize.bytes(revertedMoves, List.of())).isLessThanOrEqualTo(afterAMonth * 5 / 4);
    }

    @Test
    void aHandfulAtOnceIsOneStep() {
        for (int number = 0; number < 20; number++) {
            revertedMoves.reverted(move(number, "b1", "c1"), 0);
        }
        assertThat(revertedMoves.isBackedOff(move(99, "b1", "c1"), MINUTE_MS)).isFalse();
        assertThat(revertedMoves.withinHour(0)).isEqualTo(20);
    }

    @Test
    void whatIsNotRevertedForThreeHoursIsForgotten() {
        revertedMoves.reverted(move(1, "b1", "c1"), 0);
        revertedMoves.reverted(move(1, "b1", "c1"), MINUTE_MS);
        long laterMs = MINUTE_MS + 3 * 60 * MINUTE_MS + 1;
        revertedMoves.reverted(move(1, "b1", "c1"), laterMs);

        assertThat(revertedMoves.isBackedOff(move(1, "b1", "c1"), laterMs + MINUTE_MS))
                .isFalse();
    }

    @Test
    void untilThenItIsRemembered() {
        revertedMoves.reverted(move(1, "b1", "c1"), 0);
        revertedMoves.reverted(move(1, "b1", "c1"), MINUTE_MS);
        long laterMs = MINUTE_MS + 3 * 60 * MINUTE_MS;
        revertedMoves.reverted(move(1, "b1", "c1"), laterMs);

        assertThat(revertedMoves.isBackedOff(move(1, "b1", "c1"), laterMs + 4 * MINUTE_MS - 1))
                .as("the third time")
                .isTrue();
    }

    /** The pass over all that is remembered is made once a minute at most, and takes what is old alone. */
    @Test
    void forgettingOneDoesNotForgetOthers() {
        revertedMoves.reverted(move(1, "b1", "c1"), 0);
        long recentMs = 3 * 60 * MINUTE_MS;
        revertedMoves.reverted(move(2, "a1", "c2"), recentMs);
        revertedMoves.reverted(move(2, "a1", "c2"), recentMs + MINUTE_MS);
        revertedMoves.reverted(move(3, "a1", "b3"), recentMs + 2 * MINUTE_MS + 1);

        assertThat(revertedMoves.isBackedOff(move(2, "b1", "b9"), recentMs + 3 * MINUTE_MS - 1))
                .as("the block")
                .isTrue();
        assertThat(revertedMoves.isBackedOff(move(9, "a1", "c2"), recentMs + 3 * MINUTE_MS - 1))
                .as("the pair")
                .isTrue();
    }

    @Test
    void anHourIsCounted() {
        revertedMoves.reverted(move(1, "b1", "c1"), 0);
        revertedMoves.reverted(move(1, "b1", "c1"), 30 * MINUTE_MS);

        assertThat(revertedMoves.withinHour(60 * MINUTE_MS - 1)).isEqualTo(2);
        assertThat(revertedMoves.withinHour(60 * MINUTE_MS)).isEqualTo(1);
        revertedMoves.forgetCount();
        assertThat(revertedMoves.withinHour(60 * MINUTE_MS)).isZero();
        assertThat(revertedMoves.isBackedOff(move(1, "b1", "c1"), 30 * MINUTE_MS))
                .isTrue();
    }

    private static BlockMove move(long number, String source, String target) {
        return new BlockMove(
                new EncodedRegionName("r"),
                "/f",
                blockId(number),
                100,
                StorageType.DISK,
                node(source),
                List.of(node(source)),
                node(target),
                3,
                2);
    }
}
