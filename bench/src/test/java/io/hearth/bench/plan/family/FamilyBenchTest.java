// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan.family;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.bench.plan.family.EvennessCertificate.ServerAbove;
import io.hearth.bench.plan.family.FamilyInstance.Size;
import io.hearth.common.model.LoadDimension;
import io.hearth.sim.oracle.PlanEvaluation;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FamilyBenchTest {

    private static final FamilyInstance CAPS = new FamilyInstance(ClusterFamily.CAPS, new Size(60, 80), 1);
    private static final Map<String, Double> NO_TIMES = Map.of();

    /** Bars for any planner: each family at a small size, whose plans break no rule and make it more even. */
    @ParameterizedTest
    @EnumSource(ClusterFamily.class)
    void aSmallClusterOfEachFamilyIsPlanned(ClusterFamily family) {
        AtomicLong nanos = new AtomicLong();
        FamilyInstance instance = new FamilyInstance(family, new Size(9, 20), 1);
        FamilyResult result = new FamilyBench(() -> nanos.addAndGet(2_000_000_000)).measure(instance);

        assertThat(result.problems()).isEmpty();
        assertThat(result.cpuMillis()).isEqualTo(2_000);
        for (LoadDimension dimension : instance.dimensions()) {
            assertThat(result.last().maxOverMean(dimension))
                    .as("%s of %s", dimension, instance.title())
                    .isGreaterThanOrEqualTo(result.bound(dimension) - 1e-9);
        }
        double before = worst(result, result.before());
        assertThat(worst(result, result.first())).isLessThanOrEqualTo(Math.max(before, 1.1));
        assertThat(FamilyResultTable.of(List.of(result))).contains(instance.title());
    }

    private static double worst(FamilyResult result, PlanEvaluation measured) {
        return result.instance().dimensions().stream()
                .mapToDouble(measured::maxOverMean)
                .max()
                .orElse(1);
    }

    private static PlanEvaluation after(int moves, double gigabytes) {
        Map<LoadDimension, Double> even = Map.of(LoadDimension.READS, 1.0);
        return new PlanEvaluation(moves, even, even, 80, 80, (long) (gigabytes * 1e9));
    }

    private static FamilyResult result(List<PlanEvaluation> plans, int movedTwice, List<ServerAbove> above) {
        return new FamilyResult(
                CAPS, after(0, 0), Map.of(LoadDimension.READS, 1.0), plans, movedTwice, above, List.of(), 20);
    }

    private static ServerAbove above(String host, boolean isExcused) {
        return new ServerAbove(host, LoadDimension.READS, 1.2, 1.05, "its region r alone is 1.100", isExcused);
    }

    @Test
    void whatHoldsIsNotMissed() {
        FamilyResult held = result(List.of(after(1_600, 100), after(0, 0)), 0, List.of(above("h1", true)));
        assertThat(FamilyViolations.of(List.of(held), Map.of("caps 60x80", 10.0)))
                .isEmpty();
    }

    @Test
    void eachThresholdThatDoesNotHoldIsNamedWithItsNumber() {
        FamilyResult missed =
                result(List.of(after(1_600, 1e6), after(17, 0), after(1, 0)), 3, List.of(above("h1", false)));

        assertThat(FamilyViolations.of(List.of(missed), Map.of("caps 60x80", 9.0)))
                .anySatisfy(line -> assertThat(line)
                        .isEqualTo("caps 60x80 seed 1: servers above what is asked without a certificate: 1; h1 has"
                                + " 1.200 of its share of reads, asked is 1.050: its region r alone is 1.100"))
                .contains("caps 60x80 seed 1: the second plan moves 17, the first 1600")
                .contains("caps 60x80 seed 1: plan 3 still moves 1")
                .contains("caps 60x80 seed 1: 3 regions move more than once")
                .anySatisfy(line -> assertThat(line)
                        .startsWith("the moves are 1.031 x the solver's in median over 1 clusters, above 1.03"))
                .anySatisfy(line -> assertThat(line).startsWith("caps 60x80: bytes to heal are 1000000 GB, above the "))
                .contains("caps 60x80: a plan takes 20.0 ms of processor time, above 2 x the 9.0 of random heat")
                .hasSize(7);
    }

    @Test
    void oneServerOfSixtyMayNeedACertificate() {
        FamilyResult two =
                result(List.of(after(1_600, 0)), 0, List.of(above("h1", true), above("h1", true), above("h2", true)));

        assertThat(FamilyViolations.of(List.of(two), NO_TIMES)).anySatisfy(line -> assertThat(line)
                .startsWith("caps 60x80 seed 1: servers above what is asked with a certificate: 2 of 60, more than 2 %;"
                        + " h1 has"));
    }

    @Test
    void figuresAreReadByTheirColumns() {
        RecordedFigures figures = RecordedFigures.of(
                List.of("family\tservers\tregions_per_server\tseed\tmoves", "caps\t60\t80\t1\t1570"));

        assertThat(figures.of(CAPS))
                .hasValueSatisfying(of -> assertThat(of.number("moves")).isEqualTo(1570));
        assertThat(RecordedFigures.ofSolver().of(CAPS))
                .hasValueSatisfying(of -> assertThat(of.number("moves")).isEqualTo(1570));
        assertThatThrownBy(() -> RecordedFigures.of(List.of("family\tseed", "caps")))
                .hasMessage("A line of figures has 1 columns, not 2: caps");
    }
}
