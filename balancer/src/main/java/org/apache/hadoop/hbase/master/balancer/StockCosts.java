// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import java.lang.reflect.Field;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;

/**
 * The stock balancer's costs of one assignment of regions: by them it plans, and with them its plan is explained. Immutable.
 *
 * @param weighted cost times weight of each cost function, by its short name
 * @param weights the sum of all weights
 */
@NullMarked
record StockCosts(Map<String, Double> weighted, double weights) {

    /** What nobody has looked at. */
    static final StockCosts UNKNOWN = new StockCosts(Map.of(), 0);

    private static final int NAMED = 4;
    private static final double TOO_LITTLE = 0.0001;

    StockCosts {
        weighted = Map.copyOf(weighted);
    }

    /**
     * What the stock search weighs, which may be changed while HBase's lock is held. HBase 2.6 shows the field to a balancer that extends
     * the stock one; before, and in 3.0, it is private.
     *
     * @throws NoSuchFieldError where this HBase keeps its costs elsewhere, as for any other field that is not there
     */
    @SuppressWarnings("unchecked")
    static List<CostFunction> functions(StochasticLoadBalancer balancer) {
        try {
            Field costs = StochasticLoadBalancer.class.getDeclaredField("costFunctions");
            costs.setAccessible(true);
            return (List<CostFunction>) costs.get(balancer);
        } catch (ReflectiveOperationException changed) {
            LinkageError missing = new NoSuchFieldError("costFunctions");
            missing.initCause(changed);
            throw missing;
        }
    }

    /** As they are now. Under the balancer's lock, between the beginning of a search and the next one. */
    static StockCosts of(List<CostFunction> functions) {
        Map<String, Double> weighted = new LinkedHashMap<>();
        double weights = 0;
        for (CostFunction function : functions) {
            if (function.isNeeded() && function.getMultiplier() > 0) {
                String name = function.getClass().getSimpleName().replace("CostFunction", "");
                weighted.merge(name, function.cost() * function.getMultiplier(), Double::sum);
                weights += function.getMultiplier();
            }
        }
        return new StockCosts(weighted, weights);
    }

    /** From these costs to those, as a sentence without its full stop: the total, and what has most part in it. */
    String to(StockCosts after, int moves) {
        if (weights == 0) {
            return "its costs were not asked for";
        }
        String total = moves == 0
                ? String.format(Locale.ROOT, "its cost is %.4f", total())
                : String.format(Locale.ROOT, "its cost %.4f -> %.4f", total(), after.total());
        Map<String, Double> largest = new TreeMap<>();
        weighted.forEach((name, cost) -> largest.merge(name, cost / weights, Math::max));
        after.weighted.forEach((name, cost) -> largest.merge(name, cost / after.weights, Math::max));
        String parts = largest.entrySet().stream()
                .filter(part -> part.getValue() >= TOO_LITTLE)
                .sorted(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder()))
                .limit(NAMED)
                .map(part -> part(part.getKey(), after, moves))
                .collect(Collectors.joining(", "));
        return total + (parts.isEmpty() ? "" : " (" + parts + ")");
    }

    private String part(String name, StockCosts after, int moves) {
        return moves == 0
                ? String.format(Locale.ROOT, "%s %.4f", name, share(name))
                : String.format(Locale.ROOT, "%s %.4f -> %.4f", name, share(name), after.share(name));
    }

    private double share(String name) {
        return weights == 0 ? 0 : weighted.getOrDefault(name, 0.0) / weights;
    }

    private double total() {
        return weights == 0
                ? 0
                : weighted.values().stream().mapToDouble(Double::doubleValue).sum() / weights;
    }
}
