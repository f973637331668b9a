package io.hearth.balancer.steering;

import io.hearth.balancer.config.SteeringConfig;
import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.steering.LedgerEntry.Run;
import io.hearth.balancer.steering.LedgerEntry.Verdict;
import io.hearth.balancer.steering.SteeringNews.Kind;
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
 * Holds what each run with moves predicted against what came of it, for {@link WrongRuns} to count. Not thread-safe.
 *
 * <p>Wrong is a max/mean above {@code 1 + factor * max(predicted - 1, trigger - 1)}: a miss within what would not even start
 * a plan is none, and so is one that would not be there had nobody but the plan moved, made or removed regions ({@link
 * PlannedPlacement}), and one that the change of region loads explains. A run is judged when its moves are all done or known not to be, and a set time has passed, but at the
 * latest when the next run acts. Runs that can't be judged change nothing.
 *
 * <p>The servers may stand in groups that are balanced apart (RSGroups). What a run over one group predicts is held against
 * what is seen of that group alone, and limits that group alone.
 */
final class Ledger {

    private static final int KEPT = 50;

    /** A run that nobody has measured for so long will not be: its group has another first server, or is gone. */
    private static final long FORGOTTEN_MS = 86_400_000;

    private final Deque<LedgerEntry> closed = new ArrayDeque<>();
    private final Map<String, LedgerEntry> openByGroup = new TreeMap<>();
    private final Map<String, LedgerEntry> unconfirmedByGroup = new TreeMap<>();
    private final Map<String, LedgerEntry> endIfConfirmedByGroup = new TreeMap<>();
    /** What the plans answer for; the next master does not know it. */
    private final Map<Run, PlannedPlacement> placementByRun = new HashMap<>();

    private final WrongRuns wrongRuns;

    Ledger() {
        this(new WrongRuns());
    }

    private Ledger(WrongRuns wrongRuns) {
        this.wrongRuns = wrongRuns;
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
        Map<String, LedgerEntry> byGroup =
                openRun(group).equals(OptionalLong.of(runAtMs)) ? openByGroup : unconfirmedByGroup;
        LedgerEntry before = isOf(byGroup.get(group), runAtMs) ? byGroup.get(group) : null;
        Map<LoadDimension, Double> bound = new EnumMap<>(LoadDimension.class);
        triggers.forEach((dimension, trigger) -> {
            double excess = Math.max(predicted.getOrDefault(dimension, 1.0), trigger) - 1;
            bound.put(dimension, 1 + factor * excess);
        });
        placementByRun.put(new Run(group, runAtMs), placement);
        byGroup.put(
                group,
                new LedgerEntry(
                        group,
                        runAtMs,
                        nowMs,
                        moves + (before == null ? 0 : before.moves()),
                        before == null ? 0 : before.movesNotMade(),
                        predicted,
                        bound,
                        Map.of(),
                        Verdict.OPEN,
                        OptionalLong.empty()));
    }

    private static boolean isOf(@Nullable LedgerEntry entry, long runAtMs) {
        return entry != null && entry.runAtMs() == runAtMs;
    }

    /** Whether a plan of this run was handed over for this group. */
    boolean knows(String group, long runAtMs) {
        return isOf(openByGroup.get(group), runAtMs) || isOf(unconfirmedByGroup.get(group), runAtMs);
    }

    /** The run over this group that was handed over last and that nothing has been seen of. */
    OptionalLong unconfirmedRun(String group) {
        LedgerEntry entry = unconfirmedByGroup.get(group);
        return entry == null ? OptionalLong.empty() : OptionalLong.of(entry.runAtMs());
    }

    /** Something of this run was done: the run before it over the same group is over. */
    void confirmed(long runAtMs, long nowMs, NewsBox news) {
        for (LedgerEntry entry : List.copyOf(unconfirmedByGroup.values())) {
            if (entry.runAtMs() == runAtMs) {
                unconfirmedByGroup.remove(entry.group());
                LedgerEntry end = endIfConfirmedByGroup.remove(entry.group());
                if (end != null && knows(entry.group(), end.runAtMs())) {
                    close(end, nowMs, news);
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
        LedgerEntry open = openByGroup.get(group);
        return open == null ? OptionalLong.empty() : OptionalLong.of(open.runAtMs());
    }

    void moveNotMade(long runAtMs) {
        for (Map<String, LedgerEntry> byGroup : List.of(openByGroup, unconfirmedByGroup)) {
            byGroup.replaceAll((group, entry) -> entry.runAtMs() == runAtMs ? entry.withMoveNotMade() : entry);
        }
    }

    /** Judges the open run over this group if its time has come. */
    void measured(
            String group,
            Map<LoadDimension, Double> maxOverMean,
            LoadLook look,
            boolean isUnderWay,
            long nowMs,
            SteeringConfig config,
            NewsBox news) {
        LedgerEntry open = openByGroup.get(group);
        if (!isUnderWay && open != null && nowMs >= open.actedAtMs() + config.ledgerDelayMs()) {
            close(judged(open, maxOverMean, look, nowMs), nowMs, news);
        }
        openByGroup.values().removeIf(entry -> nowMs > entry.actedAtMs() + FORGOTTEN_MS);
        forgetPlacements();
    }

    private void forgetPlacements() {
        placementByRun.keySet().removeIf(run -> !knows(run.group(), run.atMs()));
    }

    /** A run over this group is handed over: if it is confirmed, the open one is judged by what was seen now at the latest. */
    void nextRunActs(
            String group, Map<LoadDimension, Double> maxOverMean, LoadLook look, boolean isUnderWay, long nowMs) {
        LedgerEntry open = openByGroup.get(group);
        if (open != null) {
            endIfConfirmedByGroup.put(
                    group, isUnderWay ? open.overtaken(nowMs) : judged(open, maxOverMean, look, nowMs));
        }
    }

    private LedgerEntry judged(LedgerEntry open, Map<LoadDimension, Double> maxOverMean, LoadLook look, long nowMs) {
        return open.judged(maxOverMean, Optional.ofNullable(placementByRun.get(open.run())), look, nowMs);
    }

    /**
     * Another master takes over from here. What was judged stays judged; a run that was open when this was written is not judged:
     * it may have been since, and the heat that it rested on is not known here.
     */
    void masterChanged(long nowMs, NewsBox news) {
        List.copyOf(openByGroup.values()).forEach(open -> close(open.leftByItsMaster(nowMs), nowMs, news));
        unconfirmedByGroup.clear();
        endIfConfirmedByGroup.clear();
        placementByRun.clear();
    }

    /** Puts what another master judged before what was judged here; a run that was open there is none here. */
    void putUnder(Ledger older) {
        older.closed.descendingIterator().forEachRemaining(closed::addFirst);
        while (closed.size() > KEPT) {
            closed.removeFirst();
        }
        wrongRuns.putUnder(older.wrongRuns);
    }

    private void close(LedgerEntry entry, long nowMs, NewsBox news) {
        openByGroup.remove(entry.group());
        if (closed.size() >= KEPT) {
            closed.removeFirst();
        }
        closed.addLast(entry);
        switch (entry.verdict()) {
            case RIGHT -> wrongRuns.right(entry.group(), nowMs, news);
            case WRONG -> wrongRuns.wrong(entry, nowMs, news);
            case LOAD_CHANGED ->
                news.add(
                        nowMs,
                        Kind.LOAD_CHANGED,
                        "A run of " + entry.moves() + " moves came out otherwise, because the load of regions has"
                                + " changed since: " + entry.misses());
            case CLUSTER_CHANGED ->
                news.add(
                        nowMs,
                        Kind.CLUSTER_CHANGED,
                        "A run of " + entry.moves() + " moves came out otherwise, but not by the heat of the regions"
                                + " there were: others have moved, made or removed regions: " + entry.misses());
            case OPEN, NOT_CARRIED_OUT, OVERTAKEN, MASTER_CHANGED -> {}
        }
    }

    /** How many moves of this run over this group were handed over. */
    int moves(String group, long runAtMs) {
        for (Map<String, LedgerEntry> byGroup : List.of(openByGroup, unconfirmedByGroup)) {
            LedgerEntry entry = byGroup.get(group);
            if (entry != null && entry.runAtMs() == runAtMs) {
                return entry.moves();
            }
        }
        return 0;
    }

    /** Runs that came out otherwise by their own doing, and what follows from them. */
    WrongRuns wrongRuns() {
        return wrongRuns;
    }

    /** Every run that is kept and of which something was seen, oldest first. */
    List<LedgerEntry> entries() {
        Deque<LedgerEntry> all = new ArrayDeque<>(closed);
        all.addAll(openByGroup.values());
        return List.copyOf(all);
    }

    void write(StateOut out) throws IOException {
        wrongRuns.write(out);
        for (Collection<LedgerEntry> entries :
                List.of(closed, openByGroup.values(), unconfirmedByGroup.values(), endIfConfirmedByGroup.values())) {
            out.list(entries, entries.size(), entry -> LedgerBytes.write(out, entry));
        }
    }

    static Ledger read(StateIn in) throws IOException {
        Ledger ledger = new Ledger(WrongRuns.read(in));
        in.list(ledger.closed, () -> LedgerBytes.read(in));
        for (Map<String, LedgerEntry> byGroup :
                List.of(ledger.openByGroup, ledger.unconfirmedByGroup, ledger.endIfConfirmedByGroup)) {
            List<LedgerEntry> entries = new ArrayList<>();
            in.list(entries, () -> LedgerBytes.read(in));
            entries.forEach(entry -> byGroup.put(entry.group(), entry));
        }
        return ledger;
    }
}
