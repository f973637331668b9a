// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

import io.hearth.balancer.config.MoveTrackerConfig;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.tracking.RegionMoveHistory.CompletedMove;
import io.hearth.common.config.HumanFormat;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Where our own moves have taken each region of late: the ground for cool-downs, and for the breaker that freezes a region
 * which comes back to a server that it had left. Not thread-safe.
 */
final class RegionMoveHistories {

    private final Map<EncodedRegionName, RegionMoveHistory> historyByRegion = new HashMap<>();

    /** A move of ours is done. Says why the region is frozen, if now it is. */
    Optional<String> completed(
            EncodedRegionName region,
            TableId table,
            ServerId from,
            ServerId to,
            boolean byOurPlan,
            long nowMs,
            MoveTrackerConfig config) {
        RegionMoveHistory before = history(region, table);
        Optional<CompletedMove> left = before.lastMoveFrom(to, nowMs - config.oscillationWindowMs());
        boolean oscillates = left.isPresent() && config.oscillationFreezeMs() > 0;
        historyByRegion.put(region, before.with(new CompletedMove(from, to, nowMs, byOurPlan), oscillates));
        return left.filter(move -> oscillates).map(move -> why(to, nowMs - move.completedAtMs()));
    }

    /**
     * A move of ours is undone: the region did not open where it was taken, and is frozen as one that came back. HBase opens it where it
     * was in most cases; where it does not, all of this is forgotten when the freeze ends.
     */
    void notOpened(
            EncodedRegionName region, TableId table, ServerId from, ServerId to, long nowMs, MoveTrackerConfig config) {
        CompletedMove back = new CompletedMove(to, from, nowMs, false);
        historyByRegion.put(region, history(region, table).with(back, config.oscillationFreezeMs() > 0));
    }

    private RegionMoveHistory history(EncodedRegionName region, TableId table) {
        return historyByRegion.getOrDefault(region, new RegionMoveHistory(table, List.of(), OptionalLong.empty()));
    }

    private static String why(ServerId to, long awayMs) {
        return "it came back to " + to + ", which it had left " + HumanFormat.timeOfMs(awayMs) + " before";
    }

    void pin(
            Map<EncodedRegionName, Pin> pins,
            ToLongFunction<EncodedRegionName> shiftedAtMs,
            long nowMs,
            MoveTrackerConfig config) {
        historyByRegion.forEach((region, history) ->
                history.pin(shiftedAtMs.applyAsLong(region), nowMs, config).ifPresent(pin -> pins.put(region, pin)));
    }

    void list(
            Consumer<PinnedRegion> list,
            ToLongFunction<EncodedRegionName> shiftedAtMs,
            long nowMs,
            MoveTrackerConfig config) {
        historyByRegion.forEach((region, history) -> history.pin(shiftedAtMs.applyAsLong(region), nowMs, config)
                .ifPresent(pin -> list.accept(history.listed(region, pin, config))));
    }

    /**
     * Forgets the regions that others have taken to another server than our last move did, but for frozen ones.
     *
     * @param inFlight the regions that are where they are by a move of ours that is not in their history yet
     */
    void assigned(
            Function<EncodedRegionName, Optional<ServerId>> serverByRegion,
            Set<EncodedRegionName> inFlight,
            long nowMs,
            MoveTrackerConfig config) {
        historyByRegion
                .entrySet()
                .removeIf(entry -> !inFlight.contains(entry.getKey())
                        && serverByRegion
                                .apply(entry.getKey())
                                .filter(server -> entry.getValue().isSuperseded(server, nowMs, config))
                                .isPresent());
    }

    /** Whether this move is the last one of ours that the region made, a short while ago. */
    boolean wasJustMoved(EncodedRegionName region, ServerId from, ServerId to, long nowMs) {
        RegionMoveHistory history = historyByRegion.get(region);
        return history != null && history.wasJustMoved(from, to, nowMs);
    }

    /** The regions that our last move took to one of these servers rest no longer. */
    void endRest(Set<ServerId> servers) {
        historyByRegion.replaceAll((region, history) -> history.endsOn(servers) ? history.rested() : history);
    }

    /** Adds where another master's moves took regions, before what this one did with them. */
    void mergeOlder(RegionMoveHistories older) {
        older.historyByRegion.forEach(
                (region, history) -> historyByRegion.merge(region, history, (here, before) -> before.followedBy(here)));
    }

    void forget(EncodedRegionName region) {
        historyByRegion.remove(region);
    }

    void forgetExpired(long nowMs, MoveTrackerConfig config) {
        historyByRegion.values().removeIf(history -> history.isOver(nowMs, config));
    }

    Set<EncodedRegionName> regions() {
        return historyByRegion.keySet();
    }

    void write(StateWriter out) throws IOException {
        out.map(historyByRegion, out::region, history -> {
            out.table(history.table());
            out.number(history.oscillatedAtMs().orElse(-1));
            out.list(history.moves(), history.moves().size(), move -> {
                out.server(move.from());
                out.server(move.to());
                out.number(move.completedAtMs());
                out.flag(move.byOurPlan());
            });
        });
    }

    static RegionMoveHistories read(StateReader in) throws IOException {
        RegionMoveHistories histories = new RegionMoveHistories();
        in.map(histories.historyByRegion, in::region, () -> {
            TableId table = in.table();
            long oscillatedAtMs = in.time();
            List<CompletedMove> moves = new ArrayList<>();
            in.list(moves, () -> new CompletedMove(in.server(), in.server(), in.time(), in.flagSinceLimits()));
            if (moves.isEmpty()) {
                throw new IOException("a move history without a move");
            }
            return new RegionMoveHistory(
                    table, moves, oscillatedAtMs < 0 ? OptionalLong.empty() : OptionalLong.of(oscillatedAtMs));
        });
        return histories;
    }
}
