// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

import io.hearth.balancer.config.MoveTrackerConfig;
import io.hearth.balancer.tracking.InFlightMoves.FinishedMove;
import io.hearth.balancer.tracking.TrackerEvent.EventBuffer;
import io.hearth.balancer.tracking.TrackerEvent.Kind;
import io.hearth.balancer.tracking.TrackerStateCodec.State;
import io.hearth.common.config.HumanFormat;
import io.hearth.common.model.EncodedRegionName;
import java.util.Collection;

/**
 * What follows from the end of a move in flight, for all else that is remembered. The first move of a run that was made makes
 * the run count; of a run that ends without one, a dry run or one that the master dropped, there is one line of news and
 * nothing else. Confined to the lock of {@link MoveTracker}.
 */
final class MoveCompletion {

    private final State state;
    private final MoveTrackerConfig config;
    private final EventBuffer events;
    private final long nowMs;

    MoveCompletion(State state, MoveTrackerConfig config, EventBuffer events, long nowMs) {
        this.state = state;
        this.config = config;
        this.events = events;
        this.nowMs = nowMs;
    }

    /** These moves are in flight no more. */
    void take(Collection<FinishedMove> all) {
        all.stream()
                .filter(finished -> finished.end() == InFlightMove.Result.COMPLETED)
                .forEach(this::completed);
        all.stream()
                .filter(finished -> finished.end() != InFlightMove.Result.COMPLETED)
                .forEach(this::notMade);
    }

    /** A move of this run was made. */
    void seen(long runAtMs) {
        if (state.inFlightMoves().unconfirmedRuns().seen(runAtMs)) {
            state.predictionLog().confirmed(runAtMs, nowMs, events);
        }
    }

    private void completed(FinishedMove finished) {
        InFlightMove inFlightMove = finished.inFlightMove();
        seen(inFlightMove.runAtMs());
        state.histories()
                .completed(
                        finished.region(),
                        inFlightMove.table(),
                        inFlightMove.from(),
                        inFlightMove.to(),
                        inFlightMove.byOurPlan(),
                        nowMs,
                        config)
                .ifPresent(why -> events.add(
                        nowMs,
                        Kind.REGION_OSCILLATING,
                        finished.region() + " of " + inFlightMove.table() + " is left alone for "
                                + HumanFormat.timeOfMs(config.oscillationFreezeMs()) + ": " + why));
    }

    private void notMade(FinishedMove finished) {
        EncodedRegionName region = finished.region();
        InFlightMove inFlightMove = finished.inFlightMove();
        state.predictionLog().moveNotMade(inFlightMove.runAtMs());
        switch (finished.end()) {
            case COMPLETED -> throw new IllegalArgumentException("The move of " + region + " was made.");
            case DROPPED -> {
                if (inFlightMove.spentBudget()) {
                    state.budget().giveBack(inFlightMove.table(), inFlightMove.plannedAtMs());
                }
                if (!state.inFlightMoves().unconfirmedRuns().notMade(inFlightMove.runAtMs())) {
                    events.add(
                            nowMs,
                            Kind.MOVE_DROPPED,
                            text(region, inFlightMove) + " was not made: " + inFlightMove.from() + " still has it");
                }
            }
            case NOT_OPENED -> notOpened(region, inFlightMove);
            case SUPERSEDED ->
                events.add(
                        nowMs,
                        Kind.MOVE_MISDIRECTED,
                        text(region, inFlightMove) + " was overtaken: it is on another server");
            case LOST ->
                events.add(
                        nowMs,
                        Kind.MOVE_MISDIRECTED,
                        text(region, inFlightMove) + " is given up: no server reports the region");
        }
        if (!state.inFlightMoves().isAnyOf(inFlightMove.runAtMs())) {
            over(inFlightMove.runAtMs());
        }
    }

    private void notOpened(EncodedRegionName region, InFlightMove inFlightMove) {
        state.histories()
                .notOpened(region, inFlightMove.table(), inFlightMove.from(), inFlightMove.to(), nowMs, config);
        String frozen = config.oscillationFreezeMs() > 0
                ? ", and is left alone for " + HumanFormat.timeOfMs(config.oscillationFreezeMs())
                : "";
        events.add(
                nowMs,
                Kind.MOVE_NOT_OPENED,
                text(region, inFlightMove) + " was undone: the region did not open there" + frozen);
    }

    private void over(long runAtMs) {
        state.predictionLog().abandoned(runAtMs);
        int notMade = state.inFlightMoves().unconfirmedRuns().over(runAtMs);
        if (notMade > 0) {
            events.add(
                    nowMs,
                    Kind.MOVE_DROPPED,
                    "None of the " + notMade + " moves planned in one run was made: it was a dry run, or the master"
                            + " dropped them");
        }
    }

    private static String text(EncodedRegionName region, InFlightMove inFlightMove) {
        return "The move of " + region + " of " + inFlightMove.table() + " from " + inFlightMove.from() + " to "
                + inFlightMove.to();
    }
}
