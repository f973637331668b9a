package io.hearth.balancer.steering;

import io.hearth.balancer.config.SteeringConfig;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.steering.Flights.Ended;
import io.hearth.balancer.steering.SteeringBytes.State;
import io.hearth.balancer.steering.SteeringNews.Kind;
import java.util.Collection;

/**
 * What follows from the end of a move in flight, for all else that is remembered. The first move of a run that was made makes
 * the run count; of a run that ends without one, a dry run or one that the master dropped, there is one line of news and
 * nothing else. Confined to the lock of {@link Steering}.
 */
final class FlightEnds {

    private final State state;
    private final SteeringConfig config;
    private final NewsBox news;
    private final long nowMs;

    FlightEnds(State state, SteeringConfig config, NewsBox news, long nowMs) {
        this.state = state;
        this.config = config;
        this.news = news;
        this.nowMs = nowMs;
    }

    /** These flights are over. */
    void take(Collection<Ended> all) {
        all.stream().filter(ended -> ended.end() == Flight.End.LANDED).forEach(this::landed);
        all.stream().filter(ended -> ended.end() != Flight.End.LANDED).forEach(this::notMade);
    }

    /** A move of this run was made. */
    void seen(long runAtMs) {
        if (state.flights().unseenRuns().seen(runAtMs)) {
            state.ledger().confirmed(runAtMs, nowMs, news);
        }
    }

    private void landed(Ended ended) {
        Flight flight = ended.flight();
        seen(flight.runAtMs());
        state.trails()
                .landed(ended.region(), flight.table(), flight.from(), flight.to(), flight.byOurPlan(), nowMs, config)
                .ifPresent(why -> news.add(
                        nowMs,
                        Kind.REGION_FROZEN,
                        ended.region() + " of " + flight.table() + " is left alone for " + Times.span(config.frozenMs())
                                + ": " + why));
    }

    private void notMade(Ended ended) {
        RegionId region = ended.region();
        Flight flight = ended.flight();
        state.ledger().moveNotMade(flight.runAtMs());
        switch (ended.end()) {
            case LANDED -> throw new IllegalArgumentException("The move of " + region + " was made.");
            case DROPPED -> {
                if (flight.spentBudget()) {
                    state.budget().giveBack(flight.table(), flight.plannedAtMs());
                }
                if (!state.flights().unseenRuns().notMade(flight.runAtMs())) {
                    news.add(
                            nowMs,
                            Kind.MOVE_DROPPED,
                            text(region, flight) + " was not made: " + flight.from() + " still has it");
                }
            }
            case ELSEWHERE ->
                news.add(
                        nowMs, Kind.MOVE_WENT_ASTRAY, text(region, flight) + " was overtaken: it is on another server");
            case LOST ->
                news.add(
                        nowMs,
                        Kind.MOVE_WENT_ASTRAY,
                        text(region, flight) + " is given up: no server reports the region");
        }
        if (!state.flights().isAnyOf(flight.runAtMs())) {
            over(flight.runAtMs());
        }
    }

    private void over(long runAtMs) {
        state.ledger().abandoned(runAtMs);
        int notMade = state.flights().unseenRuns().over(runAtMs);
        if (notMade > 0) {
            news.add(
                    nowMs,
                    Kind.MOVE_DROPPED,
                    "None of the " + notMade + " moves planned in one run was made: it was a dry run, or the master"
                            + " dropped them");
        }
    }

    private static String text(RegionId region, Flight flight) {
        return "The move of " + region + " of " + flight.table() + " from " + flight.from() + " to " + flight.to();
    }
}
