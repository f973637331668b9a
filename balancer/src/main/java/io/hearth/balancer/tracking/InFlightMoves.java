// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

import io.hearth.balancer.tracking.ReportedLocationIndex.ReportedLocations;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongPredicate;

/**
 * The moves in flight: each from the plan until a report newer than the plan speaks of the region on its target, or until it
 * is clear that the move was not made. Not thread-safe.
 */
final class InFlightMoves {

    /** A region that nobody reports may be in transition; after this many times the time for a move it is given up. */
    private static final int LOST_AFTER_TIMEOUTS = 2;

    private final Map<EncodedRegionName, InFlightMove> moveByRegion = new HashMap<>();
    private final UnconfirmedRuns unconfirmedRuns;

    InFlightMoves() {
        this(new UnconfirmedRuns());
    }

    private InFlightMoves(UnconfirmedRuns unconfirmedRuns) {
        this.unconfirmedRuns = unconfirmedRuns;
    }

    /** A move that is in flight no more. */
    record FinishedMove(EncodedRegionName region, InFlightMove inFlightMove, InFlightMove.Result end) {}

    void planned(
            EncodedRegionName region,
            TableId table,
            ServerId from,
            ServerId to,
            long runAtMs,
            long nowMs,
            long confirmTimeoutMs,
            boolean byOurPlan,
            boolean spentBudget) {
        unconfirmedRuns.planned(runAtMs);
        moveByRegion.put(
                region,
                new InFlightMove(
                        table,
                        from,
                        to,
                        nowMs,
                        runAtMs,
                        nowMs + confirmTimeoutMs,
                        nowMs + LOST_AFTER_TIMEOUTS * confirmTimeoutMs,
                        byOurPlan,
                        spentBudget));
    }

    /** All that was planned since this time is only now begun with. */
    void beginNow(long sinceMs, long nowMs, long confirmTimeoutMs) {
        moveByRegion.replaceAll((region, move) -> move.plannedAtMs() < sinceMs
                ? move
                : move.until(
                        Math.max(move.dropMs(), nowMs + confirmTimeoutMs),
                        Math.max(move.lostMs(), nowMs + LOST_AFTER_TIMEOUTS * confirmTimeoutMs)));
    }

    /** Ends what these reports end. */
    List<FinishedMove> observed(ReportedLocations reportedLocations, long nowMs) {
        List<FinishedMove> finished = new ArrayList<>();
        Iterator<Map.Entry<EncodedRegionName, InFlightMove>> each =
                moveByRegion.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<EncodedRegionName, InFlightMove> entry = each.next();
            entry.getValue().end(entry.getKey(), reportedLocations, nowMs).ifPresent(end -> {
                finished.add(new FinishedMove(entry.getKey(), entry.getValue(), end));
                each.remove();
            });
        }
        finished.sort((one, other) -> one.region().compareTo(other.region()));
        return finished;
    }

    /** Ends what by the master's word, when a run begins, has not gone where it should; of what it does not name nothing is known. */
    List<FinishedMove> assigned(Function<EncodedRegionName, Optional<ServerId>> serverByRegion) {
        List<FinishedMove> finished = new ArrayList<>();
        moveByRegion.forEach((region, inFlightMove) -> serverByRegion
                .apply(region)
                .flatMap(inFlightMove::end)
                .ifPresent(end -> finished.add(new FinishedMove(region, inFlightMove, end))));
        finished.sort((one, other) -> one.region().compareTo(other.region()));
        finished.forEach(each -> moveByRegion.remove(each.region()));
        return finished;
    }

    /** Ends this region's move in flight, if there is one, because somebody moved the region elsewhere manually. */
    List<FinishedMove> superseded(EncodedRegionName region) {
        InFlightMove inFlightMove = moveByRegion.remove(region);
        return inFlightMove == null
                ? List.of()
                : List.of(new FinishedMove(region, inFlightMove, InFlightMove.Result.SUPERSEDED));
    }

    /** Ends this region's move in flight if it was to take the region to this server, since the region did not open there. */
    List<FinishedMove> notOpened(EncodedRegionName region, ServerId on) {
        if (!isOnItsWay(region, on)) {
            return List.of();
        }
        InFlightMove inFlightMove = moveByRegion.remove(region);
        return List.of(new FinishedMove(region, inFlightMove, InFlightMove.Result.NOT_OPENED));
    }

    /** The runs of which, by the master's word, a region is where it should go. */
    Set<Long> arrivedRuns(Function<EncodedRegionName, Optional<ServerId>> serverByRegion) {
        Set<Long> runs = new TreeSet<>();
        moveByRegion.forEach((region, inFlightMove) -> {
            if (serverByRegion.apply(region).equals(Optional.of(inFlightMove.to()))) {
                runs.add(inFlightMove.runAtMs());
            }
        });
        return runs;
    }

    /** The runs of which no move has been seen to be made. */
    UnconfirmedRuns unconfirmedRuns() {
        return unconfirmedRuns;
    }

    boolean isAnyOf(long runAtMs) {
        return moveByRegion.values().stream().anyMatch(inFlightMove -> inFlightMove.runAtMs() == runAtMs);
    }

    /** Adds what another master had in flight, but for these regions: of them this one knows better. */
    void mergeOlder(InFlightMoves older, Set<EncodedRegionName> knownHere) {
        older.moveByRegion.forEach((region, inFlightMove) -> {
            if (!knownHere.contains(region)) {
                moveByRegion.putIfAbsent(region, inFlightMove);
            }
        });
        unconfirmedRuns.mergeOlder(older.unconfirmedRuns, this::isAnyOf);
    }

    /** Whether this region is on its way there. */
    boolean isOnItsWay(EncodedRegionName region, ServerId to) {
        InFlightMove inFlightMove = moveByRegion.get(region);
        return inFlightMove != null && inFlightMove.to().equals(to);
    }

    Set<EncodedRegionName> regions() {
        return moveByRegion.keySet();
    }

    void list(Consumer<PinnedRegion> list) {
        moveByRegion.forEach((region, inFlightMove) -> list.accept(inFlightMove.listed(region)));
    }

    void write(StateWriter out) throws IOException {
        unconfirmedRuns.write(out);
        out.map(moveByRegion, out::region, inFlightMove -> {
            out.table(inFlightMove.table());
            out.server(inFlightMove.from());
            out.server(inFlightMove.to());
            out.number(inFlightMove.plannedAtMs());
            out.number(inFlightMove.runAtMs());
            out.number(inFlightMove.dropMs() - inFlightMove.plannedAtMs());
            out.number(inFlightMove.lostMs() - inFlightMove.plannedAtMs());
            out.flag(inFlightMove.byOurPlan());
        });
    }

    static InFlightMoves read(StateReader in) throws IOException {
        InFlightMoves inFlightMoves = new InFlightMoves(UnconfirmedRuns.read(in));
        in.map(inFlightMoves.moveByRegion, in::region, () -> read(in, in.table()));
        return inFlightMoves;
    }

    private static InFlightMove read(StateReader in, TableId table) throws IOException {
        ServerId from = in.server();
        ServerId to = in.server();
        long plannedAtMs = in.time();
        long runAtMs = in.number();
        return new InFlightMove(
                table,
                from,
                to,
                plannedAtMs,
                runAtMs,
                plannedAtMs + in.number(),
                plannedAtMs + in.number(),
                in.flagSinceLimits(),
                false);
    }

    /**
     * The runs of which no move has been seen to be made. HBase does not tell its balancer of a dry run: what was planned in one is
     * dropped like any other move that the master did not make, and only a first move that was made says that the run was meant.
     * Not thread-safe.
     */
    static final class UnconfirmedRuns {

        private final Map<Long, Integer> notMadeByRun = new HashMap<>();

        /** A plan of this run was handed over. */
        void planned(long runAtMs) {
            notMadeByRun.putIfAbsent(runAtMs, 0);
        }

        /** A move of this run was made; says whether it is the first one. */
        boolean seen(long runAtMs) {
            return notMadeByRun.remove(runAtMs) != null;
        }

        /** A move of this run was not made; says whether there is still nothing that was. */
        boolean notMade(long runAtMs) {
            return notMadeByRun.computeIfPresent(runAtMs, (run, notMade) -> notMade + 1) != null;
        }

        /** Forgets a run of which no move is left; says how many of its moves were not made. */
        int over(long runAtMs) {
            Integer notMade = notMadeByRun.remove(runAtMs);
            return notMade == null ? 0 : notMade;
        }

        /** Adds another master's runs that still have a move in flight. */
        void mergeOlder(UnconfirmedRuns older, LongPredicate isInFlight) {
            older.notMadeByRun.forEach((runAtMs, notMade) -> {
                if (isInFlight.test(runAtMs)) {
                    notMadeByRun.putIfAbsent(runAtMs, notMade);
                }
            });
        }

        void write(StateWriter out) throws IOException {
            out.map(notMadeByRun, out::number, out::count);
        }

        static UnconfirmedRuns read(StateReader in) throws IOException {
            UnconfirmedRuns runs = new UnconfirmedRuns();
            in.map(runs.notMadeByRun, in::number, in::count);
            return runs;
        }
    }
}
