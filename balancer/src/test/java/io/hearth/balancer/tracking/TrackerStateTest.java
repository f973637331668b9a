// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

import static io.hearth.balancer.tracking.TrackerSteps.A;
import static io.hearth.balancer.tracking.TrackerSteps.B;
import static io.hearth.balancer.tracking.TrackerSteps.C;
import static io.hearth.balancer.tracking.TrackerSteps.GROUP;
import static io.hearth.balancer.tracking.TrackerSteps.HOUR;
import static io.hearth.balancer.tracking.TrackerSteps.LOADED;
import static io.hearth.balancer.tracking.TrackerSteps.MINUTE;
import static io.hearth.balancer.tracking.TrackerSteps.T0;
import static io.hearth.balancer.tracking.TrackerSteps.TABLE;
import static io.hearth.balancer.tracking.TrackerSteps.TRIGGERS;
import static io.hearth.balancer.tracking.TrackerSteps.UNEVEN;
import static io.hearth.balancer.tracking.TrackerSteps.config;
import static io.hearth.balancer.tracking.TrackerSteps.move;
import static io.hearth.balancer.tracking.TrackerSteps.moveAndLand;
import static io.hearth.balancer.tracking.TrackerSteps.plan;
import static io.hearth.balancer.tracking.TrackerSteps.region;
import static io.hearth.balancer.tracking.TrackerSteps.report;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.config.TableBudgets;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.state.Pin;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What outlives a master. */
class TrackerStateTest {

    private static final EncodedRegionName META = new EncodedRegionName("1588230740");
    private static final long NOW = T0 + 2 * HOUR;
    private static final TableBudgets TEN = TableBudgets.read(
            "test",
            new MapSettings(Map.of("hearth.table.ns:t.max.moves.per.hour", "10")),
            Map.of(TABLE, new MapSettings(Map.of())));

    /** One region that went to and fro, one that cools, one in flight, two that were moved manually, two wrong runs. */
    private static MoveTracker eventful() {
        MoveTracker tracker = new MoveTracker(config());
        moveAndLand(tracker, region(1), A, B, T0);
        tracker.measured(GROUP, Map.of(LoadDimension.WRITES, 2.0), LOADED, T0 + 30 * MINUTE);
        moveAndLand(tracker, region(1), B, A, T0 + 31 * MINUTE);
        tracker.measured(GROUP, Map.of(LoadDimension.WRITES, 2.0), LOADED, T0 + HOUR);
        tracker.observed(List.of(report(A, T0 + HOUR, region(1))), TrackerSteps.UNKNOWN_HEAT, T0 + HOUR);
        moveAndLand(tracker, region(2), A, B, NOW - 3 * MINUTE);
        tracker.regionMovedManually(region(3), TABLE, A, C, "ann", false, NOW - MINUTE);
        tracker.regionMovedManually(META, TABLE, A, C, "bob", false, NOW - MINUTE);
        tracker.observed(
                List.of(report(A, NOW, region(1)), report(C, NOW, region(3))), any -> OptionalDouble.of(100), NOW);
        tracker.runStarted(NOW);
        tracker.planned(plan(move(region(4), A, B)), GROUP, TRIGGERS, UNEVEN, LOADED, NOW);
        return tracker;
    }

    @Test
    void anotherMasterKnowsAllThatThisOneKnew() {
        MoveTracker before = eventful();
        MoveTracker after = new MoveTracker(config());

        assertThat(after.restore(before.encode(NOW), NOW)).isEqualTo(RestoreResult.RESTORED);

        assertThat(after.pins(NOW))
                .isEqualTo(before.pins(NOW))
                .isEqualTo(Map.of(
                        region(1),
                        Pin.OSCILLATING,
                        region(2),
                        Pin.COOL_DOWN,
                        region(3),
                        Pin.MOVED_MANUALLY,
                        META,
                        Pin.MOVED_MANUALLY,
                        region(4),
                        Pin.IN_FLIGHT));
        assertThat(after.pinned(NOW)).isEqualTo(before.pinned(NOW)).hasSize(5);
        assertThat(TrackerSteps.targets(after, NOW)).isEqualTo(Map.of(region(4), B));
        assertThat(after.movesLeft(TEN, NOW))
                .isEqualTo(before.movesLeft(TEN, NOW))
                .isEqualTo(Map.of(TABLE, 8));
        assertThat(after.predictionLog()).hasSize(3).hasSameSizeAs(before.predictionLog());
        assertThat(after.predictionLog().subList(0, 2))
                .as("what was judged")
                .isEqualTo(before.predictionLog().subList(0, 2));
        TrackerSteps.land(after, region(4), B, NOW + MINUTE);
        TrackerSteps.land(before, region(4), B, NOW + MINUTE);
        assertThat(before.predictionLog())
                .as("the run that nothing was seen of")
                .hasSize(4);
        assertThat(after.predictionLog()).as("is not judged by another master").hasSize(3);
        assertThat(after.maxHeatMoves(GROUP, NOW)).isEqualTo(before.maxHeatMoves(GROUP, NOW));
    }

    @Test
    void heatThatAHandPinWasSetAtOutlivesTheMasterToo() {
        MoveTracker after = new MoveTracker(config());
        after.restore(eventful().encode(NOW), NOW);
        after.observed(
                List.of(report(C, NOW + 1, region(3))),
                any -> OptionalDouble.of(any.equals(META) ? 199 : 200),
                NOW + 1);

        assertThat(after.pins(NOW + 1)).doesNotContainKey(region(3)).containsKey(META);
    }

    @Test
    void aTokenThatChangedBetweenTheMastersForgivesAndAnExemptPinIsRemoved() {
        MoveTracker after = new MoveTracker(config());
        after.configure(config("prediction.reset.token", "1", "manual.pin.exempt.regions", "all"), NOW);
        after.restore(eventful().encode(NOW), NOW);

        assertThat(after.maxHeatMovesByGroup(NOW)).isEmpty();
        assertThat(after.pins(NOW)).doesNotContainValue(Pin.MOVED_MANUALLY).hasSize(3);
    }

    @Test
    void bytesOfAnotherKindOrVersionAreLeftAloneAndSaidSo() {
        byte[] newer = eventful().encode(NOW);
        newer[7]++;

        assertThat(restore("{\"a\": \"file of somebody else\"}".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(RestoreResult.UNRECOGNIZED);
        assertThat(restore(newer)).isEqualTo(RestoreResult.NEWER);
        assertThat(MoveTracker.isNewer(newer)).isTrue();
        assertThat(MoveTracker.isNewer(eventful().encode(NOW))).isFalse();
        assertThat(restore(new byte[0])).isEqualTo(RestoreResult.CORRUPT);
    }

    @Test
    void bytesThatAreCutOffAreLeftAloneWhereverTheyAreCut() {
        byte[] whole = eventful().encode(NOW);
        for (int length = 0; length < whole.length; length++) {
            assertThat(restore(Arrays.copyOf(whole, length)))
                    .as("%d of %d bytes", length, whole.length)
                    .isEqualTo(RestoreResult.CORRUPT);
        }
        assertThat(restore(Arrays.copyOf(whole, whole.length + 1))).isEqualTo(RestoreResult.CORRUPT);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aChangedByteIsNoticed(long seed) {
        Random random = new Random(seed);
        byte[] whole = eventful().encode(NOW);
        for (int batch = 0; batch < 200; batch++) {
            byte[] changed = whole.clone();
            int at = random.nextInt(changed.length);
            changed[at] ^= (byte) (1 << random.nextInt(8));
            assertThat(restore(changed)).as("seed %d, byte %d", seed, at).isNotEqualTo(RestoreResult.RESTORED);
        }
    }

    /** Restores into one that remembers something, which must still be there. */
    private static RestoreResult restore(byte[] bytes) {
        MoveTracker tracker = new MoveTracker(config());
        tracker.regionMovedManually(region(9), TABLE, A, B, "ann", false, NOW);
        RestoreResult restored = tracker.restore(bytes, NOW);
        assertThat(tracker.pins(NOW)).isEqualTo(Map.of(region(9), Pin.MOVED_MANUALLY));
        return restored;
    }

    @Test
    void aNameWithLineBreaksInAnOlderMastersStateBeginsNoLine() {
        MoveTracker before = new MoveTracker(config());
        before.regionMovedManually(region(3), TABLE, A, C, "x\nWARN forged", false, NOW - MINUTE);
        MoveTracker after = new MoveTracker(config());

        after.restore(before.encode(NOW), NOW);

        assertThat(after.pinned(NOW)).extracting(PinnedRegion::who).containsExactly("x?WARN forged");
    }

    @Test
    void whatLiesInTheFutureIsAsIfItWereNow() {
        MoveTracker after = new MoveTracker(config());
        after.restore(eventful().encode(NOW), NOW - 48 * HOUR);

        assertThat(after.pins(NOW - 48 * HOUR)).containsEntry(region(2), Pin.COOL_DOWN);
        assertThat(after.pins(NOW - 47 * HOUR)).doesNotContainKey(region(2));
    }

    @Test
    void aClockThatGoesBackALittleStandsStillAndOneThatGoesBackFarIsBelieved() {
        MoveTracker tracker = eventful();

        assertThat(tracker.pins(NOW - MINUTE)).isEqualTo(tracker.pins(NOW));
        tracker.pins(NOW - 30 * HOUR);
        assertThat(tracker.pins(NOW - 30 * HOUR + 15 * MINUTE)).doesNotContainKey(region(2));
    }

    @Test
    void aClockThatWasAnHourAheadKeepsNothingFromMovingForAnHour() {
        MoveTracker tracker = eventful();

        assertThat(tracker.pins(NOW - HOUR)).containsEntry(region(2), Pin.COOL_DOWN);
        assertThat(tracker.pins(NOW - HOUR + 15 * MINUTE)).doesNotContainKey(region(2));
    }

    @Test
    void itIsSmall() {
        MoveTracker tracker = new MoveTracker(config());
        PlannedMove[] moves = IntStream.range(0, 10_000)
                .mapToObj(number -> move(region(number), TrackerSteps.server("s" + number % 100), B))
                .toArray(PlannedMove[]::new);
        tracker.runStarted(T0);
        tracker.planned(plan(moves), GROUP, Map.of(), UNEVEN, LOADED, T0);
        assertThat(tracker.encode(T0).length / 10_000)
                .as("bytes for a move in flight")
                .isLessThan(100);
    }
}
