// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.load;

import io.hearth.testkit.measure.WeightedChoice;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import site.ycsb.generator.NumberGenerator;

/** Row numbers by a weight for each part of a table, its regions, and within one all rows alike. Not thread-safe. */
public final class RegionWeights extends NumberGenerator {

    /** YCSB's constant. */
    private static final double ZIPF_EXPONENT = 0.99;

    private final WeightedChoice regions;
    private final long rowsPerRegion;
    private final double mean;
    private final SplittableRandom random;

    private RegionWeights(List<Double> weights, long rows, long seed) {
        regions = new WeightedChoice(weights);
        rowsPerRegion = rows / weights.size();
        random = new SplittableRandom(seed);
        double sum = weights.stream().mapToDouble(Double::doubleValue).sum();
        mean = IntStream.range(0, weights.size())
                        .mapToDouble(region -> weights.get(region) * (region + 0.5))
                        .sum()
                / sum
                * rowsPerRegion;
    }

    /** The first region most, the others by Zipf's law. */
    static RegionWeights zipf(int regions, long rows, long seed) {
        return new RegionWeights(zipfWeights(regions), rows, seed);
    }

    /** By a lognormal draw with a sigma of 1 for each region. */
    static RegionWeights lognormal(int regions, long rows, long seed) {
        return new RegionWeights(lognormalWeights(regions, seed), rows, seed);
    }

    /** How often each region is asked, in no unit: those of {@link LoadProfile.KeyDistribution#ZIPFIAN_REGIONS}. */
    public static List<Double> zipfWeights(int regions) {
        return IntStream.rangeClosed(1, regions)
                .mapToObj(rank -> Math.pow(rank, -ZIPF_EXPONENT))
                .toList();
    }

    /** How often each region is asked, in no unit: what {@link LoadProfile.KeyDistribution#LOGNORMAL_REGIONS} draws with that seed. */
    public static List<Double> lognormalWeights(int regions, long seed) {
        SplittableRandom draws = new SplittableRandom(seed);
        return IntStream.range(0, regions)
                .mapToObj(region -> Math.exp(draws.nextGaussian()))
                .toList();
    }

    @Override
    public Number nextValue() {
        long row = regions.at(random.nextDouble()) * rowsPerRegion + random.nextLong(rowsPerRegion);
        setLastValue(row);
        return row;
    }

    @Override
    public double mean() {
        return mean;
    }
}
