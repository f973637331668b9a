package io.hearth.balancer.steering;

import io.hearth.balancer.steering.LedgerEntry.Verdict;
import io.hearth.balancer.steering.SteeringNews.Kind;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Counts, for each group of servers, the runs in a row that came out otherwise than their plans said. After {@value
 * #WRONG_IN_A_ROW} of them Hearth only advises, until a person says otherwise. Not thread-safe.
 */
final class WrongRuns {

    private static final int WRONG_IN_A_ROW = 2;

    private final Map<String, Integer> inARowByGroup = new TreeMap<>();
    private String resetWord = "";

    /** A run came out as predicted; what is wrong often enough stays wrong. */
    void right(String group) {
        if (!isAdviseOnly()) {
            inARowByGroup.remove(group);
        }
    }

    /** A run did not; it is the last of the entries that are kept. */
    void wrong(LedgerEntry entry, Collection<LedgerEntry> kept, long nowMs, NewsBox news) {
        boolean actsStill = !isAdviseOnly();
        inARowByGroup.merge(entry.group(), 1, Integer::sum);
        news.add(nowMs, Kind.RUN_WRONG, "A run of " + entry.moves() + " moves came out otherwise: " + entry.misses());
        if (actsStill) {
            adviseOnly(kept).ifPresent(reason -> news.add(nowMs, Kind.ADVISE_ONLY, reason));
        }
    }

    private boolean isAdviseOnly() {
        return inARowByGroup.values().stream().anyMatch(wrong -> wrong >= WRONG_IN_A_ROW);
    }

    /**
     * Why Hearth only advises, if so.
     *
     * @param kept the entries that are kept, oldest first
     */
    Optional<String> adviseOnly(Collection<LedgerEntry> kept) {
        return isAdviseOnly()
                ? Optional.of(WRONG_IN_A_ROW + " runs in a row came out otherwise than predicted; the last: "
                        + lastMisses(kept)
                        + ". Set hearth.balancer.ledger.reset to another word than '" + resetWord
                        + "' to let Hearth act again")
                : Optional.empty();
    }

    private static String lastMisses(Collection<LedgerEntry> kept) {
        return kept.stream()
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
            inARowByGroup.clear();
        }
        resetWord = word;
    }

    /** Forgets what was wrong; says whether that had made Hearth only advise. */
    boolean forgive() {
        boolean onlyAdvised = isAdviseOnly();
        inARowByGroup.clear();
        return onlyAdvised;
    }

    void write(StateOut out) throws IOException {
        out.map(inARowByGroup, out::name, out::count);
        out.name(resetWord);
    }

    static WrongRuns read(StateIn in) throws IOException {
        WrongRuns runs = new WrongRuns();
        in.map(runs.inARowByGroup, in::name, in::count);
        runs.resetWord = in.name();
        return runs;
    }
}
