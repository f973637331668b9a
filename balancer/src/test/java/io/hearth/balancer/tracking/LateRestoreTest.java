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
import static io.hearth.balancer.tracking.TrackerSteps.land;
import static io.hearth.balancer.tracking.TrackerSteps.move;
import static io.hearth.balancer.tracking.TrackerSteps.moveAndLand;
import static io.hearth.balancer.tracking.TrackerSteps.plan;
import static io.hearth.balancer.tracking.TrackerSteps.region;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.hearth.balancer.config.TableBudgets;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.tracking.Prediction.Outcome;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the last master remembered can be read only when this one has acted for some time. */
class LateRestoreTest {

    private static final long NOW = T0 + 10 * MINUTE;

    private final MoveTracker last = new MoveTracker(config());
    private final MoveTracker here = new MoveTracker(config());

    private void restore() {
        assertThat(here.restore(last.encode(T0), NOW)).isEqualTo(RestoreResult.RESTORED);
    }

    private static void planned(MoveTracker tracker, EncodedRegionName region, ServerId from, ServerId to, long nowMs) {
        tracker.runStarted(nowMs);
        tracker.planned(plan(move(region, from, to)), GROUP, TRIGGERS, UNEVEN, LOADED, nowMs);
    }

    @Test
    void aPinThatWasSetHereStays() {
        last.regionMovedManually(region(1), TABLE, A, C, "ann", false, T0);
        last.regionMovedManually(region(2), TABLE, A, C, "ann", false, T0);
        here.regionMovedManually(region(1), TABLE, C, B, "bob", false, T0 + 5 * MINUTE);
        here.regionMovedManually(region(3), TABLE, A, B, "bob", false, T0 + 5 * MINUTE);
        restore();

        assertThat(here.pinned(NOW))
                .extracting(PinnedRegion::region, PinnedRegion::server, PinnedRegion::who)
                .containsExactly(tuple(region(1), B, "bob"), tuple(region(2), C, "ann"), tuple(region(3), B, "bob"));
    }

    @Test
    void aMoveInFlightHereStays() {
        planned(last, region(1), A, B, T0);
        planned(last, region(2), A, B, T0);
        planned(here, region(1), A, C, T0 + 5 * MINUTE);
        planned(here, region(3), A, C, T0 + 5 * MINUTE);
        restore();

        assertThat(TrackerSteps.targets(here, NOW)).isEqualTo(Map.of(region(1), C, region(2), B, region(3), C));
    }

    @Test
    void aRegionThatHasLandedHereIsInFlightNoMore() {
        planned(last, region(1), A, B, T0);
        moveAndLand(here, region(1), A, C, T0 + 5 * MINUTE);
        restore();

        assertThat(here.pins(NOW)).isEqualTo(Map.of(region(1), Pin.COOL_DOWN));
        here.takeEvents();
        here.assigned(region -> Optional.of(C), NOW);
        assertThat(TrackerSteps.texts(here.takeEvents()))
                .as("nobody waits for it")
                .isEmpty();
    }

    @Test
    void aPinThatAMoveOfOursHasEndedDoesNotComeBack() {
        last.regionMovedManually(region(1), TABLE, A, B, "ann", false, T0);
        last.regionMovedManually(region(2), TABLE, A, B, "ann", false, T0);
        planned(here, region(1), B, C, T0 + 5 * MINUTE);
        moveAndLand(here, region(2), B, C, T0 + 6 * MINUTE);
        restore();
        assertThat(here.pins(NOW)).isEqualTo(Map.of(region(1), Pin.IN_FLIGHT, region(2), Pin.COOL_DOWN));
        land(here, region(1), C, NOW + MINUTE);

        assertThat(here.pins(NOW + MINUTE)).isEqualTo(Map.of(region(1), Pin.COOL_DOWN, region(2), Pin.COOL_DOWN));
    }

    @Test
    void whatBothPlannedCountsAgainstTheBudget() {
        planned(last, region(1), A, B, T0);
        planned(last, region(2), A, B, T0 + MINUTE);
        planned(here, region(3), A, C, T0 + 5 * MINUTE);
        restore();
        TableBudgets ten = TableBudgets.read(
                "test",
                new MapSettings(Map.of("hearth.table.ns:t.max.moves.per.hour", "10")),
                Map.of(TABLE, new MapSettings(Map.of())));

        assertThat(here.movesLeft(ten, NOW)).isEqualTo(Map.of(TABLE, 7));
        assertThat(here.movesLeft(ten, T0 + HOUR + 2 * MINUTE)).isEqualTo(Map.of(TABLE, 9));
    }

    @Test
    void aRegionThatComesBackToWhereTheLastMasterTookItFromIsFrozen() {
        moveAndLand(last, region(1), A, B, T0 - HOUR);
        planned(here, region(1), B, A, T0 + 5 * MINUTE);
        restore();
        land(here, region(1), A, NOW + MINUTE);

        assertThat(here.pins(NOW + MINUTE)).isEqualTo(Map.of(region(1), Pin.OSCILLATING));
    }

    /** A run of so many moves that is judged wrong ten minutes later. */
    private static void mispredicted(MoveTracker tracker, int moves, long nowMs) {
        PlannedMove[] all = IntStream.range(0, moves)
                .mapToObj(number -> move(region(number), A, B))
                .toArray(PlannedMove[]::new);
        tracker.runStarted(nowMs);
        tracker.planned(plan(all), GROUP, TRIGGERS, UNEVEN, LOADED, nowMs);
        IntStream.range(0, moves).forEach(number -> land(tracker, region(number), B, nowMs + MINUTE));
        tracker.measured(GROUP, Map.of(LoadDimension.WRITES, 2.0), LOADED, nowMs + 10 * MINUTE);
    }

    @Test
    void runsJudgedHereComeAfterTheLastMastersAndTheStricterLimitHolds() {
        mispredicted(last, 16, T0 - 20 * MINUTE);
        mispredicted(here, 8, T0 - 3 * MINUTE);
        restore();

        assertThat(here.predictionLog())
                .extracting(Prediction::moves, Prediction::outcome)
                .containsExactly(tuple(16, Outcome.MISPREDICTED), tuple(8, Outcome.MISPREDICTED));
        assertThat(here.maxHeatMovesByGroup(NOW)).isEqualTo(Map.of(GROUP, 4));
    }

    @Test
    void aWordThatForgivesForgivesTheLastMastersRunsAndNotThoseOfHere() {
        MoveTracker reset = new MoveTracker(config("prediction.reset.token", "1"));
        mispredicted(last, 4, T0 - 20 * MINUTE);
        mispredicted(reset, 8, T0 - 3 * MINUTE);
        reset.restore(last.encode(T0), NOW);

        assertThat(reset.maxHeatMovesByGroup(NOW)).isEqualTo(Map.of(GROUP, 4));
        assertThat(reset.predictionLog()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void whateverHappenedNoPinAndNoMoveInFlightOfHereIsReplaced(long seed) {
        Random random = new Random(seed);
        for (int world = 0; world < 20; world++) {
            MoveTracker before = new MoveTracker(config());
            MoveTracker after = new MoveTracker(config());
            happen(before, random, T0 - HOUR);
            happen(after, random, T0);
            List<PinnedRegion> ofHere = after.pinned(NOW + HOUR).stream()
                    .filter(pinned -> pinned.pin() == Pin.IN_FLIGHT || pinned.pin() == Pin.MOVED_MANUALLY)
                    .toList();
            after.restore(before.encode(T0), NOW + HOUR);

            assertThat(after.pinned(NOW + HOUR))
                    .as("seed %d, world %d", seed, world)
                    .containsAll(ofHere);
        }
    }

    private static void happen(MoveTracker tracker, Random random, long fromMs) {
        ServerId[] servers = {A, B, C};
        for (int event = 0; event < 30; event++) {
            long nowMs = fromMs + event * MINUTE;
            EncodedRegionName region = region(random.nextInt(12));
            int from = random.nextInt(3);
            ServerId to = servers[(from + 1 + random.nextInt(2)) % 3];
            switch (random.nextInt(4)) {
                case 0 -> tracker.regionMovedManually(region, TABLE, servers[from], to, "ann", false, nowMs);
                case 1 -> land(tracker, region, to, nowMs);
                case 2 -> moveAndLand(tracker, region, servers[from], to, nowMs);
                default -> planned(tracker, region, servers[from], to, nowMs);
            }
        }
    }
}
