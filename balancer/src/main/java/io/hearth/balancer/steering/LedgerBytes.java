package io.hearth.balancer.steering;

import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.steering.LedgerEntry.Verdict;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** One entry of the ledger as bytes for the next master. */
final class LedgerBytes {

    private LedgerBytes() {}

    static void write(StateOut out, LedgerEntry entry) throws IOException {
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

    static LedgerEntry read(StateIn in) throws IOException {
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
