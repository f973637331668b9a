package io.hearth.bench.cluster;

import io.hearth.load.LatencySummary;
import java.util.List;

/**
 * What came of all rounds. Immutable.
 *
 * @param seconds until all was home, of each round; infinity where it was not within the limit
 * @param nonLocalBytes of all rounds
 * @param getsBefore in the quiet times before the rounds, all together
 * @param getsHealing while data came home
 */
public record RoundsResult(
        List<Double> seconds,
        long nonLocalBytes,
        LatencySummary getsBefore,
        LatencySummary getsHealing,
        LatencySummary multigetsBefore,
        LatencySummary multigetsHealing) {

    public RoundsResult {
        seconds = List.copyOf(seconds);
    }

    /** The median of the rounds, the longer one of two; infinity where half of them did not end. */
    double medianSeconds() {
        List<Double> sorted = seconds.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }
}
