// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan.family;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.bench.plan.family.EvennessCertificate.ServerAbove;
import io.hearth.bench.plan.family.FamilyInstance.Size;
import io.hearth.bench.threshold.PrintedReport;
import io.hearth.bench.threshold.ThresholdReport;
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
        assertThat(FamilyThresholds.of(List.of(held), Map.of("caps 60x80", 10.0))
                        .violations())
                .isEmpty();
    }

    @Test
    void eachThresholdThatDoesNotHoldIsNamedWithItsNumber() {
        FamilyResult missed =
                result(List.of(after(1_600, 1e6), after(17, 0), after(1, 0)), 3, List.of(above("h1", false)));

        assertThat(FamilyThresholds.of(List.of(missed), Map.of("caps 60x80", 9.0))
                        .violations())
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
    void aProgramReadsEachFigureAndWhatMissed() {
        FamilyResult missed = result(List.of(after(1_600, 100), after(17, 2)), 0, List.of(above("h1", true)));
        ThresholdReport thresholds = FamilyThresholds.of(List.of(missed), Map.of("caps 60x80", 10.0));

        assertThat(PrintedReport.json(thresholds::end))
                .startsWith("{\"figures\":[")
                .contains(
                        "{\"of\":\"caps 60x80 seed 1\",\"figure\":\"moves of the second plan\",\"value\":17.0,\"unit\":\"\",\"atMost\":16.0,\"holds\":false}",
                        "{\"of\":\"caps 60x80 seed 1\",\"figure\":\"servers above what is asked\",\"value\":1.0,\"unit\":\"\",\"atMost\":1.2,\"holds\":true}",
                        "{\"of\":\"caps 60x80 seed 1\",\"figure\":\"max/mean of reads where it stands\",\"value\":1.0,\"unit\":\"\"}",
                        "{\"of\":\"caps 60x80 seed 1\",\"figure\":\"to heal, all plans\",\"value\":102.0,\"unit\":\"GB\"}",
                        "{\"of\":\"caps 60x80 seed 1\",\"figure\":\"solver's moves\",\"value\":1570.0,\"unit\":\"\"}",
                        "{\"of\":\"caps 60x80\",\"figure\":\"CPU of a plan, median\",\"value\":20.0,\"unit\":\"ms\",\"atMost\":20.0,\"holds\":true}")
                .endsWith(
                        "],\"holds\":false,\"missed\":[\"caps 60x80 seed 1: the second plan moves 17, the first 1600\","
                                + "\"caps 60x80 seed 1: plan 2 still moves 17\"]}");
    }

    @Test
    void figuresAreCsvAndWhatIsNotFiniteHasNoValue() {
        Map<LoadDimension, Double> noFairShare = Map.of(LoadDimension.READS, Double.POSITIVE_INFINITY);
        PlanEvaluation uneven = new PlanEvaluation(0, noFairShare, noFairShare, 80, 80, 0);
        ThresholdReport thresholds = FamilyThresholds.of(List.of(result(List.of(uneven), 0, List.of())), NO_TIMES);

        assertThat(PrintedReport.of("csv", thresholds::end).out())
                .startsWith("of,figure,value,unit,atLeast,atMost,holds")
                .contains(
                        "caps 60x80 seed 1,max/mean of reads,,,,,",
                        "caps 60x80 seed 1,regions moved more than once,0.0,,,0.0,true");
    }

    @Test
    void oneServerOfSixtyMayNeedACertificate() {
        FamilyResult two =
                result(List.of(after(1_600, 0)), 0, List.of(above("h1", true), above("h1", true), above("h2", true)));

        assertThat(FamilyThresholds.of(List.of(two), NO_TIMES).violations()).anySatisfy(line -> assertThat(line)
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
