// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.Plan.DimensionOutcome;
import io.hearth.balancer.plan.Plan.LocalityOutcome;
import io.hearth.balancer.plan.Plan.RegionCountOutcome;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.UnmovedReason;
import io.hearth.balancer.plan.UnmovedRegion;
import io.hearth.balancer.state.Pin;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** With a trigger of 1.25 and a doubt of 1/16 a skew is believed above 1 + 1.25 * 0.25 + 1/16 = 1.375. */
class PersistentSkewDetectorTest {

    private static final long MINUTE_MS = 60_000;
    private static final long HALF_HOUR_MS = 1_800_000;
    private static final long HOUR_MS = 3_600_000;
    private static final long DAY_MS = 86_400_000;
    private static final long START_MS = 10 * DAY_MS;
    private static final long NO_SHIFT = Long.MIN_VALUE / 2;
    private static final String GROUP = "all";
    private static final ServerId S1 = new ServerId("s1", 16020, 1);
    private static final ServerId S2 = new ServerId("s2", 16020, 1);
    private static final PlanGoals GOALS =
            PlanGoals.of(Map.of(LoadDimension.READS, new DimensionGoal(1, 1.25, 1.05, 1)));
    private static final Map<LoadDimension, Double> DOUBT = Map.of(LoadDimension.READS, 0.0625);

    private final PersistentSkewDetector persistentSkew = new PersistentSkewDetector();
    private long shiftedAtMs = START_MS - HOUR_MS;
    private int shiftsAsked;

    @Test
    void halfAnHourOfASkewThatNothingElseHelpsEndsTheRestOnItsServers() {
        Plan plan = plan(1.75, Pin.RESTING, S1, S2);

        assertThat(ends(plan, START_MS)).isEmpty();
        assertThat(ends(plan, START_MS + HALF_HOUR_MS - 1)).isEmpty();
        assertThat(ends(plan, START_MS + HALF_HOUR_MS)).containsExactlyInAnyOrder(S1, S2);
    }

    /** A region moves once a day at most while nothing shifts, whatever the noise. */
    @Test
    void withoutAShiftNoRestEndsHoweverLargeTheSkewIs() {
        shiftedAtMs = NO_SHIFT;
        assertThat(ends(plan(4, Pin.RESTING, S1), START_MS)).isEmpty();
        assertThat(ends(plan(4, Pin.RESTING, S1), START_MS + DAY_MS)).isEmpty();

        shiftedAtMs = START_MS + DAY_MS;
        assertThat(ends(plan(4, Pin.RESTING, S1), START_MS + DAY_MS + 1))
                .as("from here on it counts")
                .isEmpty();
        assertThat(ends(plan(4, Pin.RESTING, S1), START_MS + DAY_MS + 1 + HALF_HOUR_MS))
                .containsExactly(S1);
    }

    @Test
    void aSkewThatMayBeASwingIsNotBelieved() {
        assertThat(ends(plan(1.375, Pin.RESTING, S1), START_MS)).isEmpty();
        assertThat(ends(plan(1.376, Pin.RESTING, S1), START_MS + MINUTE_MS)).isEmpty();
        assertThat(ends(plan(1.376, Pin.RESTING, S1), START_MS + 31 * MINUTE_MS - 1))
                .isEmpty();
        assertThat(ends(plan(1.376, Pin.RESTING, S1), START_MS + 31 * MINUTE_MS))
                .containsExactly(S1);
    }

    @Test
    void aShiftIsOverAfterADay() {
        Plan plan = plan(1.75, Pin.RESTING, S1);
        ends(plan, START_MS);
        shiftedAtMs = START_MS + HOUR_MS / 2 - DAY_MS;
        assertThat(ends(plan, START_MS + HOUR_MS / 2)).as("just within a day").containsExactly(S1);

        PersistentSkewDetector others = new PersistentSkewDetector();
        others.restEndsOn(GROUP, plan, GOALS, DOUBT, () -> shiftedAtMs, START_MS);
        shiftedAtMs--;
        assertThat(others.restEndsOn(GROUP, plan, GOALS, DOUBT, () -> shiftedAtMs, START_MS + HOUR_MS / 2))
                .isEmpty();
    }

    @Test
    void onceOtherRegionsHelpItBeginsAnew() {
        Plan uneven = plan(1.75, Pin.RESTING, S1);
        ends(uneven, START_MS);
        assertThat(ends(plan(1.1, Pin.RESTING, S1), START_MS + HOUR_MS / 2)).isEmpty();
        assertThat(ends(uneven, START_MS + HOUR_MS)).isEmpty();
        assertThat(ends(uneven, START_MS + HOUR_MS + HALF_HOUR_MS)).containsExactly(S1);
    }

    @Test
    void groupsAreLookedAtEachForItself() {
        Plan uneven = plan(1.75, Pin.RESTING, S1);
        ends(uneven, START_MS);

        assertThat(persistentSkew.restEndsOn("other", uneven, GOALS, DOUBT, () -> shiftedAtMs, START_MS + HOUR_MS))
                .isEmpty();
        assertThat(ends(uneven, START_MS + HOUR_MS)).containsExactly(S1);
    }

    @Test
    void whatAPersonPinnedIsNoRestAndNoShiftIsLookedForWhereNothingRests() {
        Plan plan = plan(1.75, Pin.MOVED_MANUALLY, S1);
        ends(plan, START_MS);

        assertThat(ends(plan, START_MS + DAY_MS)).isEmpty();
        assertThat(shiftsAsked).as("it goes through every region of the group").isZero();
    }

    @Test
    void aDimensionWithoutAGoalIsNoReason() {
        Plan plan = plan(1.75, Pin.RESTING, S1);
        PlanGoals none = PlanGoals.of(Map.of());
        persistentSkew.restEndsOn(GROUP, plan, none, DOUBT, () -> shiftedAtMs, START_MS);

        assertThat(persistentSkew.restEndsOn(GROUP, plan, none, DOUBT, () -> shiftedAtMs, START_MS + DAY_MS))
                .isEmpty();
    }

    @Test
    void aClockThatWasSetBackBeginsAnew() {
        Plan plan = plan(1.75, Pin.RESTING, S1);
        ends(plan, START_MS);

        assertThat(ends(plan, START_MS - 2 * HOUR_MS)).isEmpty();
        assertThat(ends(plan, START_MS - 2 * HOUR_MS + HALF_HOUR_MS - 1)).isEmpty();
        assertThat(ends(plan, START_MS - 2 * HOUR_MS + HALF_HOUR_MS)).containsExactly(S1);
    }

    /** A group can be a table, which is dropped one day; and nobody looks at a group that is not planned for. */
    @Test
    void whatWasNotPlannedForADayBeginsAnew() {
        Plan plan = plan(1.75, Pin.RESTING, S1);
        ends(plan, START_MS);
        shiftedAtMs = START_MS + DAY_MS;
        persistentSkew.restEndsOn("other", plan, GOALS, DOUBT, () -> shiftedAtMs, START_MS + DAY_MS + 1);

        assertThat(ends(plan, START_MS + DAY_MS + 1)).isEmpty();
        assertThat(ends(plan, START_MS + DAY_MS + 1 + HALF_HOUR_MS)).containsExactly(S1);
    }

    private Set<ServerId> ends(Plan plan, long nowMs) {
        return persistentSkew.restEndsOn(
                GROUP,
                plan,
                GOALS,
                DOUBT,
                () -> {
                    shiftsAsked++;
                    return shiftedAtMs;
                },
                nowMs);
    }

    /** One hot region of each server was left where it is. */
    private static Plan plan(double readsAfter, Pin pin, ServerId... servers) {
        return new Plan(
                List.of(),
                Map.of(LoadDimension.READS, new DimensionOutcome(true, readsAfter, readsAfter, 1, 1)),
                new RegionCountOutcome(1, 1, 1, 1, 0, 0),
                new LocalityOutcome(0, 0, 0),
                Stream.of(servers)
                        .map(server -> new UnmovedRegion(
                                new EncodedRegionName("on-" + server.host()),
                                new TableId("t"),
                                server,
                                LoadDimension.READS,
                                0.5,
                                pin == Pin.FREE ? UnmovedReason.GAINS_LITTLE : UnmovedReason.of(pin)))
                        .toList(),
                Map.of());
    }
}
