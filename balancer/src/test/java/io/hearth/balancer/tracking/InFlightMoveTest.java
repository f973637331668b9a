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
import static io.hearth.balancer.tracking.TrackerSteps.R;
import static io.hearth.balancer.tracking.TrackerSteps.T0;
import static io.hearth.balancer.tracking.TrackerSteps.TABLE;
import static io.hearth.balancer.tracking.TrackerSteps.TRIGGERS;
import static io.hearth.balancer.tracking.TrackerSteps.UNEVEN;
import static io.hearth.balancer.tracking.TrackerSteps.UNKNOWN_HEAT;
import static io.hearth.balancer.tracking.TrackerSteps.config;
import static io.hearth.balancer.tracking.TrackerSteps.move;
import static io.hearth.balancer.tracking.TrackerSteps.moveAndLand;
import static io.hearth.balancer.tracking.TrackerSteps.plan;
import static io.hearth.balancer.tracking.TrackerSteps.region;
import static io.hearth.balancer.tracking.TrackerSteps.report;
import static io.hearth.balancer.tracking.TrackerSteps.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.hearth.balancer.config.TableBudgets;
import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.balancer.state.Pin;
import io.hearth.common.config.RawSettings.MapSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Moves in flight: A to B, planned at T0. */
class InFlightMoveTest {

    private static final TableBudgets THREE_AN_HOUR = TableBudgets.read(
            "test", new MapSettings(Map.of("hearth.table.ns:t.max.moves.per.hour", "3")), Map.of(TABLE, key()));

    private final MoveTracker tracker = new MoveTracker(config());

    private static MapSettings key() {
        return new MapSettings(Map.of());
    }

    @BeforeEach
    void planned() {
        tracker.runStarted(T0);
        tracker.planned(plan(move(R, A, B)), GROUP, TRIGGERS, UNEVEN, LOADED, T0);
    }

    private void observed(long nowMs, ServerReport... reports) {
        observed(tracker, nowMs, reports);
    }

    private static void observed(MoveTracker by, long nowMs, ServerReport... reports) {
        by.observed(List.of(reports), UNKNOWN_HEAT, nowMs);
    }

    private Pin pin(long nowMs) {
        return tracker.pins(nowMs).getOrDefault(R, Pin.FREE);
    }

    @Test
    void aPlannedRegionCountsAsOnItsTargetUntilTheTargetSpeaksOfIt() {
        assertThat(TrackerSteps.targets(tracker, T0)).isEqualTo(Map.of(R, B));
        assertThat(pin(T0)).isEqualTo(Pin.IN_FLIGHT);

        observed(T0 + MINUTE, report(A, T0 + MINUTE, R), report(B, T0 + MINUTE));
        assertThat(pin(T0 + MINUTE)).as("only the source has it").isEqualTo(Pin.IN_FLIGHT);

        observed(T0 + 2 * MINUTE, report(A, T0 + 2 * MINUTE), report(B, T0 + 2 * MINUTE, R));
        assertThat(TrackerSteps.targets(tracker, T0 + 2 * MINUTE)).isEmpty();
        assertThat(pin(T0 + 2 * MINUTE)).isEqualTo(Pin.COOL_DOWN);
    }

    @Test
    void aRegionThatTheMasterStillHasOnItsSourceWhenTheNextRunBeginsIsFreeAtOnce() {
        tracker.runStarted(T0 + 1);
        tracker.assigned(region -> Optional.of(A), T0 + 1);

        assertThat(pin(T0 + 1)).isEqualTo(Pin.FREE);
        assertThat(TrackerSteps.targets(tracker, T0 + 1)).isEmpty();
    }

    @Test
    void aRegionThatTheMasterHasOnItsTargetOrNowhereIsStillInFlight() {
        tracker.assigned(region -> Optional.of(B), T0 + 1);
        assertThat(pin(T0 + 1)).isEqualTo(Pin.IN_FLIGHT);

        tracker.assigned(region -> Optional.empty(), T0 + 2);
        assertThat(pin(T0 + 2)).isEqualTo(Pin.IN_FLIGHT);
    }

    @Test
    void aReportOfTheTargetThatIsNotNewerThanThePlanEndsNothing() {
        observed(T0 + 3_000, report(B, T0 - 1, R));
        observed(T0 + 4_000, report(B, T0, R));

        assertThat(pin(T0 + 4_000)).isEqualTo(Pin.IN_FLIGHT);
    }

    @Test
    void aReportOfBothEndsItWhicheverComesFirst() {
        observed(T0 + 20_000, report(B, T0 + 20_000, R), report(A, T0 + 19_000, R));
        assertThat(pin(T0 + 20_000)).isEqualTo(Pin.COOL_DOWN);

        observed(T0 + 21_000, report(A, T0 + 20_500, R));
        assertThat(pin(T0 + 21_000))
                .as("a late word of the source changes nothing")
                .isEqualTo(Pin.COOL_DOWN);
    }

    @Test
    void aReportThatComesLateStillEndsIt() {
        observed(T0 + 9 * MINUTE, report(B, T0 + 30_000, R));

        assertThat(pin(T0 + 9 * MINUTE)).isEqualTo(Pin.COOL_DOWN);
    }

    @Test
    void aMoveThatTheMasterDroppedIsFreeWithoutACoolDownAndItsBudgetComesBack() {
        assertThat(tracker.movesLeft(THREE_AN_HOUR, T0)).isEqualTo(Map.of(TABLE, 2));

        observed(T0 + 6 * MINUTE, report(A, T0 + 6 * MINUTE, R));
        assertThat(pin(T0 + 6 * MINUTE)).isEqualTo(Pin.IN_FLIGHT);
        observed(T0 + 6 * MINUTE + 1, report(A, T0 + 6 * MINUTE + 1, R));

        assertThat(pin(T0 + 6 * MINUTE + 1)).isEqualTo(Pin.FREE);
        assertThat(tracker.movesLeft(THREE_AN_HOUR, T0 + 6 * MINUTE + 1)).isEqualTo(Map.of(TABLE, 3));
        assertThat(texts(tracker.takeEvents()))
                .containsExactly(
                        "None of the 1 moves planned in one run was made: it was a dry run, or the master dropped them");
    }

    @Test
    void aMoveThatTheMasterDroppedOutOfARunIsNamed() {
        tracker.planned(plan(move(region(2), A, B)), GROUP, TRIGGERS, UNEVEN, LOADED, T0);
        observed(T0 + MINUTE, report(B, T0 + MINUTE, region(2)));
        tracker.runStarted(T0 + 5 * MINUTE);
        tracker.assigned(region -> Optional.of(A), T0 + 5 * MINUTE);

        assertThat(texts(tracker.takeEvents()))
                .containsExactly("The move of " + R
                        + " of ns:t from a,16020,1 to b,16020,1 was not made: a,16020,1 still" + " has it");
    }

    @Test
    void aRunThatDoesNotNameTheRegionSaysNothingOfIt() {
        tracker.runStarted(T0 + 1);
        tracker.assigned(region -> Optional.empty(), T0 + 1);

        observed(T0 + 5 * MINUTE, report(A, T0 + 5 * MINUTE, R));
        assertThat(pin(T0 + 5 * MINUTE))
                .as("the master may carry out two groups' plans in one go")
                .isEqualTo(Pin.IN_FLIGHT);
        observed(T0 + 5 * MINUTE + 1, report(B, T0 + 5 * MINUTE + 1, R));
        assertThat(pin(T0 + 5 * MINUTE + 1)).isEqualTo(Pin.COOL_DOWN);
    }

    @Test
    void aRegionThatTheMasterHasOnAThirdServerIsFreeAtOnceButItsBudgetIsSpent() {
        tracker.assigned(region -> Optional.of(C), T0 + 1);

        assertThat(pin(T0 + 1)).isEqualTo(Pin.FREE);
        assertThat(tracker.movesLeft(THREE_AN_HOUR, T0 + 1)).isEqualTo(Map.of(TABLE, 2));
    }

    @Test
    void aRegionThatOthersTookAwayWhileItCoolsIsFreeAndBeginsAfresh() {
        observed(T0 + MINUTE, report(B, T0 + MINUTE, R));
        tracker.assigned(region -> Optional.of(B), T0 + MINUTE);
        assertThat(pin(T0 + MINUTE)).isEqualTo(Pin.COOL_DOWN);

        tracker.assigned(region -> Optional.of(C), T0 + 2 * MINUTE);
        assertThat(pin(T0 + 2 * MINUTE)).isEqualTo(Pin.FREE);

        moveAndLand(tracker, R, C, A, T0 + 3 * MINUTE);
        assertThat(pin(T0 + 4 * MINUTE))
                .as("others took it from b: to come back to a is no to and fro of ours")
                .isEqualTo(Pin.COOL_DOWN);
    }

    @Test
    void theTrailOfARegionThatIsInFlightAgainIsNotForgotten() {
        observed(T0 + MINUTE, report(B, T0 + MINUTE, R));
        tracker.runStarted(T0 + HOUR);
        tracker.planned(plan(move(R, B, A)), GROUP, TRIGGERS, UNEVEN, LOADED, T0 + HOUR);
        tracker.assigned(region -> Optional.of(A), T0 + HOUR + MINUTE);
        observed(T0 + HOUR + MINUTE, report(A, T0 + HOUR + MINUTE, R));

        assertThat(pin(T0 + HOUR + MINUTE)).isEqualTo(Pin.OSCILLATING);

        tracker.assigned(region -> Optional.of(C), T0 + HOUR + 2 * MINUTE);
        assertThat(pin(T0 + HOUR + 2 * MINUTE))
                .as("its load is what it was, wherever it is")
                .isEqualTo(Pin.OSCILLATING);
    }

    @Test
    void aRegionThatTurnsUpElsewhereIsFreeButItsBudgetIsSpent() {
        observed(T0 + 40_000, report(C, T0 + 40_000, R));

        assertThat(pin(T0 + 40_000)).isEqualTo(Pin.FREE);
        assertThat(tracker.movesLeft(THREE_AN_HOUR, T0 + 40_000)).isEqualTo(Map.of(TABLE, 2));
        assertThat(texts(tracker.takeEvents()))
                .containsExactly("The move of " + R
                        + " of ns:t from a,16020,1 to b,16020,1 was overtaken: it is on another" + " server");
    }

    /**
     * Of a run of many moves, where the master has 15 minutes. Broken (6 minutes always): what has to wait for its turn is dropped, and is
     * free and unknown when it lands.
     */
    @Test
    void aMoveThatTheMasterHasTimeForIsInFlightUntilItsTurn() {
        MoveTracker patient = new MoveTracker(config());
        patient.carriedOutWithin(15 * MINUTE);
        patient.runStarted(T0);
        patient.planned(
                plan(move(R, A, B), move(region(2), A, B), move(region(3), A, C)), GROUP, TRIGGERS, UNEVEN, LOADED, T0);
        patient.plannedByStock(region(4), TABLE, A, C, T0);

        observed(patient, T0 + 7 * MINUTE, report(A, T0 + 7 * MINUTE, R, region(2), region(3), region(4)));
        assertThat(patient.movesLeft(THREE_AN_HOUR, T0 + 7 * MINUTE)).isEqualTo(Map.of(TABLE, 0));
        assertThat(patient.pins(T0 + 7 * MINUTE)).hasSize(4).containsValue(Pin.IN_FLIGHT);

        observed(
                patient,
                T0 + 8 * MINUTE,
                report(B, T0 + 8 * MINUTE, R, region(2)),
                report(C, T0 + 8 * MINUTE, region(3)));
        assertThat(patient.pins(T0 + 8 * MINUTE))
                .isEqualTo(Map.of(
                        R,
                        Pin.COOL_DOWN,
                        region(2),
                        Pin.COOL_DOWN,
                        region(3),
                        Pin.COOL_DOWN,
                        region(4),
                        Pin.IN_FLIGHT));

        observed(patient, T0 + 16 * MINUTE + 1, report(A, T0 + 16 * MINUTE + 1, region(4)));
        assertThat(patient.pins(T0 + 16 * MINUTE + 1))
                .as("a minute after the master's time")
                .doesNotContainKey(region(4));
    }

    /** Plans of other tables and groups, and the stock balancer's searches, come before the first move is made. */
    @Test
    void aMoveIsInFlightFromWhenTheMasterBegins() {
        MoveTracker patient = new MoveTracker(config());
        patient.carriedOutWithin(5 * MINUTE);
        patient.runStarted(T0);
        patient.planned(plan(move(R, A, B)), GROUP, TRIGGERS, UNEVEN, LOADED, T0);
        patient.runPlanned(T0 + 5 * MINUTE);

        observed(patient, T0 + 10 * MINUTE, report(A, T0 + 10 * MINUTE, R));
        assertThat(patient.pins(T0 + 10 * MINUTE)).containsEntry(R, Pin.IN_FLIGHT);

        patient.runPlanned(T0 + 10 * MINUTE);
        observed(patient, T0 + 11 * MINUTE + 1, report(A, T0 + 11 * MINUTE + 1, R));
        assertThat(patient.pins(T0 + 11 * MINUTE + 1))
                .as("later reports are of the same run")
                .isEmpty();
    }

    /** A person who makes a plan's moves has as long for them as is configured, whatever the master has. */
    @Test
    void aMoveOfAPersonIsInFlightAsLongAsIsConfigured() {
        MoveTracker patient = new MoveTracker(config());
        patient.carriedOutWithin(15 * MINUTE);
        patient.movedBy("ann", List.of(new RegionMove(R, TABLE, A, B)), T0);

        observed(patient, T0 + 7 * MINUTE, report(A, T0 + 7 * MINUTE, R));

        assertThat(patient.pins(T0 + 7 * MINUTE)).isEmpty();
    }

    /** HBase has closed it, and opens it on a again. Broken (the move counts as dropped): free, 3 moves left, and closed again. */
    @Test
    void aRegionThatDidNotOpenAtItsTargetIsFrozenAndItsBudgetIsSpent() {
        tracker.openFailed(R, B, T0 + MINUTE);
        tracker.runStarted(T0 + 5 * MINUTE);
        tracker.assigned(region -> Optional.of(A), T0 + 5 * MINUTE);

        assertThat(pin(T0 + 5 * MINUTE)).isEqualTo(Pin.OSCILLATING);
        assertThat(TrackerSteps.targets(tracker, T0 + 5 * MINUTE)).isEmpty();
        assertThat(tracker.movesLeft(THREE_AN_HOUR, T0 + 5 * MINUTE)).isEqualTo(Map.of(TABLE, 2));
        assertThat(tracker.takeEvents())
                .containsExactly(new TrackerEvent(
                        T0 + MINUTE,
                        TrackerEvent.Kind.MOVE_NOT_OPENED,
                        "The move of " + R + " of ns:t from a,16020,1 to b,16020,1 was undone: the region did not open"
                                + " there, and is left alone for 6 h"));
        assertThat(tracker.pinned(T0 + 5 * MINUTE))
                .extracting(PinnedRegion::server, PinnedRegion::untilMs)
                .containsExactly(tuple(A, T0 + MINUTE + 6 * HOUR));
        assertThat(pin(T0 + MINUTE + 6 * HOUR)).isEqualTo(Pin.FREE);
    }

    @Test
    void aRegionThatDidNotOpenAtItsTargetIsLeftAloneOnAThirdServerToo() {
        tracker.openFailed(R, B, T0 + MINUTE);
        tracker.assigned(region -> Optional.of(C), T0 + 5 * MINUTE);
        assertThat(pin(T0 + 5 * MINUTE)).isEqualTo(Pin.OSCILLATING);

        tracker.assigned(region -> Optional.of(C), T0 + MINUTE + 6 * HOUR);
        tracker.runStarted(T0 + 7 * HOUR);
        tracker.planned(plan(move(R, C, B)), GROUP, TRIGGERS, UNEVEN, LOADED, T0 + 7 * HOUR);
        observed(T0 + 7 * HOUR + MINUTE, report(B, T0 + 7 * HOUR + MINUTE, R));
        assertThat(pin(T0 + 7 * HOUR + MINUTE))
                .as("nothing of it is left after the freeze")
                .isEqualTo(Pin.COOL_DOWN);
    }

    @Test
    void aRegionThatDidNotOpenElsewhereIsStillInFlight() {
        tracker.openFailed(R, C, T0 + MINUTE);
        tracker.openFailed(region(2), B, T0 + MINUTE);

        assertThat(pin(T0 + MINUTE)).isEqualTo(Pin.IN_FLIGHT);
        assertThat(tracker.takeEvents()).isEmpty();
    }

    @Test
    void whereNothingIsFrozenARegionThatDidNotOpenCools() {
        tracker.configure(config("oscillation.freeze.ms", "0"), T0);
        tracker.openFailed(R, B, T0 + MINUTE);

        assertThat(pin(T0 + MINUTE)).isEqualTo(Pin.COOL_DOWN);
        assertThat(pin(T0 + 16 * MINUTE)).isEqualTo(Pin.FREE);
        assertThat(texts(tracker.takeEvents()))
                .containsExactly("The move of " + R
                        + " of ns:t from a,16020,1 to b,16020,1 was undone: the region did not open there");
    }

    @Test
    void aRegionThatNobodyReportsIsGivenUpInTheEnd() {
        observed(T0 + 12 * MINUTE, report(A, T0 + 12 * MINUTE), report(B, T0 + 12 * MINUTE));
        assertThat(pin(T0 + 12 * MINUTE)).isEqualTo(Pin.IN_FLIGHT);

        observed(T0 + 12 * MINUTE + 1, report(A, T0 + 12 * MINUTE + 1));
        assertThat(pin(T0 + 12 * MINUTE + 1)).isEqualTo(Pin.FREE);
        assertThat(texts(tracker.takeEvents()))
                .containsExactly("The move of " + R
                        + " of ns:t from a,16020,1 to b,16020,1 is given up: no server reports" + " the region");
    }

    @Test
    void aMoveByHandOvertakesThePlannedOne() {
        tracker.regionMovedManually(R, TABLE, A, C, "ann", false, T0 + 1_000);

        assertThat(TrackerSteps.targets(tracker, T0 + 1_000)).isEmpty();
        assertThat(pin(T0 + 1_000)).isEqualTo(Pin.MOVED_MANUALLY);
    }
}
