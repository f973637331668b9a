// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * How fast so many DataNodes were healed. Immutable.
 *
 * @param heals in their order: one size after the other, again and again
 */
public record LinearityResult(List<SizedHeal> heals) {

    public LinearityResult {
        heals = List.copyOf(heals);
    }

    /**
     * One heal in which each DataNode has as many bytes to receive as to send.
     *
     * @param copiedSeconds from when it was asked for until the last block was local; infinity where it was not within the limit
     * @param confirmedSeconds until no block had more replicas than wanted
     * @param estimated seconds that the dry run said; absent where there was nothing to move
     */
    public record SizedHeal(
            int dataNodes, long bytes, double copiedSeconds, double confirmedSeconds, OptionalDouble estimated) {

        double bytesPerSecond() {
            return bytes / copiedSeconds;
        }
    }

    /** The median of the bytes per second, by how many DataNodes took part. */
    Map<Integer, Double> bytesPerSecondByDataNodes() {
        Map<Integer, Double> rates = new TreeMap<>();
        heals.stream()
                .mapToInt(SizedHeal::dataNodes)
                .distinct()
                .forEach(size -> rates.put(
                        size,
                        median(heals.stream()
                                        .filter(heal -> heal.dataNodes() == size)
                                        .mapToDouble(SizedHeal::bytesPerSecond)
                                        .toArray())
                                .orElseThrow()));
        return rates;
    }

    /** The least of all ratios of a size's bytes per second for each DataNode to those of a smaller size; absent where there is one size. */
    OptionalDouble leastOfLinear() {
        Map<Integer, Double> rates = bytesPerSecondByDataNodes();
        return rates.entrySet().stream()
                .flatMap(larger -> rates.entrySet().stream()
                        .filter(smaller -> smaller.getKey() < larger.getKey())
                        .map(smaller -> larger.getValue() / larger.getKey() / (smaller.getValue() / smaller.getKey())))
                .mapToDouble(Double::doubleValue)
                .min();
    }

    /** The median of the time until all was confirmed over the estimate; absent where there was none. */
    OptionalDouble medianOfEstimate() {
        return median(heals.stream()
                .filter(heal -> heal.estimated().isPresent())
                .mapToDouble(heal -> heal.confirmedSeconds() / heal.estimated().getAsDouble())
                .toArray());
    }

    private static OptionalDouble median(double[] values) {
        Arrays.sort(values);
        return values.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(values[values.length / 2]);
    }
}
