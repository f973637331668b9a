package io.hearth.sim;

import io.hearth.balancer.load.RegionId;
import io.hearth.sim.History.Done;
import io.hearth.sim.History.Sample;
import io.hearth.sim.scenario.Expectation;
import io.hearth.sim.scenario.Expectation.BytesMoved;
import io.hearth.sim.scenario.Expectation.MaxOverMean;
import io.hearth.sim.scenario.Expectation.Moves;
import io.hearth.sim.scenario.Expectation.MovesInAny;
import io.hearth.sim.scenario.Expectation.MovesOfOneRegion;
import io.hearth.sim.scenario.Expectation.MovesTo;
import io.hearth.sim.scenario.Expectation.ReplicasApart;
import io.hearth.sim.scenario.Expectation.Returns;
import io.hearth.sim.scenario.Expectation.SaysSplit;
import io.hearth.sim.scenario.Expectation.SomeMoves;
import io.hearth.sim.scenario.Expectation.Stays;
import io.hearth.sim.scenario.Times;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Whether one expectation holds, and what was got. Immutable.
 *
 * @param expected the sentence of the scenario file
 * @param got what happened in its stead, or as well
 */
public record Judgement(String expected, boolean holds, String got) {

    /** Every expectation of a scenario, held against a run. */
    public static List<Judgement> of(List<Expectation> expectations, History history) {
        return expectations.stream()
                .map(expectation -> of(expectation, history))
                .toList();
    }

    private static Judgement of(Expectation expectation, History history) {
        if (expectation instanceof MaxOverMean skew) {
            return maxOverMean(skew, history);
        }
        if (expectation instanceof Moves moves) {
            return atMost(moves.text(), history.moves(moves.during()).size(), moves.most());
        }
        if (expectation instanceof MovesTo moves) {
            long got = history.moves(moves.during()).stream()
                    .filter(move -> move.to().host().equals(SimServer.host(moves.server())))
                    .count();
            return atMost(moves.text(), (int) got, moves.most());
        }
        if (expectation instanceof SomeMoves moves) {
            int got = history.moves(moves.during()).size();
            return new Judgement(moves.text(), got >= moves.fewest(), Integer.toString(got));
        }
        if (expectation instanceof MovesInAny moves) {
            return atMost(moves.text(), history.mostMovesWithin(moves.withinMs()), moves.most());
        }
        if (expectation instanceof BytesMoved moved) {
            long bytes = history.moves(moved.during()).stream()
                    .mapToLong(Done::bytes)
                    .sum();
            return new Judgement(moved.text(), bytes <= moved.most(), (bytes >> 30) + " GB");
        }
        if (expectation instanceof MovesOfOneRegion moves) {
            return atMost(moves.text(), history.mostMovesOfOneRegion(moves.withinMs()), moves.most());
        }
        if (expectation instanceof Returns returns) {
            return atMost(returns.text(), history.returns(returns.withinMs()), returns.most());
        }
        if (expectation instanceof Stays stays) {
            RegionId region = RegionMaker.regionId(stays.table(), stays.region());
            long moves = history.moves(stays.during()).stream()
                    .filter(move -> move.region().equals(region))
                    .count();
            return atMost(stays.text(), (int) moves, 0);
        }
        if (expectation instanceof ReplicasApart apart) {
            return atMost(apart.text(), history.replicasTogetherMs().size(), 0);
        }
        if (expectation instanceof SaysSplit split) {
            boolean said = history.toSplit().contains(RegionMaker.regionId(split.table(), split.region()));
            return new Judgement(split.text(), said, said ? "it does" : "it says so of " + history.toSplit());
        }
        throw new IllegalArgumentException("Nobody can judge " + expectation);
    }

    private static Judgement atMost(String text, int got, int most) {
        return new Judgement(text, got <= most, Integer.toString(got));
    }

    private static Judgement maxOverMean(MaxOverMean skew, History history) {
        Comparator<Sample> byValue = Comparator.comparingDouble(sample -> sample.maxOverMean(skew.dimension()));
        Optional<Sample> worst =
                history.samples(skew.during()).stream().max(skew.isAtMost() ? byValue : byValue.reversed());
        if (worst.isEmpty()) {
            return new Judgement(skew.text(), false, "no sample in that time");
        }
        double value = worst.get().maxOverMean(skew.dimension());
        boolean holds = skew.isAtMost() ? value <= skew.limit() : value >= skew.limit();
        String got = String.format(
                Locale.ROOT, "%.3f at %s", value, Times.text(worst.get().timeMs()));
        return new Judgement(skew.text(), holds, got);
    }
}
