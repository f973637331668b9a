package io.hearth.balancer.tracking;

import io.hearth.balancer.tracking.Prediction.Outcome;
import io.hearth.common.model.LoadDimension;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** One entry of the ledger as bytes for the next master. */
final class PredictionCodec {

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
