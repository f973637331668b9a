// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.model;

import io.hearth.balancer.config.GoalConfig.Goal;
import io.hearth.balancer.engine.Decision;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.plan.RejectedStockMove;
import io.hearth.balancer.plan.UnmovedReason;
import io.hearth.balancer.plan.UnmovedRegion;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.tracking.PinnedRegion;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.ui.model.Page.HotRegionRow;
import io.hearth.ui.model.PageBuilder.LoadShares;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.PriorityQueue;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The hottest regions by the largest of their shares of what servers count (reads and writes), and why each was or was not
 * moved: from the last plans and from what is remembered. Made for one page.
 */
final class HottestRegions {

    /** As many as an operator reads. */
    private static final int SHOWN = 50;

    private static final List<LoadDimension> COUNTERS =
            LoadDimension.shown().stream().filter(LoadDimension::isCounter).toList();

    /** For how long the rejection of a stock move tells of a region; in milliseconds. */
    private static final long REJECTION_SHOWN_MS = 3_600_000;

    private record Candidate(RegionState region, int server, LoadDimension because, double share) {}

    private static final Comparator<Candidate> HOTTEST_LAST = Comparator.comparingDouble(Candidate::share)
            .thenComparing(candidate -> candidate.region().region(), Comparator.reverseOrder());

    private static final DateTimeFormatter AT =
            DateTimeFormatter.ofPattern("MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final PageInput input;
    private final LoadShares shares;
    private final boolean isAnyAboveTrigger;
    private final Map<EncodedRegionName, LastDecision> lastDecisionByRegion = new HashMap<>();
    private final Map<EncodedRegionName, LastDecision> rejectionByRegion = new HashMap<>();

    /** What the last plan that named a region said of it: that it moved it, that it left it, or that a stock move of it was rejected. */
    private record LastDecision(long atMs, String text, Validity validity) {}

    /** Whether what was said of a region is so still. */
    @FunctionalInterface
    private interface Validity {

        boolean holds(RegionState region, int server);
    }

    private HottestRegions(PageInput input, LoadShares shares) {
        this.input = input;
        this.shares = shares;
        isAnyAboveTrigger = IntStream.range(0, shares.serving().servers().size())
                .anyMatch(server -> isAbove(server, Goal::trigger));
        for (Decision decision : input.balancer().decisions()) {
            decision.plan()
                    .moves()
                    .forEach(move -> lastDecisionByRegion.putIfAbsent(
                            move.region(),
                            new LastDecision(decision.atMs(), moved(decision, move), (region, server) -> true)));
            decision.plan()
                    .unmovedRegions()
                    .forEach(left -> lastDecisionByRegion.putIfAbsent(
                            left.region(),
                            new LastDecision(
                                    decision.atMs(),
                                    stayed(decision, left),
                                    (region, server) -> isStillSo(left, region, server))));
        }
        input.balancer().rejectedStockMoves().stream()
                .filter(move -> move.atMs() > input.atMs() - REJECTION_SHOWN_MS)
                .forEach(move -> rejectionByRegion.put(
                        move.region(),
                        new LastDecision(
                                move.atMs(), rejected(move), (region, server) -> isStillSo(move, region, server))));
    }

    /**
     * A row for each, the hottest first.
     *
     * @param history the last samples of a region, oldest first
     */
    static List<HotRegionRow> of(
            PageInput input, LoadShares shares, Function<EncodedRegionName, List<OptionalDouble>> history) {
        return new HottestRegions(input, shares).rows(history);
    }

    private List<HotRegionRow> rows(Function<EncodedRegionName, List<OptionalDouble>> history) {
        PriorityQueue<Candidate> kept = new PriorityQueue<>(HOTTEST_LAST);
        for (int server = 0; server < shares.serving().servers().size(); server++) {
            for (RegionState region : shares.serving().regionsOf(server)) {
                Candidate candidate = candidate(region, server);
                if (candidate.share() > 0) {
                    kept.add(candidate);
                }
                if (kept.size() > SHOWN) {
                    kept.remove();
                }
            }
        }
        Map<EncodedRegionName, PinnedRegion> pins = new HashMap<>();
        input.balancer().pins().forEach(pin -> pins.put(pin.region(), pin));
        List<HotRegionRow> rows = new ArrayList<>();
        kept.stream().sorted(HOTTEST_LAST.reversed()).forEach(candidate -> {
            EncodedRegionName region = candidate.region().region();
            Optional<PinnedRegion> pin = Optional.ofNullable(pins.get(region));
            rows.add(new HotRegionRow(
                    candidate.region(),
                    shares.serving().serverId(candidate.server()),
                    candidate.because(),
                    candidate.share(),
                    history.apply(region),
                    pin,
                    why(candidate.region(), candidate.server(), pin)));
        });
        return rows;
    }

    private Candidate candidate(RegionState region, int server) {
        LoadDimension because = LoadDimension.READS;
        double share = shares.ofRegion(region, because);
        for (LoadDimension dimension : COUNTERS) {
            double own = shares.ofRegion(region, dimension);
            if (own > share) {
                because = dimension;
                share = own;
            }
        }
        return new Candidate(region, server, because, share);
    }

    /** Why it was or was not moved: one sentence with its time, without its full stop. */
    private String why(RegionState region, int server, Optional<PinnedRegion> pin) {
        Optional<String> lastDecision = Stream.of(lastDecisionByRegion, rejectionByRegion)
                .flatMap(lastByRegion -> Stream.ofNullable(lastByRegion.get(region.region())))
                .filter(last -> last.validity().holds(region, server))
                .max(Comparator.comparingLong(LastDecision::atMs))
                .map(LastDecision::text);
        if (pin.isPresent()) {
            return pin.get().pin().reason() + " (" + pin.get().who() + ", "
                    + at(pin.get().sinceMs()) + ")"
                    + lastDecision.map(last -> "; " + last).orElse("");
        }
        return lastDecision.orElseGet(() -> unnamed(region, server));
    }

    /** Why no plan of late names it, by the load that is shown. */
    private String unnamed(RegionState region, int server) {
        return unnamedReason(region, server).text() + " (" + at(input.atMs()) + ")";
    }

    private UnmovedReason unnamedReason(RegionState region, int server) {
        if (!input.balancer().installed()) {
            return UnmovedReason.OTHER_BALANCER;
        }
        if (!input.balancer().config().enabled()) {
            return UnmovedReason.BALANCER_OFF;
        }
        if (region.table().isSystemTable()) {
            return UnmovedReason.SYSTEM_TABLE;
        }
        if (!isAnyAboveTrigger) {
            return UnmovedReason.NOTHING_ABOVE_TRIGGER;
        }
        if (!isAbove(server, Goal::target)) {
            return UnmovedReason.SERVER_NOT_ABOVE_TARGET;
        }
        return region.isFree() ? UnmovedReason.NOT_NAMED : UnmovedReason.of(region.pin());
    }

    private boolean isAbove(int server, ToDoubleFunction<Goal> limit) {
        return Arrays.stream(LoadDimension.values())
                .filter(dimension -> goal(dimension).counts(shares.mean(dimension)))
                .anyMatch(dimension -> shares.ofServer(server, dimension) > limit.applyAsDouble(goal(dimension)));
    }

    /** Whether the reason why it was left is there still: a sentence about load that has gone would be a lie. */
    private boolean isStillSo(UnmovedRegion left, RegionState region, int server) {
        LoadDimension because = left.because();
        boolean isThere = left.server().equals(shares.serving().serverId(server));
        boolean isServerAbove = isAnyAboveTrigger
                && shares.ofServer(server, because) > goal(because).target();
        double own = shares.ofRegion(region, because) / shares.capacity(server);
        return isThere && isServerAbove && (left.reason() != UnmovedReason.ABOVE_FAIR_SHARE || own > 1);
    }

    /** Whether it is still there, and for another reason than its pin, which is told anyway. */
    private boolean isStillSo(RejectedStockMove move, RegionState region, int server) {
        boolean isThere = move.from().equals(shares.serving().serverId(server));
        return isThere && (region.isFree() || UnmovedReason.of(region.pin()) != move.reason());
    }

    private Goal goal(LoadDimension dimension) {
        return input.balancer().config().goals().of(dimension);
    }

    private static String moved(Decision decision, PlannedMove move) {
        String what = String.format(
                Locale.ROOT,
                "from %s:%d to %s:%d for %s",
                move.from().host(),
                move.from().port(),
                move.to().host(),
                move.to().port(),
                move.because().label());
        return decision.whyNotCarriedOut()
                .map(why -> "would have moved at " + at(decision.atMs()) + " " + what + ", but " + why)
                .orElse("moved at " + at(decision.atMs()) + " " + what);
    }

    private static String stayed(Decision decision, UnmovedRegion left) {
        return "stayed at " + at(decision.atMs()) + ": " + left.reason().text();
    }

    private static String rejected(RejectedStockMove move) {
        return "the stock balancer's move to " + move.to().host() + ":"
                + move.to().port() + " was not made at " + at(move.atMs()) + ": " + move.why();
    }

    private static String at(long ms) {
        return AT.format(Instant.ofEpochMilli(ms));
    }
}
