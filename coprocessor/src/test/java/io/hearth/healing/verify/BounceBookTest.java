package io.hearth.healing.verify;

import static io.hearth.healing.fakes.Racks.blockId;
import static io.hearth.healing.fakes.Racks.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.load.RegionId;
import io.hearth.healing.model.BlockMove;
import io.hearth.healing.model.StorageType;
import java.util.List;
import org.junit.jupiter.api.Test;

class BounceBookTest {

    private static final long MINUTE_MS = 60_000;

    private final BounceBook book = new BounceBook();

    @Test
    void thePairAndTheBlockAreBackedOffFrom() {
        book.bounced(move(1, "b1", "c1"), 0);

        assertThat(book.isBackedOff(move(2, "b2", "c1"), 1))
                .as("the same rack, the same target")
                .isTrue();
        assertThat(book.isBackedOff(move(1, "a1", "c1"), 1))
                .as("the same block")
                .isTrue();
        assertThat(book.isBackedOff(move(2, "a1", "c1"), 1)).isFalse();
        assertThat(book.isBackedOff(move(2, "b1", "c2"), 1)).isFalse();
        assertThat(book.isBackedOff(move(2, "b2", "c1"), MINUTE_MS)).isFalse();
    }

    @Test
    void twiceAsLongEachTimeUpToAnHour() {
        long nowMs = 0;
        for (int minutes = 1; minutes <= 32; minutes *= 2) {
            book.bounced(move(1, "b1", "c1"), nowMs);
            assertThat(book.isBackedOff(move(1, "b1", "c1"), nowMs + minutes * MINUTE_MS - 1))
                    .isTrue();
            nowMs += minutes * MINUTE_MS;
            assertThat(book.isBackedOff(move(1, "b1", "c1"), nowMs)).isFalse();
        }
        for (int more = 0; more < 3; more++) {
            book.bounced(move(1, "b1", "c1"), nowMs);
            nowMs += 60 * MINUTE_MS;
            assertThat(book.isBackedOff(move(1, "b1", "c1"), nowMs)).isFalse();
        }
    }

    @Test
    void aHandfulAtOnceIsOneStep() {
        for (int number = 0; number < 20; number++) {
            book.bounced(move(number, "b1", "c1"), 0);
        }
        assertThat(book.isBackedOff(move(99, "b1", "c1"), MINUTE_MS)).isFalse();
        assertThat(book.withinHour(0)).isEqualTo(20);
    }

    @Test
    void whatDoesNotBounceForThreeHoursIsForgotten() {
        book.bounced(move(1, "b1", "c1"), 0);
        book.bounced(move(1, "b1", "c1"), MINUTE_MS);
        long laterMs = MINUTE_MS + 3 * 60 * MINUTE_MS + 1;
        book.bounced(move(1, "b1", "c1"), laterMs);

        assertThat(book.isBackedOff(move(1, "b1", "c1"), laterMs + MINUTE_MS)).isFalse();
    }

    @Test
    void anHourIsCounted() {
        book.bounced(move(1, "b1", "c1"), 0);
        book.bounced(move(1, "b1", "c1"), 30 * MINUTE_MS);

        assertThat(book.withinHour(60 * MINUTE_MS - 1)).isEqualTo(2);
        assertThat(book.withinHour(60 * MINUTE_MS)).isEqualTo(1);
        book.forgetCount();
        assertThat(book.withinHour(60 * MINUTE_MS)).isZero();
        assertThat(book.isBackedOff(move(1, "b1", "c1"), 30 * MINUTE_MS)).isTrue();
    }

    private static BlockMove move(long number, String giver, String target) {
        return new BlockMove(
                new RegionId("r"),
                "/f",
                blockId(number),
                100,
                StorageType.DISK,
                node(giver),
                List.of(node(giver)),
                node(target),
                3,
                2);
    }
}
