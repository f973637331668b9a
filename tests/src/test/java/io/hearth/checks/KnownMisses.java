// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.checks;

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
    private static final String MULTIGETS = ", multigets: p99 while healing is ";

    private static final List<String> OF_CLUSTER = List.of(
            CRASH.description() + GETS,
            CRASH.description() + MULTIGETS,
            HOST_ADDED.description() + TIME,
            HOST_ADDED.description() + GETS,
            HOST_ADDED.description() + MULTIGETS,
            MOVED.title() + TIME,
            MOVED.title() + READ_LOCALLY,
            RETURNED.title() + READ_LOCALLY,
            MOVED.title() + GETS,
            MOVED.title() + MULTIGETS);

    private static final String SMALL_PLAN = "20 x 2,000, several: the plan takes ";

    /** What is more than this is not known: three times what is asked for. */
    private static final Map<String, Double> MOST = Map.of(SMALL_PLAN, 180.0);

    private static final Pattern FIGURE = Pattern.compile("[0-9.]+");

    private static final Map<String, List<String>> BY_BENCHMARK = Map.of(
            "cluster",
            OF_CLUSTER,
            "plan",
            List.of(SMALL_PLAN),
            "metrics-update",
            List.of("an update every 10 s, mean: "),
            "heat",
            List.of("heap of one region: "),
            "read-cache",
            List.of("  p95 of 64 clients, on over off: "),
            FAMILIES,
            List.of(
                    "giants 60x80 seed 3: servers above what is asked ",
                    "caps 60x80: bytes to heal are ",
                    "fast20 60x80: a plan takes ",
                    "caps 60x80: a plan takes ",
                    "giants 60x80: a plan takes ",
                    "doubled 60x80: a plan takes ",
                    "emptyrack 60x80: a plan takes "));

    private static final String MISSED = "MISSED  ";

    private KnownMisses() {}

    /** How many there are of this benchmark. */
    public static int count(String benchmark) {
        return of(benchmark).size();
    }

    private static List<String> of(String benchmark) {
        return BY_BENCHMARK.getOrDefault(benchmark, List.of());
    }

    /** The lines of such a run's output that say what was missed. */
    static List<String> missed(String output) {
        return output.lines()
                .filter(line -> line.startsWith(MISSED))
                .map(line -> line.substring(MISSED.length()))
                .toList();
    }

    /** What this benchmark missed and is not known to miss. */
    static List<String> unknown(String benchmark, String output) {
        return missed(output).stream()
                .filter(line -> of(benchmark).stream().noneMatch(miss -> isMissed(miss, line)))
                .toList();
    }

    private static boolean isMissed(String miss, String line) {
        return line.startsWith(miss) && (!MOST.containsKey(miss) || figure(line, miss.length()) <= MOST.get(miss));
    }

    private static double figure(String line, int from) {
        Matcher figure = FIGURE.matcher(line).region(from, line.length());
        return figure.lookingAt() ? Double.parseDouble(figure.group()) : Double.POSITIVE_INFINITY;
    }
}
