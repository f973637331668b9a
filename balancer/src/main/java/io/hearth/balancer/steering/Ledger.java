package io.hearth.balancer.steering;

import io.hearth.balancer.config.SteeringConfig;
import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.steering.LedgerEntry.Verdict;
import io.hearth.balancer.steering.SteeringNews.Kind;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

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
    private final Map<String, Integer> wrongInARowByGroup = new TreeMap<>();
    private String resetWord = "";

    /** A plan of this run will be acted on; a later plan of the same run takes the prediction over. */
    void acted(
            String group,
            long runAtMs,
            int moves,
            Map<LoadDimension, Double> predicted,
            Map<LoadDimension, Double> triggers,
            long nowMs,
            double factor) {
        LedgerEntry before = openRun(group).equals(OptionalLong.of(runAtMs)) ? openByGroup.get(group) : null;
        Map<LoadDimension, Double> bound = new EnumMap<>(LoadDimension.class);
        triggers.forEach((dimension, trigger) -> {
            double excess = Math.max(predicted.getOrDefault(dimension, 1.0), trigger) - 1;
            bound.put(dimension, 1 + factor * excess);
        });
        openByGroup.put(
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

    /** The run over this group that is not judged yet, by the time at which it began. */
    OptionalLong openRun(String group) {
        LedgerEntry open = openByGroup.get(group);
        return open == null ? OptionalLong.empty() : OptionalLong.of(open.runAtMs());
    }

    void moveNotMade(long runAtMs) {
        openByGroup.replaceAll((group, entry) -> entry.runAtMs() == runAtMs ? entry.withMoveNotMade() : entry);
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

    /** The next run over this group acts: judges the open one at the latest now. */
    void nextRunActs(
            String group, Map<LoadDimension, Double> maxOverMean, boolean isUnderWay, long nowMs, NewsBox news) {
        LedgerEntry entry = openByGroup.get(group);
        if (entry != null) {
            close(isUnderWay ? entry.overtaken(nowMs) : entry.judged(maxOverMean, nowMs), nowMs, news);
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

    /** Forgets what was wrong; says whether that had made Hearth only advise. */
    boolean forgive() {
        boolean onlyAdvised = isAdviseOnly();
        wrongInARowByGroup.clear();
        return onlyAdvised;
    }

    /** Every run that is kept, oldest first. */
    List<LedgerEntry> entries() {
        Deque<LedgerEntry> all = new ArrayDeque<>(closed);
        all.addAll(openByGroup.values());
        return List.copyOf(all);
    }

    void write(StateOut out) throws IOException {
        out.map(wrongInARowByGroup, out::name, out::count);
        out.name(resetWord);
        List<LedgerEntry> entries = entries();
        out.list(entries, entries.size(), entry -> write(out, entry));
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
        while (!ledger.closed.isEmpty() && ledger.closed.getLast().verdict() == Verdict.OPEN) {
            LedgerEntry open = ledger.closed.removeLast();
            ledger.openByGroup.put(open.group(), open);
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
