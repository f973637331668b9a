// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.checks;

import static io.hearth.bench.cluster.Scale.BenchmarkStage.LINEARITY;
import static io.hearth.bench.cluster.Scale.BenchmarkStage.MOVED;
import static io.hearth.bench.cluster.Scale.BenchmarkStage.RETURNED;
import static io.hearth.bench.cluster.VariantResult.TopologyEvent.CRASH;
import static io.hearth.bench.cluster.VariantResult.TopologyEvent.HOST_ADDED;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The thresholds of benchmarks that are known to be missed, by the beginnings of the lines that say so: docs/benchmarks.md has the figures and
 * the reasons. One that holds all the same is no fault: figures near a threshold go to and fro.
 */
public final class KnownMisses {

    /** The benchmark of families of clusters, on those of 60 servers. */
    public static final String FAMILIES = "plan --families --sizes 60x80 --seeds 3";

    private static final String TIME = ": all is local after ";
    private static final String READ_LOCALLY = ": all is read locally after ";
    private static final String GETS = ", gets: p99 while healing is ";
    private static final String DELETING = " while old replicas are deleted is ";
    private static final String MULTIGETS = ", multigets: p99 while healing is ";

    /** Healing that takes as long as major compactions is worth nothing. */
    private static final double AS_COMPACTION = 1;

    /** What chance adds to the largest ratios of docs/benchmarks.md: a quarter. */
    private static final double MOST_P99 = 2.75;

    private static final double MOST_P999 = 8;
    private static final double MOST_P999_LATER = 3.3;

    private static final double MOST_READ_LOCALLY = 2;

    private static final List<Miss> OF_CLUSTER = List.of(
            new Miss(CRASH.description() + GETS, MOST_P99),
            new Miss(CRASH.description() + MULTIGETS, MOST_P99),
            new Miss(HOST_ADDED.description() + TIME, AS_COMPACTION),
            new Miss(HOST_ADDED.description() + GETS, MOST_P99),
            new Miss(HOST_ADDED.description() + MULTIGETS, MOST_P99),
            new Miss(MOVED.title() + TIME, AS_COMPACTION),
            new Miss(MOVED.title() + READ_LOCALLY, MOST_READ_LOCALLY),
            new Miss(RETURNED.title() + READ_LOCALLY, MOST_READ_LOCALLY),
            new Miss(MOVED.title() + GETS, MOST_P99),
            new Miss(MOVED.title() + MULTIGETS, MOST_P99),
            new Miss(MOVED.title() + ", gets: p99.9 while healing is ", MOST_P999),
            new Miss(MOVED.title() + ", multigets: p99.9 while healing is ", MOST_P999),
            new Miss(MOVED.title() + ", gets: p99.9" + DELETING, MOST_P999_LATER),
            new Miss(MOVED.title() + ", multigets: p99" + DELETING, 1.6),
            new Miss(MOVED.title() + ", multigets: p99.9" + DELETING, MOST_P999_LATER),
            new Miss(LINEARITY.title() + ": bytes per second grow ", 0.85, 0.9));

    private static final Map<String, List<Miss>> BY_BENCHMARK = Map.of(
            "cluster",
            OF_CLUSTER,
            "plan",
            // Three times what is asked for.
            List.of(new Miss("20 x 2,000, several: the plan takes ", 180)),
            "metrics-update",
            List.of(new Miss("an update every 10 s, mean: ", 1.45)),
            "read-cache",
            List.of(new Miss("  p95 of 64 clients, on over off: ", 1.3)),
            FAMILIES,
            List.of(
                    new Miss("giants 60x80 seed 3: servers above what is asked ", 1),
                    new Miss("caps 60x80: bytes to heal are ", 4_900),
                    new Miss("fast20 60x80: a plan takes ", 2.75),
                    new Miss("caps 60x80: a plan takes ", 2.75),
                    new Miss("giants 60x80: a plan takes ", 5),
                    new Miss("doubled 60x80: a plan takes ", 5),
                    new Miss("emptyrack 60x80: a plan takes ", 5)));

    private static final Pattern FIGURE = Pattern.compile("([0-9][0-9,.]*[0-9]|[0-9])");

    /** The figure that one is compared with, in multiples of which it is judged. */
    private static final Pattern COMPARED = Pattern.compile(", above [0-9.]+ x the ([0-9.]+) ");

    /**
     * A threshold that is known to be missed.
     *
     * @param beginning of the line that says so; the figure follows
     * @param least below this the miss is another one than that which is known: in the figure's unit, or, where the line compares it with
     *     another figure, in multiples of that
     * @param most the same of what is above it
     */
    private record Miss(String beginning, double least, double most) {

        Miss(String beginning, double most) {
            this(beginning, 0, most);
        }

        boolean is(String line) {
            return line.startsWith(beginning) && figure(line) >= least && figure(line) <= most;
        }

        private double figure(String line) {
            Matcher figure = FIGURE.matcher(line).region(beginning.length(), line.length());
            if (!figure.find()) {
                return Double.POSITIVE_INFINITY;
            }
            Matcher compared = COMPARED.matcher(line);
            return number(figure.group(1)) / (compared.find() ? number(compared.group(1)) : 1);
        }

        private static double number(String text) {
            return Double.parseDouble(text.replace(",", ""));
        }
    }

    private static final String MISSED = "MISSED  ";

    private KnownMisses() {}

    /** How many there are of this benchmark. */
    public static int count(String benchmark) {
        return of(benchmark).size();
    }

    private static List<Miss> of(String benchmark) {
        return BY_BENCHMARK.getOrDefault(benchmark, List.of());
    }

    /** The lines of such a run's output that say what was missed. */
    static List<String> missed(String output) {
        return output.lines()
                .filter(line -> line.startsWith(MISSED))
                .map(line -> line.substring(MISSED.length()))
                .toList();
    }

    /** What this benchmark missed and is not known to miss, or not by as much. */
    static List<String> unknown(String benchmark, String output) {
        return missed(output).stream()
                .filter(line -> of(benchmark).stream().noneMatch(miss -> miss.is(line)))
                .toList();
    }
}
