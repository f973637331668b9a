// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.sim.SimHistory.ExecutedMove;
import io.hearth.sim.SimHistory.Sample;
import io.hearth.sim.scenario.Expectation;
import io.hearth.sim.scenario.Expectation.BytesHealed;
import io.hearth.sim.scenario.Expectation.BytesMoved;
import io.hearth.sim.scenario.Expectation.Locality;
import io.hearth.sim.scenario.Expectation.MaxOverMean;
import io.hearth.sim.scenario.Expectation.MinMoves;
import io.hearth.sim.scenario.Expectation.Moves;
import io.hearth.sim.scenario.Expectation.MovesInAny;
import io.hearth.sim.scenario.Expectation.MovesOfOneRegion;
import io.hearth.sim.scenario.Expectation.MovesTo;
import io.hearth.sim.scenario.Expectation.RecommendsSplit;
import io.hearth.sim.scenario.Expectation.ReplicasApart;
import io.hearth.sim.scenario.Expectation.Returns;
import io.hearth.sim.scenario.Expectation.Stays;
import io.hearth.sim.scenario.ScenarioDurations;
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
public record ExpectationResult(String expected, boolean holds, String got) {

    /** Every expectation of a scenario, held against a run. */
    public static List<ExpectationResult> of(List<Expectation> expectations, SimHistory history) {
        return expectations.stream()
                .map(expectation -> of(expectation, history))
                .toList();
    }

    private static ExpectationResult of(Expectation expectation, SimHistory history) {
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
        if (expectation instanceof MinMoves moves) {
            int got = history.moves(moves.during()).size();
            return new ExpectationResult(moves.text(), got >= moves.fewest(), Integer.toString(got));
        }
        if (expectation instanceof MovesInAny moves) {
            return atMost(moves.text(), history.mostMovesWithin(moves.withinMs()), moves.most());
        }
        if (expectation instanceof Locality locality) {
            return locality(locality, history);
        }
        if (expectation instanceof BytesHealed healed) {
            long bytes = history.healedBytes();
            return new ExpectationResult(healed.text(), bytes <= healed.most(), (bytes >> 30) + " GB");
        }
        if (expectation instanceof BytesMoved moved) {
            long bytes = history.moves(moved.during()).stream()
                    .mapToLong(ExecutedMove::bytes)
                    .sum();
            return new ExpectationResult(moved.text(), bytes <= moved.most(), (bytes >> 30) + " GB");
        }
        if (expectation instanceof MovesOfOneRegion moves) {
            return atMost(moves.text(), history.mostMovesOfOneRegion(moves.withinMs()), moves.most());
        }
        if (expectation instanceof Returns returns) {
            return atMost(returns.text(), history.returns(returns.withinMs()), returns.most());
        }
        if (expectation instanceof Stays stays) {
            EncodedRegionName region = RegionGenerator.encodedRegionName(stays.table(), stays.region());
            long moves = history.moves(stays.during()).stream()
                    .filter(move -> move.region().equals(region))
                    .count();
            return atMost(stays.text(), (int) moves, 0);
        }
        if (expectation instanceof ReplicasApart apart) {
            return atMost(apart.text(), history.replicasTogetherMs().size(), 0);
        }
        if (expectation instanceof RecommendsSplit split) {
            boolean said = history.toSplit().contains(RegionGenerator.encodedRegionName(split.table(), split.region()));
            return new ExpectationResult(split.text(), said, said ? "it does" : "it says so of " + history.toSplit());
        }
        throw new IllegalArgumentException("Nobody can judge " + expectation);
    }

    private static ExpectationResult atMost(String text, int got, int most) {
        return new ExpectationResult(text, got <= most, Integer.toString(got));
    }

    private static ExpectationResult locality(Locality locality, SimHistory history) {
        return history.samples(locality.during()).stream()
                .min(Comparator.comparingDouble(Sample::locality))
                .map(worst -> new ExpectationResult(
                        locality.text(),
                        worst.locality() >= locality.least(),
                        String.format(
                                Locale.ROOT,
                                "%.1f %% at %s",
                                100 * worst.locality(),
                                ScenarioDurations.text(worst.timeMs()))))
                .orElseGet(() -> new ExpectationResult(locality.text(), false, "no sample in that time"));
    }

    private static ExpectationResult maxOverMean(MaxOverMean skew, SimHistory history) {
        Comparator<Sample> byValue = Comparator.comparingDouble(sample -> sample.maxOverMean(skew.dimension()));
        Optional<Sample> worst =
                history.samples(skew.during()).stream().max(skew.isAtMost() ? byValue : byValue.reversed());
        if (worst.isEmpty()) {
            return new ExpectationResult(skew.text(), false, "no sample in that time");
        }
        double value = worst.get().maxOverMean(skew.dimension());
        boolean holds = skew.isAtMost() ? value <= skew.limit() : value >= skew.limit();
        String got = String.format(
                Locale.ROOT,
                "%.3f at %s",
                value,
                ScenarioDurations.text(worst.get().timeMs()));
        return new ExpectationResult(skew.text(), holds, got);
    }
}
