// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

import io.hearth.balancer.config.MoveTrackerConfig;
import io.hearth.balancer.heat.RegionLoads;
import io.hearth.balancer.tracking.Prediction.Outcome;
import io.hearth.balancer.tracking.Prediction.Run;
import io.hearth.balancer.tracking.TrackerEvent.EventBuffer;
import io.hearth.balancer.tracking.TrackerEvent.Kind;
import io.hearth.common.model.LoadDimension;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Holds what each run with moves predicted against what came of it, for {@link MispredictionThrottle} to count. Not thread-safe.
 *
 * <p>Wrong is a max/mean above {@code 1 + factor * max(predicted - 1, trigger - 1)}: a miss within what would not even start
 * a plan is none, and so is one that would not be there had nobody but the plan moved, made or removed regions ({@link
 * PlannedPlacement}), and one that the change of region loads explains. A run is judged when its moves are all done or known not to be, and a set time has passed, but at the
 * latest when the next run acts. Runs that can't be judged change nothing.
 *
 * <p>The servers may stand in groups that are balanced apart (RSGroups). What a run over one group predicts is held against
 * what is seen of that group alone, and limits that group alone.
 */
final class PredictionLog {

    private static final int KEPT = 50;

    /** A run that nobody has measured for so long will not be: its group has another first server, or is gone. */
    private static final long FORGOTTEN_MS = 86_400_000;

    private final Deque<Prediction> closed = new ArrayDeque<>();
    private final Map<String, Prediction> openByGroup = new TreeMap<>();
    private final Map<String, Prediction> unconfirmedByGroup = new TreeMap<>();
    private final Map<String, Prediction> endIfConfirmedByGroup = new TreeMap<>();
    /** What the plans answer for; the next master does not know it. */
    private final Map<Run, PlannedPlacement> placementByRun = new HashMap<>();

    private final MispredictionThrottle throttle;

    PredictionLog() {
        this(new MispredictionThrottle());
    }

    private PredictionLog(MispredictionThrottle throttle) {
        this.throttle = throttle;
    }

    /**
     * A plan of this run was handed over; a later plan of the same run takes the prediction over. It counts once {@link
     * #confirmed} says that something of it was done.
     */
    void acted(
            String group,
            long runAtMs,
            int moves,
            PlannedPlacement placement,
            Map<LoadDimension, Double> predicted,
            Map<LoadDimension, Double> triggers,
            long nowMs,
            double factor) {
        Map<String, Prediction> byGroup =
                openRun(group).equals(OptionalLong.of(runAtMs)) ? openByGroup : unconfirmedByGroup;
        Prediction before = isOf(byGroup.get(group), runAtMs) ? byGroup.get(group) : null;
        Map<LoadDimension, Double> bound = new EnumMap<>(LoadDimension.class);
        triggers.forEach((dimension, trigger) -> {
            double excess = Math.max(predicted.getOrDefault(dimension, 1.0), trigger) - 1;
            bound.put(dimension, 1 + factor * excess);
        });
        placementByRun.put(new Run(group, runAtMs), placement);
        byGroup.put(
                group,
                new Prediction(
                        group,
                        runAtMs,
                        nowMs,
                        moves + (before == null ? 0 : before.moves()),
                        before == null ? 0 : before.movesNotMade(),
                        predicted,
                        bound,
                        Map.of(),
                        Outcome.PENDING,
                        OptionalLong.empty()));
    }

    private static boolean isOf(@Nullable Prediction entry, long runAtMs) {
        return entry != null && entry.runAtMs() == runAtMs;
    }

    /** Whether a plan of this run was handed over for this group. */
    boolean knows(String group, long runAtMs) {
        return isOf(openByGroup.get(group), runAtMs) || isOf(unconfirmedByGroup.get(group), runAtMs);
    }

    /** The run over this group that was handed over last and that nothing has been seen of. */
    OptionalLong unconfirmedRun(String group) {
        Prediction entry = unconfirmedByGroup.get(group);
        return entry == null ? OptionalLong.empty() : OptionalLong.of(entry.runAtMs());
    }

    /** Something of this run was done: the run before it over the same group is over. */
    void confirmed(long runAtMs, long nowMs, EventBuffer events) {
        for (Prediction entry : List.copyOf(unconfirmedByGroup.values())) {
            if (entry.runAtMs() == runAtMs) {
                unconfirmedByGroup.remove(entry.group());
                Prediction end = endIfConfirmedByGroup.remove(entry.group());
                if (end != null && knows(entry.group(), end.runAtMs())) {
                    close(end, nowMs, events);
                }
                openByGroup.put(entry.group(), entry);
            }
        }
        forgetPlacements();
    }

    /** Nothing of this run was done, and nothing will be. */
    void abandoned(long runAtMs) {
        unconfirmedByGroup.values().removeIf(entry -> entry.runAtMs() == runAtMs);
        endIfConfirmedByGroup.keySet().retainAll(unconfirmedByGroup.keySet());
        forgetPlacements();
    }

    /** The run over this group that is not judged yet, by the time at which it began. */
    OptionalLong openRun(String group) {
        Prediction open = openByGroup.get(group);
        return open == null ? OptionalLong.empty() : OptionalLong.of(open.runAtMs());
    }

    void moveNotMade(long runAtMs) {
        for (Map<String, Prediction> byGroup : List.of(openByGroup, unconfirmedByGroup)) {
            byGroup.replaceAll((group, entry) -> entry.runAtMs() == runAtMs ? entry.withMoveNotMade() : entry);
        }
    }

    /** Judges the open run over this group if its time has come. */
    void measured(
            String group,
            Map<LoadDimension, Double> maxOverMean,
            RegionLoads currentLoads,
            boolean isUnderWay,
            long nowMs,
            MoveTrackerConfig config,
            EventBuffer events) {
        Prediction open = openByGroup.get(group);
        if (!isUnderWay && open != null && nowMs >= open.actedAtMs() + config.predictionCheckDelayMs()) {
            close(evaluated(open, maxOverMean, currentLoads, nowMs), nowMs, events);
        }
        openByGroup.values().removeIf(entry -> nowMs > entry.actedAtMs() + FORGOTTEN_MS);
        forgetPlacements();
    }

    private void forgetPlacements() {
        placementByRun.keySet().removeIf(run -> !knows(run.group(), run.atMs()));
    }

    /** A run over this group is handed over: if it is confirmed, the open one is judged by what was seen now at the latest. */
    void nextRunActs(
            String group,
            Map<LoadDimension, Double> maxOverMean,
            RegionLoads currentLoads,
            boolean isUnderWay,
            long nowMs) {
        Prediction open = openByGroup.get(group);
        if (open != null) {
            endIfConfirmedByGroup.put(
                    group, isUnderWay ? open.superseded(nowMs) : evaluated(open, maxOverMean, currentLoads, nowMs));
        }
    }

    private Prediction evaluated(
            Prediction open, Map<LoadDimension, Double> maxOverMean, RegionLoads currentLoads, long nowMs) {
        return open.evaluated(maxOverMean, Optional.ofNullable(placementByRun.get(open.run())), currentLoads, nowMs);
    }

    /**
     * Another master takes over from here. What was judged stays judged; a run that was open when this was written is not judged:
     * it may have been since, and the heat that it rested on is not known here.
     */
    void masterChanged(long nowMs, EventBuffer events) {
        List.copyOf(openByGroup.values()).forEach(open -> close(open.leftByItsMaster(nowMs), nowMs, events));
        unconfirmedByGroup.clear();
        endIfConfirmedByGroup.clear();
        placementByRun.clear();
    }

    /** Puts what another master judged before what was judged here; a run that was open there is none here. */
    void mergeOlder(PredictionLog older) {
        older.closed.descendingIterator().forEachRemaining(closed::addFirst);
        while (closed.size() > KEPT) {
            closed.removeFirst();
        }
        throttle.mergeOlder(older.throttle);
    }

    private void close(Prediction entry, long nowMs, EventBuffer events) {
        openByGroup.remove(entry.group());
        if (closed.size() >= KEPT) {
            closed.removeFirst();
        }
        closed.addLast(entry);
        switch (entry.outcome()) {
            case AS_PREDICTED -> throttle.asPredicted(entry.group(), nowMs, events);
            case MISPREDICTED -> throttle.mispredicted(entry, nowMs, events);
            case LOAD_CHANGED ->
                events.add(
                        nowMs,
                        Kind.LOAD_CHANGED,
                        "A run of " + entry.moves() + " moves came out otherwise, because the load of regions has"
                                + " changed since: " + entry.deviations());
            case CLUSTER_CHANGED ->
                events.add(
                        nowMs,
                        Kind.CLUSTER_CHANGED,
                        "A run of " + entry.moves() + " moves came out otherwise, but not by the heat of the regions"
                                + " there were: others have moved, made or removed regions: " + entry.deviations());
            case PENDING, NOT_CARRIED_OUT, SUPERSEDED, MASTER_CHANGED -> {}
        }
    }

    /** How many moves of this run over this group were handed over. */
    int moves(String group, long runAtMs) {
        for (Map<String, Prediction> byGroup : List.of(openByGroup, unconfirmedByGroup)) {
            Prediction entry = byGroup.get(group);
            if (entry != null && entry.runAtMs() == runAtMs) {
                return entry.moves();
            }
        }
        return 0;
    }

    /** Runs that came out otherwise by their own doing, and what follows from them. */
    MispredictionThrottle throttle() {
        return throttle;
    }

    /** Every run that is kept and of which something was seen, oldest first. */
    List<Prediction> entries() {
        Deque<Prediction> all = new ArrayDeque<>(closed);
        all.addAll(openByGroup.values());
        return List.copyOf(all);
    }

    void write(StateWriter out) throws IOException {
        throttle.write(out);
        for (Collection<Prediction> entries :
                List.of(closed, openByGroup.values(), unconfirmedByGroup.values(), endIfConfirmedByGroup.values())) {
            out.list(entries, entries.size(), entry -> PredictionCodec.write(out, entry));
        }
    }

    static PredictionLog read(StateReader in) throws IOException {
        PredictionLog predictionLog = new PredictionLog(MispredictionThrottle.read(in));
        in.list(predictionLog.closed, () -> PredictionCodec.read(in));
        for (Map<String, Prediction> byGroup : List.of(
                predictionLog.openByGroup, predictionLog.unconfirmedByGroup, predictionLog.endIfConfirmedByGroup)) {
            List<Prediction> entries = new ArrayList<>();
            in.list(entries, () -> PredictionCodec.read(in));
            entries.forEach(entry -> byGroup.put(entry.group(), entry));
        }
        return predictionLog;
    }

    /** One entry of the prediction log as bytes for the next master. */
    private static final class PredictionCodec {

        private PredictionCodec() {}

        static void write(StateWriter out, Prediction entry) throws IOException {
            out.name(entry.group());
            out.number(entry.runAtMs());
            out.number(entry.actedAtMs());
            out.count(entry.moves());
            out.count(entry.movesNotMade());
            for (Map<LoadDimension, Double> values : List.of(entry.predicted(), entry.bound(), entry.observed())) {
                out.map(values, dimension -> out.name(dimension.name()), out::decimal);
            }
            out.name(entry.outcome().name());
            out.number(entry.evaluatedAtMs().orElse(-1));
        }

        static Prediction read(StateReader in) throws IOException {
            String group = in.name();
            long runAtMs = in.number();
            long actedAtMs = in.time();
            int moves = in.count();
            int notMade = in.count();
            Map<LoadDimension, Double> predicted = readValues(in);
            Map<LoadDimension, Double> bound = readValues(in);
            Map<LoadDimension, Double> observed = readValues(in);
            Outcome outcome = Outcome.valueOf(in.name());
            long evaluatedAtMs = in.number();
            return new Prediction(
                    group,
                    runAtMs,
                    actedAtMs,
                    moves,
                    notMade,
                    predicted,
                    bound,
                    observed,
                    outcome,
                    evaluatedAtMs < 0 ? OptionalLong.empty() : OptionalLong.of(evaluatedAtMs));
        }

        private static Map<LoadDimension, Double> readValues(StateReader in) throws IOException {
            Map<LoadDimension, Double> values = new EnumMap<>(LoadDimension.class);
            in.map(values, () -> LoadDimension.valueOf(in.name()), in::decimal);
            return values;
        }
    }
}
