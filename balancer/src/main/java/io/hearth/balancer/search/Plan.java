package io.hearth.balancer.search;

import io.hearth.balancer.load.LoadDimension;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/**
 * The moves that make a snapshot even, with what they change and what could not be changed. Immutable.
 *
 * @param moves in the order in which they help most
 * @param maxOverMeanBefore max/mean of the servers' loads in each dimension, as the snapshot has it
 * @param maxOverMeanAfter the same when every move is done
 * @param notMoved the hottest region of each server that stays above its share
 */
public record Plan(
        List<PlannedMove> moves,
        Map<LoadDimension, Double> maxOverMeanBefore,
        Map<LoadDimension, Double> maxOverMeanAfter,
        List<NotMoved> notMoved) {

    public Plan {
        moves = List.copyOf(moves);
        maxOverMeanBefore = Map.copyOf(maxOverMeanBefore);
        maxOverMeanAfter = Map.copyOf(maxOverMeanAfter);
        notMoved = List.copyOf(notMoved);
    }

    /** One line for the log: {@code 7 moves; max/mean of reads 3.31 -> 1.02, writes 3.20 -> 1.03, store size ...}. */
    public String summary() {
        StringJoiner dimensions = new StringJoiner(", ");
        for (LoadDimension dimension : LoadDimension.values()) {
            dimensions.add(String.format(
                    Locale.ROOT,
                    "%s %.2f -> %.2f",
                    dimension.label(),
                    maxOverMeanBefore.getOrDefault(dimension, 1.0),
                    maxOverMeanAfter.getOrDefault(dimension, 1.0)));
        }
        return moves.size() + (moves.size() == 1 ? " move" : " moves") + "; max/mean of " + dimensions;
    }
}
