// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan.family;

import io.hearth.bench.plan.Statistics;
import io.hearth.bench.plan.family.FamilyInstance.Size;
import io.hearth.bench.threshold.ThresholdReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/** The clusters that are asked for, measured one after the other and printed family by family. Not thread-safe. */
public final class FamilySuite {

    /** Clusters of each family and size, unless another number is asked for. */
    public static final int DEFAULT_SEEDS = 10;

    private static final long WARM_UP_MS = 6_000;
    private static final int SEEDS_OF_RANDOM_HEAT = 3;
    private static final int SEEDS_OF_SOLVER = 3;

    private final Map<String, List<FamilyInstance>> rows;

    private FamilySuite(Map<String, List<FamilyInstance>> rows) {
        this.rows = rows;
    }

    /**
     * The clusters of these families, sizes and seeds.
     *
     * @param names of families; none means all
     * @param sizes such as {@code 60x80}; none means {@link Size#DEFAULTS}, and those at which the solver was measured
     * @throws IllegalArgumentException if there is no such family or size
     */
    public static FamilySuite of(Collection<String> names, Collection<String> sizes, List<Long> seeds) {
        List<ClusterFamily> families = names.isEmpty()
                ? List.of(ClusterFamily.values())
                : names.stream().map(FamilySuite::family).toList();
        List<Size> asked = sizes.isEmpty()
                ? Size.DEFAULTS
                : sizes.stream().map(FamilySuite::size).toList();
        Set<FamilyInstance> instances = new LinkedHashSet<>();
        for (Size size : asked) {
            for (ClusterFamily family : families) {
                seeds.forEach(seed -> instances.add(new FamilyInstance(family, size, seed)));
                if (size.equals(Size.DEFAULTS.get(0))) {
                    solverSize(family).ifPresent(other -> seeds.stream()
                            .filter(seed -> seed <= SEEDS_OF_SOLVER)
                            .forEach(seed -> instances.add(new FamilyInstance(family, other, seed))));
                }
            }
        }
        Map<String, List<FamilyInstance>> rows = new LinkedHashMap<>();
        for (FamilyInstance instance : instances) {
            rows.computeIfAbsent(FamilyThresholds.row(instance), any -> new ArrayList<>())
                    .add(instance);
        }
        return new FamilySuite(rows);
    }

    private static ClusterFamily family(String name) {
        return ClusterFamily.labelled(name)
                .orElseThrow(() -> new IllegalArgumentException(
                        "--family is " + name + "; allowed are " + String.join(", ", ClusterFamily.labels())));
    }

    private static Size size(String text) {
        return Size.read(text)
                .orElseThrow(
                        () -> new IllegalArgumentException(
                                "--sizes has " + text
                                        + "; with --families a size is servers and regions of each, such as 60x80, with 3 servers or more"));
    }

    /** Where the solver was measured on another size. */
    private static Optional<Size> solverSize(ClusterFamily family) {
        return switch (family) {
            case READS1 -> Optional.of(new Size(20, 100));
            case SIGMA1 -> Optional.of(new Size(100, 100));
            case FAST20,
                    CAPS,
                    ANTI,
                    BIMODAL,
                    REPLICAS,
                    SIGMA15,
                    HOT_TABLE,
                    GIANTS,
                    DOUBLED,
                    EMPTY_RACK,
                    GROUP3,
                    GROUP60 -> Optional.empty();
        };
    }

    /**
     * Measures and prints all of them.
     *
     * @param cpuNanoTime the processor time of this thread, in nanoseconds
     * @param file where the figures are written too, as a file of figures
     * @return all figures, and what does not hold
     * @throws UncheckedIOException if the file can't be written
     */
    public ThresholdReport run(PrintWriter out, LongSupplier cpuNanoTime, Optional<Path> file) {
        FamilyBench bench = new FamilyBench(cpuNanoTime);
        bench.warmUp(WARM_UP_MS);
        List<FamilyResult> results = new ArrayList<>();
        Map<String, Double> millisOfRandomHeat = new HashMap<>();
        Map<Size, Double> millisBySize = new HashMap<>();
        rows.forEach((row, instances) -> {
            Size random = instances.get(0).withRandomHeat().size();
            millisOfRandomHeat.put(row, millisBySize.computeIfAbsent(random, size -> millis(bench, size)));
            List<FamilyResult> ofRow = instances.stream().map(bench::measure).toList();
            out.println(FamilyResultTable.of(ofRow));
            out.println();
            out.flush();
            results.addAll(ofRow);
        });
        file.ifPresent(path -> write(path, results));
        return FamilyThresholds.of(results, millisOfRandomHeat);
    }

    private static double millis(FamilyBench bench, Size size) {
        List<Double> millis = new ArrayList<>();
        for (long seed = 1; seed <= SEEDS_OF_RANDOM_HEAT; seed++) {
            millis.add(bench.millisOfRandomHeat(new FamilyInstance(ClusterFamily.SIGMA1, size, seed)));
        }
        return Statistics.median(millis, each -> each);
    }

    private static void write(Path file, List<FamilyResult> results) {
        try {
            Files.write(file, FamilyResultTable.lines(results));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
