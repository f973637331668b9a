// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.move;

import static io.hearth.healer.fakes.Racks.blockId;
import static io.hearth.healer.fakes.Racks.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNode.StorageType;
import io.hearth.healer.move.MoveAdmission.Link;
import io.hearth.healer.move.MoveAdmission.Link.LinkKind;
import io.hearth.healer.move.MoveExecutor.NarrowedUplink;
import io.hearth.healer.move.ReplyTimes.Timeliness;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UplinkWindowsTest {

    private static final int UNDER_WAY = 20;

    private final UplinkWindows windows = new UplinkWindows();
    private long nowMs = 1_000_000;

    @BeforeEach
    void aMoveWithinTheRackIsInTime() {
        within("b");
    }

    /** All is slow there, or nobody knows: a new rack has no move within it. */
    @Test
    void withoutAMoveInTimeWithinTheRackItIsNotTheUplink() {
        nowMs += UplinkWindows.RECENT_MS + 1;
        within("c");
        narrow();
        assertThat(windows.moves(into("b"))).isEqualTo(Integer.MAX_VALUE);
        within("b");
        narrow();
        assertThat(windows.moves(into("b"))).isEqualTo(10);
    }

    @Test
    void eightLateMovesBetweenManyLeaveHalfOfWhatIsUnderWay() {
        for (int number = 0; number < UplinkWindows.REPLIES - 1; number++) {
            late(number, number);
        }
        assertThat(windows.moves(into("b"))).as("seven say little").isEqualTo(Integer.MAX_VALUE);
        late(7, 7);

        assertThat(windows.moves(into("b"))).isEqualTo(10);
        assertThat(windows.moves(outOf("b"))).as("the other direction").isEqualTo(Integer.MAX_VALUE);
        assertThat(windows.takeNarrowed()).containsExactly(new NarrowedUplink("/b", true, 10));
        assertThat(windows.takeNarrowed()).as("once").isEmpty();
    }

    @Test
    void oneMoveInTimeIsEnough() {
        for (int number = 0; number < 100; number++) {
            if (number % 8 == 7) {
                inTime(number);
            } else {
                late(number, number);
            }
        }
        assertThat(windows.moves(into("b"))).isEqualTo(Integer.MAX_VALUE);
    }

    /** A late move passed two uplinks: the one that is known to be slow is the reason enough. */
    @Test
    void whatPassesASlowUplinkSaysNothingOfTheOther() {
        narrow();
        within("a");
        within("c");
        for (int number = 0; number < 100; number++) {
            late(number, number);
        }
        assertThat(windows.moves(outOf("a"))).isEqualTo(Integer.MAX_VALUE);
        for (int number = 0; number < UplinkWindows.REPLIES; number++) {
            answered("c" + number, "a" + number, nowMs, Timeliness.LATE, UNDER_WAY);
        }
        assertThat(windows.moves(outOf("a"))).as("with a third rack it is").isEqualTo(10);
    }

    /** A tenth of the rate would do for it: big moves are late, small ones never. */
    @Test
    void aShortMoveInTimeHidesNoSlowUplink() {
        for (int number = 0; number < UplinkWindows.REPLIES; number++) {
            late(number, number);
            answered(number, number, nowMs, Timeliness.SHORT, UNDER_WAY);
        }
        assertThat(windows.moves(into("b"))).isEqualTo(10);
        for (int number = 0; number < 10; number++) {
            answered(number, number, nowMs, Timeliness.SHORT, UNDER_WAY);
        }
        assertThat(windows.moves(into("b"))).as("but it makes one wider").isEqualTo(11);
    }

    /** Nor is one within the rack evidence that its DataNodes are fast. */
    @Test
    void aShortMoveWithinTheRackSaysNothing() {
        nowMs += UplinkWindows.RECENT_MS + 1;
        answered("b1", "b2", nowMs, Timeliness.SHORT, 0);
        narrow();
        assertThat(windows.moves(into("b"))).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void oneSlowDataNodeThatReceivesIsNoSlowUplink() {
        for (int number = 0; number < 100; number++) {
            late(0, number);
        }
        assertThat(windows.moves(into("b"))).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void oneSlowDataNodeThatSendsIsNoSlowUplink() {
        for (int number = 0; number < 100; number++) {
            late(number, 0);
        }
        assertThat(windows.moves(into("b"))).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void twoOfHalfOfTheMovesEachAreASlowUplink() {
        for (int number = 0; number < UplinkWindows.REPLIES; number++) {
            late(number % 2, number);
        }
        assertThat(windows.moves(into("b"))).isEqualTo(UNDER_WAY / 2);
    }

    /** Answers of one turn: each gives its place back before the next one is counted. */
    @Test
    void itIsHalfOfWhatWasUnderWayAtTheFirstOfThem() {
        for (int number = 0; number < UplinkWindows.REPLIES; number++) {
            answered(number, number, nowMs, Timeliness.LATE, UplinkWindows.REPLIES - number);
        }
        assertThat(windows.moves(into("b"))).isEqualTo(4);
        inTime(0);
        inTime(1);
        assertThat(windows.moves(into("b"))).isEqualTo(4);
    }

    @Test
    void whatBeganBeforeMakesTheNewWindowNoWider() {
        narrow();
        for (int number = 0; number < 100; number++) {
            answered(number, number, nowMs - 1, Timeliness.IN_TIME, UNDER_WAY);
        }
        assertThat(windows.moves(into("b"))).isEqualTo(10);
    }

    @Test
    void whatBeganBeforeSaysNothingOfTheNewWindow() {
        narrow();
        for (int number = 0; number < 100; number++) {
            answered(number, number, nowMs - 1, Timeliness.LATE, UNDER_WAY);
        }
        assertThat(windows.moves(into("b"))).isEqualTo(10);
        narrow();
        assertThat(windows.moves(into("b"))).as("half of the window").isEqualTo(5);
    }

    @Test
    void twoMovesAtATimeAreTheLeast() {
        for (int times = 0; times < 10; times++) {
            narrow();
        }
        assertThat(windows.moves(into("b"))).isEqualTo(2);
        assertThat(windows.takeNarrowed().stream().map(NarrowedUplink::moves))
                .as("each change is told, once")
                .containsExactly(10, 5, 2);
    }

    @Test
    void eachWindowOfMovesInTimeMakesItWiderByOne() {
        narrow();
        narrow();
        assertThat(windows.moves(into("b"))).isEqualTo(5);
        for (int number = 0; number < 4; number++) {
            inTime(number);
        }
        assertThat(windows.moves(into("b"))).isEqualTo(5);
        inTime(4);
        assertThat(windows.moves(into("b"))).isEqualTo(6);
        for (int number = 0; number < 6; number++) {
            inTime(number);
        }
        assertThat(windows.moves(into("b"))).isEqualTo(7);
    }

    @Test
    void aDataNodeHasPartInHalfOfTheMovesOverASlowUplink() {
        assertThat(windows.movesOfOne(into("b"))).isEqualTo(Integer.MAX_VALUE);
        narrow();
        assertThat(windows.movesOfOne(into("b"))).isEqualTo(5);
        narrow();
        assertThat(windows.movesOfOne(into("b"))).isEqualTo(2);
        narrow();
        assertThat(windows.movesOfOne(into("b"))).isEqualTo(1);
    }

    @Test
    void onceAsManyPassInTimeAsAtFirstItIsSlowNoMore() {
        narrow();
        narrow();
        int inTime = 0;
        while (windows.moves(into("b")) < Integer.MAX_VALUE) {
            assertThat(windows.moves(into("b"))).isBetween(5, UNDER_WAY - 1);
            inTime++;
            int before = windows.moves(into("b"));
            List<Link> wider = answered(inTime, inTime, nowMs, Timeliness.IN_TIME, UNDER_WAY);
            assertThat(wider).isEqualTo(windows.moves(into("b")) > before ? List.of(into("b")) : List.of());
        }
        assertThat(inTime).as("5 and 6 and so on up to 19").isEqualTo(180);
        assertThat(windows.movesOfOne(into("b"))).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void whatNothingHasPassedForLongIsForgotten() {
        narrow();
        nowMs += UplinkWindows.FORGET_AFTER_MS;
        windows.tick(uplink -> 0, nowMs);
        assertThat(windows.moves(into("b"))).isEqualTo(10);
        nowMs++;
        windows.tick(uplink -> 1, nowMs);
        assertThat(windows.moves(into("b"))).as("a move is under way").isEqualTo(10);
        windows.tick(uplink -> 0, nowMs);
        assertThat(windows.moves(into("b"))).isEqualTo(Integer.MAX_VALUE);
    }

    /**
     * An uplink that carries so many moves at a time in time; each move takes a turn, or as much longer as there are more of them than
     * that. The window comes to about as many.
     */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5, 8, 13})
    void itComesToWhatTheUplinkCarries(int carried) {
        Random random = new Random(carried);
        long underWay = 0;
        for (int round = 0; round < 400; round++) {
            int passing = Math.min(40, windows.moves(into("b")));
            if (round >= 200) {
                underWay += passing;
            }
            long sinceMs = nowMs;
            nowMs += 1_000;
            within("b");
            for (int number = 0; number < passing; number++) {
                answered(
                        random.nextInt(10),
                        random.nextInt(40),
                        sinceMs,
                        passing > carried ? Timeliness.LATE : Timeliness.IN_TIME,
                        passing);
            }
        }
        double mean = underWay / 200.0;
        assertThat(mean).as("seed %d", carried).isBetween(0.5 * carried, carried + 1.0);
    }

    private void narrow() {
        nowMs += 1_000;
        for (int number = 0; number < UplinkWindows.REPLIES; number++) {
            late(number, number);
        }
    }

    private void late(int target, int proxy) {
        answered(target, proxy, nowMs, Timeliness.LATE, UNDER_WAY);
    }

    private void inTime(int number) {
        answered(number, number, nowMs, Timeliness.IN_TIME, UNDER_WAY);
    }

    private void within(String rack) {
        answered(rack + "1", rack + "2", nowMs, Timeliness.IN_TIME, 0);
    }

    private List<Link> answered(int target, int proxy, long sinceMs, Timeliness timeliness, int underWay) {
        return answered("b" + target, "a" + proxy, sinceMs, timeliness, underWay);
    }

    private List<Link> answered(String target, String proxy, long sinceMs, Timeliness timeliness, int underWay) {
        DataNode to = node(target);
        DataNode from = node(proxy);
        BlockMove move = new BlockMove(
                new EncodedRegionName("r"), "/f", blockId(1), 1, StorageType.DISK, from, List.of(from), to, 1, 2);
        TrackedMove running = TrackedMove.planned(move, sinceMs).running(0, sinceMs);
        return windows.answered(running, timeliness, uplink -> underWay, nowMs);
    }

    private static Link outOf(String rack) {
        return new Link(LinkKind.RACK_OUT, "/" + rack);
    }

    private static Link into(String rack) {
        return new Link(LinkKind.RACK_IN, "/" + rack);
    }
}
