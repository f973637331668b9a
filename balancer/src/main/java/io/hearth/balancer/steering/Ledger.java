package io.hearth.balancer.steering;

import io.hearth.balancer.config.SteeringConfig;
import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.steering.LedgerEntry.Verdict;
import io.hearth.balancer.steering.SteeringNews.Kind;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Holds what each run with moves predicted against what came of it. After {@value #WRONG_IN_A_ROW} wrong runs in a row Hearth
 * only advises, until a person says otherwise. Not thread-safe.
 *
 * <p>Wrong is a max/mean above {@code 1 + factor * max(predicted - 1, trigger - 1)}: a miss within what would not even start
 * a plan is none. A run is judged when its moves are all done or known not to be, and a set time has passed, but at the
 * latest when the next run acts. Runs that can't be judged neither count nor clear the count.
 *
 * <p>The servers may stand in groups that are balanced apart (RSGroups). What a run over one group predicts is held against
 * what is seen of that group alone, and wrong in a row are runs over one group.
 */
final class Ledger {

    private static final int WRONG_IN_A_ROW = 2;
    private static final int KEPT = 50;

    /** A run that nobody has measured for so long will not be: its group has another first server, or is gone. */
    private static final long FORGOTTEN_MS = 86_400_000;

    private final Deque<LedgerEntry> closed = new ArrayDeque<>();
    private final Map<String, LedgerEntry> openByGroup = new TreeMap<>();
    private final Map<String, LedgerEntry> unconfirmedByGroup = new TreeMap<>();
    private final Map<String, LedgerEntry> endIfConfirmedByGroup = new TreeMap<>();
    private final Map<String, Integer> wrongInARowByGroup = new TreeMap<>();
    private String resetWord = "";

    /**
     * A plan of this run was handed over; a later plan of the same run takes the prediction over. It counts once {@link
     * #confirmed} says that something of it was done.
     */
    void acted(
            String group,
            long runAtMs,
            int moves,
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
    }

    /** Nothing of this run was done, and nothing will be. */
    void abandoned(long runAtMs) {
        unconfirmedByGroup.values().removeIf(entry -> entry.runAtMs() == runAtMs);
        endIfConfirmedByGroup.keySet().retainAll(unconfirmedByGroup.keySet());
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
            boolean isUnderWay,
            long nowMs,
            SteeringConfig config,
            NewsBox news) {
        LedgerEntry open = openByGroup.get(group);
        if (!isUnderWay && open != null && nowMs >= open.actedAtMs() + config.ledgerDelayMs()) {
            close(open.judged(maxOverMean, nowMs), nowMs, news);
        }
        openByGroup.values().removeIf(entry -> nowMs > entry.actedAtMs() + FORGOTTEN_MS);
    }

    /** A run over this group is handed over: if it is confirmed, the open one is judged by what was seen now at the latest. */
    void nextRunActs(String group, Map<LoadDimension, Double> maxOverMean, boolean isUnderWay, long nowMs) {
        LedgerEntry open = openByGroup.get(group);
        if (open != null) {
            endIfConfirmedByGroup.put(group, isUnderWay ? open.overtaken(nowMs) : open.judged(maxOverMean, nowMs));
        }
    }

    private void close(LedgerEntry entry, long nowMs, NewsBox news) {
        openByGroup.remove(entry.group());
        if (closed.size() >= KEPT) {
            closed.removeFirst();
        }
        closed.addLast(entry);
        switch (entry.verdict()) {
            case RIGHT -> {
                if (!isAdviseOnly()) {
                    wrongInARowByGroup.remove(entry.group());
                }
            }
            case WRONG -> countWrong(entry, nowMs, news);
            case OPEN, NOT_CARRIED_OUT, OVERTAKEN -> {}
        }
    }

    private void countWrong(LedgerEntry entry, long nowMs, NewsBox news) {
        boolean actsStill = !isAdviseOnly();
        wrongInARowByGroup.merge(entry.group(), 1, Integer::sum);
        news.add(nowMs, Kind.RUN_WRONG, "A run of " + entry.moves() + " moves came out otherwise: " + entry.misses());
        if (actsStill) {
            adviseOnly().ifPresent(reason -> news.add(nowMs, Kind.ADVISE_ONLY, reason));
        }
    }

    private boolean isAdviseOnly() {
        return wrongInARowByGroup.values().stream().anyMatch(wrong -> wrong >= WRONG_IN_A_ROW);
    }

    /** Why Hearth only advises, if so. */
    Optional<String> adviseOnly() {
        return isAdviseOnly()
                ? Optional.of(
                        WRONG_IN_A_ROW + " runs in a row came out otherwise than predicted; the last: " + lastMisses()
                                + ". Set hearth.balancer.ledger.reset to another word than '" + resetWord
                                + "' to let Hearth act again")
                : Optional.empty();
    }

    private String lastMisses() {
        return closed.stream()
                .filter(entry -> entry.verdict() == Verdict.WRONG)
                .reduce((earlier, later) -> later)
                .map(LedgerEntry::misses)
                .orElse("not known any more");
    }

    /** The word that the configuration has now; where it is another than before, what was wrong is forgiven. */
    void resetWord(String word, long nowMs, NewsBox news) {
        boolean isNew = !word.equals(resetWord);
        if (isNew && isAdviseOnly()) {
            news.add(
                    nowMs, Kind.ACTS_AGAIN, "hearth.balancer.ledger.reset is '" + word + "' now: Hearth may act again");
        }
        if (isNew) {
            wrongInARowByGroup.clear();
        }
        resetWord = word;
    }

    /** Every run that is kept and of which something was seen, oldest first. */
    List<LedgerEntry> entries() {
        Deque<LedgerEntry> all = new ArrayDeque<>(closed);
        all.addAll(openByGroup.values());
        return List.copyOf(all);
    }

    void write(StateOut out) throws IOException {
        out.map(wrongInARowByGroup, out::name, out::count);
        out.name(resetWord);
        for (Collection<LedgerEntry> entries :
                List.of(closed, openByGroup.values(), unconfirmedByGroup.values(), endIfConfirmedByGroup.values())) {
            out.list(entries, entries.size(), entry -> write(out, entry));
        }
    }

    private static void write(StateOut out, LedgerEntry entry) throws IOException {
        out.name(entry.group());
        out.number(entry.runAtMs());
        out.number(entry.actedAtMs());
        out.count(entry.moves());
        out.count(entry.movesNotMade());
        for (Map<LoadDimension, Double> values : List.of(entry.predicted(), entry.bound(), entry.observed())) {
            out.map(values, dimension -> out.name(dimension.name()), out::decimal);
        }
        out.name(entry.verdict().name());
        out.number(entry.judgedAtMs().orElse(-1));
    }

    static Ledger read(StateIn in) throws IOException {
        Ledger ledger = new Ledger();
        in.map(ledger.wrongInARowByGroup, in::name, in::count);
        ledger.resetWord = in.name();
        in.list(ledger.closed, () -> readEntry(in));
        for (Map<String, LedgerEntry> byGroup :
                List.of(ledger.openByGroup, ledger.unconfirmedByGroup, ledger.endIfConfirmedByGroup)) {
            List<LedgerEntry> entries = new ArrayList<>();
            in.list(entries, () -> readEntry(in));
            entries.forEach(entry -> byGroup.put(entry.group(), entry));
        }
        return ledger;
    }

    private static LedgerEntry readEntry(StateIn in) throws IOException {
        String group = in.name();
        long runAtMs = in.number();
        long actedAtMs = in.time();
        int moves = in.count();
        int notMade = in.count();
        Map<LoadDimension, Double> predicted = readValues(in);
        Map<LoadDimension, Double> bound = readValues(in);
        Map<LoadDimension, Double> observed = readValues(in);
        Verdict verdict = Verdict.valueOf(in.name());
        long judgedAtMs = in.number();
        return new LedgerEntry(
                group,
                runAtMs,
                actedAtMs,
                moves,
                notMade,
                predicted,
                bound,
                observed,
                verdict,
                judgedAtMs < 0 ? OptionalLong.empty() : OptionalLong.of(judgedAtMs));
    }

    private static Map<LoadDimension, Double> readValues(StateIn in) throws IOException {
        Map<LoadDimension, Double> values = new EnumMap<>(LoadDimension.class);
        in.map(values, () -> LoadDimension.valueOf(in.name()), in::decimal);
        return values;
    }
}
