// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.cluster.LinearityResult.SizedHeal;
import io.hearth.bench.cluster.MoveRoundsResult.Latencies;
import io.hearth.bench.cluster.MoveRoundsResult.Round;
import io.hearth.bench.cluster.Scale.BenchmarkStage;
import io.hearth.bench.cluster.VariantRun.Variant;
import io.hearth.bench.threshold.PrintedReport;
import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.testkit.load.LatencyRecorder.LatencySummary;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClusterThresholdsTest {

    private final Map<Variant, VariantResult> results = SampleResults.good();

    @Test
    void theBarsThatHold() {
        assertThat(ClusterThresholds.of(results).violations()).isEmpty();
    }

    @Test
    void eachBarIsHeld() {
        results.put(
                Variant.HEARTH,
                SampleResults.with(
                        SampleResults.variant(
                                SampleResults.event(OptionalDouble.of(4.1), 105_000_001, 12.1),
                                OptionalDouble.empty(),
                                3),
                        SampleResults.bothRounds(SampleResults.rounds(4.1, 12.1))));

        assertThat(ClusterThresholds.of(results).violations())
                .hasSize(19)
                .contains(
                        "Hearth: 3 requests failed, the first: java.io.IOException: gone",
                        "crash of a RegionServer: all is local after 4.1 s, above 0.2 x the 20.0 s of major compactions",
                        "it is back: 105,000,001 bytes were moved for 100,000,000 that were remote, above 1.05 x",
                        "an empty host is added, gets: p99 while healing is 12.1 ms, above 1.2 x the 10.0 ms before",
                        "rounds: all is local after 4.1 s in the median, above 0.2 x the 20.0 s of major compactions",
                        "rounds: all is read locally after 4.1 s in the median, above 0.2 x the 20.0 s of major compactions",
                        "rounds, gets: p99 while healing is 12.1 ms, above 1.2 x the 10.0 ms before",
                        "rounds back: all is local after 4.1 s in the median, above 0.2 x the 20.0 s of major compactions",
                        "rounds back, gets: p99 while healing is 12.1 ms, above 1.2 x the 10.0 ms before",
                        "rounds, multigets: p99 while healing is 24.2 ms, above 1.2 x the 20.0 ms before",
                        "hot spot: max/mean is 2.40 at the end, not below 1.15");
    }

    @Test
    void whatIsNeverLocalIsAMissAlsoAlone() {
        results.keySet().retainAll(Set.of(Variant.HEARTH));
        results.put(
                Variant.HEARTH,
                SampleResults.variant(SampleResults.event(OptionalDouble.empty(), 0, 10), OptionalDouble.of(9), 0));

        assertThat(ClusterThresholds.of(results).violations())
                .hasSize(3)
                .contains("crash of a RegionServer: not all is local after 60 s");
    }

    @Test
    void roundsThatDoNotEndAreAMiss() {
        results.computeIfPresent(
                Variant.HEARTH,
                (variant, result) -> SampleResults.with(
                        result, Map.of(BenchmarkStage.RETURNED, SampleResults.rounds(Double.POSITIVE_INFINITY, 10))));

        assertThat(ClusterThresholds.of(results).violations())
                .containsExactly("rounds back: in half of them not all became local");
    }

    @Test
    void whatWasLeftOutIsNoMiss() {
        results.clear();
        results.put(Variant.COMPACTION, SampleResults.only(BenchmarkStage.RETURNED, SampleResults.rounds(20, 40)));
        results.put(Variant.HEARTH, SampleResults.only(BenchmarkStage.RETURNED, SampleResults.rounds(4, 12)));
        assertThat(ClusterThresholds.of(results).violations()).isEmpty();

        results.put(Variant.HEARTH, SampleResults.only(BenchmarkStage.RETURNED, SampleResults.rounds(4.1, 12)));
        assertThat(ClusterThresholds.of(results).violations()).hasSize(2);
    }

    @Test
    void whereNothingHasToComeHomeThereIsNothingToCompare() {
        VariantResult compacted =
                SampleResults.variant(SampleResults.event(1, OptionalDouble.of(0), 0, 10), OptionalDouble.empty(), 0);
        VariantResult slow = SampleResults.variant(
                SampleResults.event(OptionalDouble.of(4.1), 100_000_000, 12), OptionalDouble.of(9), 0);
        results.put(Variant.COMPACTION, SampleResults.with(compacted, Map.of()));
        results.put(Variant.HEARTH, slow);
        assertThat(ClusterThresholds.of(results).violations()).isEmpty();

        VariantResult landed =
                SampleResults.variant(SampleResults.event(1, OptionalDouble.of(0), 0, 50), OptionalDouble.of(9), 0);
        results.put(Variant.HEARTH, landed);
        assertThat(ClusterThresholds.of(results).violations()).isEmpty();
    }

    @Test
    void aRatioThatChanceReachesIsNoMiss() {
        assertThat(ofLatencies(10, 13, 29))
                .containsExactly(
                        "rounds, gets: p99 while healing is 13.0 ms, above 1.2 x the 10.0 ms before",
                        "rounds, multigets: p99 while healing is 13.0 ms, above 1.2 x the 10.0 ms before");
        // Chance takes the thousandth to twice, so 1.5 times is no miss and more than twice is one.
        assertThat(ofLatencies(10, 12, 39)).isEmpty();
        assertThat(ofLatencies(10, 12, 41))
                .contains("rounds, gets: p99.9 while healing is 41.0 ms, above 1.5 x the 20.0 ms before");

        AaRatio wide = new AaRatio(1.1, 0.7, 1.4);
        Latencies any = SampleResults.latencies(10, 13, 20);
        Latencies withinRange = new Latencies(any.before(), any.remote(), any.healing(), any.deleting(), wide, wide);
        assertThat(ClusterThresholds.of(only(withinRange, SampleResults.round(4)))
                        .violations())
                .isEmpty();
    }

    /** Streams that are open when a replica is deleted are the last to be hurt. */
    @Test
    void whatIsSlowAfterTheLastCopyIsHealingsToo() {
        Latencies any = SampleResults.latencies(10, 10, 20);
        Latencies slow = new Latencies(
                any.before(),
                any.remote(),
                any.healing(),
                new LatencySummary(1_000, 2, 12.5, 41, 50),
                any.p99(),
                any.p999());

        assertThat(ClusterThresholds.of(only(slow, SampleResults.round(4))).violations())
                .containsExactly(
                        "rounds, gets: p99 while old replicas are deleted is 12.5 ms, above 1.2 x the 10.0 ms before",
                        "rounds, gets: p99.9 while old replicas are deleted is 41.0 ms, above 1.5 x the 20.0 ms before",
                        "rounds, multigets: p99 while old replicas are deleted is 12.5 ms, above 1.2 x the 10.0 ms"
                                + " before",
                        "rounds, multigets: p99.9 while old replicas are deleted is 41.0 ms, above 1.5 x the 20.0 ms"
                                + " before");
    }

    @Test
    void aHealTakesAsLongAsTheDryRunSays() {
        Latencies fine = SampleResults.latencies(10, 10, 20);

        assertThat(ClusterThresholds.of(only(fine, SampleResults.round(12.5, 10)))
                        .violations())
                .isEmpty();
        assertThat(ClusterThresholds.of(only(fine, SampleResults.round(7.5, 10)))
                        .violations())
                .isEmpty();
        assertThat(ClusterThresholds.of(only(fine, SampleResults.round(12.6, 10)))
                        .violations())
                .containsExactly(
                        "rounds: healing takes 1.26 x what the dry run says in the median, not within 25 % of it");
        assertThat(ClusterThresholds.of(only(fine, SampleResults.round(7.4, 10)))
                        .violations())
                .hasSize(1);
    }

    @Test
    void bytesPerSecondGrowWithTheDataNodes() {
        SizedHeal three = new SizedHeal(3, 30_000_000, 5, 8, OptionalDouble.of(10));
        SizedHeal six = new SizedHeal(6, 60_000_000, 5.5, 8, OptionalDouble.of(10));
        SizedHeal slow = new SizedHeal(12, 120_000_000, 7, 8, OptionalDouble.of(10));

        assertThat(ClusterThresholds.of(new LinearityResult(List.of(three, six)))
                        .violations())
                .isEmpty();
        assertThat(ClusterThresholds.of(new LinearityResult(List.of(three, six, slow)))
                        .violations())
                .containsExactly("linearity: bytes per second grow 0.71 x linearly, below 0.9 x");
    }

    @Test
    void aRunWithFewRequestsOrPairsDoesNotCount() {
        Round round = SampleResults.round(4);
        Latencies latencies = SampleResults.latencies(10, 10, 20);
        MoveRoundsResult six = new MoveRoundsResult(Collections.nCopies(6, round), latencies, latencies);
        MoveRoundsResult five = new MoveRoundsResult(Collections.nCopies(5, round), latencies, latencies);
        VariantResult one = results.get(Variant.COMPACTION);
        VariantResult less = new VariantResult(Map.of(), Optional.empty(), Map.of(), 49_999, 0, "");

        results.put(Variant.HEARTH, SampleResults.with(one, SampleResults.bothRounds(six)));
        assertThat(ClusterThresholds.counts(results).violations()).isEmpty();
        results.put(Variant.NOTHING, less);
        assertThat(ClusterThresholds.counts(results).violations())
                .containsExactly("the run does not count: 149,999 requests were answered, fewer than 150,000");
        results.put(Variant.NOTHING, one);
        results.put(
                Variant.HEARTH,
                SampleResults.with(one, Map.of(BenchmarkStage.MOVED, five, BenchmarkStage.RETURNED, six)));
        assertThat(ClusterThresholds.counts(results).violations())
                .containsExactly("rounds: p99 and p99.9 do not count: 5 pairs of phases without healing, fewer than 6");
    }

    @Test
    void aProgramReadsEachFigureAndWhatMissed() {
        results.put(
                Variant.HEARTH,
                SampleResults.variant(SampleResults.event(OptionalDouble.empty(), 0, 10), OptionalDouble.of(9), 0));

        assertThat(PrintedReport.json(output -> ClusterThresholds.of(results).end(output)))
                .startsWith("{\"figures\":[")
                .contains(
                        "{\"of\":\"crash of a RegionServer, Hearth\",\"figure\":\"100 % after\",\"unit\":\"s\",\"atMost\":60.0,\"holds\":false}",
                        "{\"of\":\"crash of a RegionServer, stock balancer\",\"figure\":\"100 % after\",\"unit\":\"s\"}",
                        "{\"of\":\"crash of a RegionServer, Hearth\",\"figure\":\"remote\",\"value\":100.0,\"unit\":\"MB\"}",
                        "{\"of\":\"it is back, Hearth\",\"figure\":\"gets while healing, p99\",\"value\":10.0,\"unit\":\"ms\",\"atMost\":12.0,\"holds\":true}",
                        "{\"of\":\"rounds, Hearth\",\"figure\":\"100 % after, median\",\"value\":4.0,\"unit\":\"s\",\"atMost\":4.0,\"holds\":true}",
                        "{\"of\":\"rounds, Hearth\",\"figure\":\"time / the dry run's estimate, median\",\"value\":1.0,\"unit\":\"x\",\"atLeast\":0.75,\"atMost\":1.25,\"holds\":true}",
                        "{\"of\":\"rounds back, stock + major compaction\",\"figure\":\"CPU of DataNodes for a MB, median\",\"value\":2.5,\"unit\":\"ms\"}",
                        "{\"of\":\"rounds, Hearth\",\"figure\":\"multigets, p99.9, A/A at most\",\"value\":2.0,\"unit\":\"x\"}",
                        "{\"of\":\"hot spot, Hearth\",\"figure\":\"max/mean at the end\",\"value\":1.1,\"unit\":\"\",\"atMost\":1.15,\"holds\":true}",
                        "{\"of\":\"hot spot, stock balancer\",\"figure\":\"below 1.15 after\",\"unit\":\"s\"}",
                        "{\"of\":\"requests of the whole run, Hearth\",\"figure\":\"failed\",\"value\":0.0,\"unit\":\"\",\"atMost\":0.0,\"holds\":true}")
                .endsWith(
                        "],\"holds\":false,\"missed\":[\"crash of a RegionServer: not all is local after 60 s\","
                                + "\"it is back: not all is local after 60 s\",\"an empty host is added: not all is local after 60 s\"]}");
    }

    @Test
    void noFigureIsThereTwice() {
        ThresholdReport report = ClusterThresholds.of(results);
        report.addAll(ClusterThresholds.counts(results), "", "");

        assertThat(report.figures())
                .extracting(figure -> figure.of() + ": " + figure.figure())
                .doesNotHaveDuplicates();
    }

    @Test
    void figuresAreCsvAndOfTheirSeed() {
        ThresholdReport report = new ThresholdReport();
        report.addAll(ClusterThresholds.counts(results), "seed 2", "");
        report.addAll(
                ClusterThresholds.of(
                        new LinearityResult(List.of(new SizedHeal(6, 60_000_000, 5, 8, OptionalDouble.empty())))),
                "",
                "");

        assertThat(PrintedReport.of("csv", report::end).out())
                .startsWith("of,figure,value,unit,atLeast,atMost,holds")
                .contains(
                        "\"requests of the whole run, seed 2\",answered,150000.0,,150000.0,,true",
                        "\"rounds, Hearth, seed 2\",rounds,3.0,,6.0,,false",
                        "\"linearity, 6 DataNodes\",median for each,2.0,MB/s,,,",
                        "linearity,\"time / the dry run's estimate, median\",,x,,,");
    }

    private static List<String> ofLatencies(double beforeMs, double healingP99Ms, double healingP999Ms) {
        return ClusterThresholds.of(
                        only(SampleResults.latencies(beforeMs, healingP99Ms, healingP999Ms), SampleResults.round(4)))
                .violations();
    }

    /** Rounds of which all are like this one, by Hearth alone. */
    private static Map<Variant, VariantResult> only(Latencies latencies, Round round) {
        MoveRoundsResult rounds = new MoveRoundsResult(List.of(round), latencies, latencies);
        return Map.of(Variant.HEARTH, SampleResults.only(BenchmarkStage.MOVED, rounds));
    }
}
