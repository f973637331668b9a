// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb.stream;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Which share of all points each metric has: few have most, by Zipf's law with YCSB's constant, and those that are wanted hot come first. Pure.
 */
public final class MetricShares {

    /** YCSB's. */
    private static final double ZIPFIAN_CONSTANT = 0.99;

    private MetricShares() {}

    /**
     * Shares that sum to 1.
     *
     * @param isHot the metrics that have the first ranks among themselves, as those whose regions one server has
     * @param seed shuffles the ranks of the hot ones, and those of the others
     */
    public static List<Double> of(int metrics, IntPredicate isHot, long seed) {
        Random random = new Random(seed);
        List<Integer> byRank = new ArrayList<>();
        for (boolean hot : new boolean[] {true, false}) {
            List<Integer> some = new ArrayList<>(IntStream.range(0, metrics)
                    .filter(metric -> isHot.test(metric) == hot)
                    .boxed()
                    .toList());
            Collections.shuffle(some, random);
            byRank.addAll(some);
        }
        double sum =
                IntStream.range(0, metrics).mapToDouble(MetricShares::weight).sum();
        Double[] shares = new Double[metrics];
        for (int rank = 0; rank < metrics; rank++) {
            shares[byRank.get(rank)] = weight(rank) / sum;
        }
        return List.of(shares);
    }

    private static double weight(int rank) {
        return Math.pow(rank + 1, -ZIPFIAN_CONSTANT);
    }
}
