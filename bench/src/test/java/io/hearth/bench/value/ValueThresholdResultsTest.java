// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.value;

import static io.hearth.bench.value.SampleDraws.good;
import static io.hearth.bench.value.SampleDraws.layout;
import static io.hearth.bench.value.SampleDraws.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.cluster.VariantRun.Variant;
import io.hearth.bench.threshold.PrintedReport;
import io.hearth.bench.value.LayoutResult.Balancer;
import io.hearth.bench.value.ValueRun.Part;
import io.hearth.cli.ExitCode;
import io.hearth.testkit.load.Workload;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ValueThresholdResultsTest {

    private static final LayoutResult CONTROL = layout(Balancer.CONTROL, 0, 1, 2_040, 20);
    private static final LayoutResult SLOW_CONTROL = layout(Balancer.CONTROL, 0, 1, 1_860, 20);
    private static final String SLOW = "The machine is too busy for this: an even load was answered in time up to 1,860"
            + " requests a second, below 1,920. The figures of %s say nothing.";
    private static final String NOT_IDLE = "The machine is too busy for this: the processors had nothing to do for"
            + " 14 %% of the time, below 20. The figures of %s say nothing.";

    private final ValueThresholdResults thresholds = new ValueThresholdResults();

    private static CheckedResults<CrashResult> crashes(LayoutResult control, double idle, long failed) {
        List<Double> allInTime = Collections.nCopies(CrashResult.HELD_SECONDS, 1.0);
        return CheckedResults.of(
                control,
                List.of(
                        new CrashResult(Balancer.STOCK, allInTime, 1.3, 0.5, 0),
                        new CrashResult(Balancer.HEARTH, allInTime, 1.1, idle, failed)),
                CrashResult::idle);
    }

    private static CheckedResults<LinkResult> links(LayoutResult control, double idle, long failed) {
        return CheckedResults.of(
                control,
                List.of(
                        new LinkResult(Variant.COMPACTION, 600, 180, 600, 20, 180, 90, 0.5, 0),
                        new LinkResult(Variant.HEARTH, 600, 180, 600, 12, 180, 40, idle, failed)),
                LinkResult::idle);
    }

    @Test
    void whatHoldsOnAnIdleMachineIsDone() {
        thresholds.crash(crashes(CONTROL, 0.3, 0));
        thresholds.locality(links(CONTROL, 0.3, 0));
        thresholds.evenness(List.of(good()));

        assertThat(thresholds.lines()).containsExactly("All thresholds hold.");
        assertThat(thresholds.exitCode()).isEqualTo(ExitCode.DONE);
    }

    @Test
    void whatDoesNotHoldThereIsIncomplete() {
        thresholds.crash(crashes(CONTROL, 0.3, 1));
        thresholds.locality(links(CONTROL, 0.3, 2));
        thresholds.evenness(List.of(good()));

        assertThat(thresholds.lines())
                .containsExactly(
                        "MISSED  a crash, Hearth: 1 requests failed",
                        "MISSED  Hearth: 2 requests failed",
                        "2 thresholds do not hold.");
        assertThat(thresholds.exitCode()).isEqualTo(ExitCode.INCOMPLETE);
    }

    @Test
    void evennessOnABusyMachineIsRefused() {
        thresholds.evenness(List.of(with(good(), SLOW_CONTROL)));

        assertThat(thresholds.lines()).containsExactly(String.format(SLOW, "EVENNESS"));
        assertThat(thresholds.exitCode()).isEqualTo(ExitCode.MACHINE_BUSY);
    }

    @Test
    void anEvenLoadIsComparedWithWhatTheServersCanAnswerToThatWorkload() {
        int nominal = ValueCluster.nominalPerSecond(Workload.W);

        assertThat(nominal)
                .isEqualTo(ValueCluster.nominalPerSecond(Workload.C) / 2)
                .isEqualTo(1_200);
        assertThat(new MachineCheck(960, nominal, 0.3).tooBusy()).isEmpty();
        assertThat(new MachineCheck(959, nominal, 0.3).tooBusy())
                .contains("an even load was answered in time up to 959 requests a second, below 960");
    }

    @Test
    void evennessIsRefusedWhereTheProcessorsAreTakenInAnyDraw() {
        LayoutResult stock = good().of(Balancer.STOCK);
        DrawResult busy = with(
                good(),
                new LayoutResult(
                        Balancer.STOCK,
                        stock.balancing(),
                        stock.nominalPerSecond(),
                        stock.maxOverMean(),
                        stock.rates(),
                        stock.highestPerSecond(),
                        stock.atSixty(),
                        0.14,
                        0));

        thresholds.evenness(List.of(good(), busy, good()));

        assertThat(thresholds.lines()).containsExactly(String.format(NOT_IDLE, "EVENNESS"));
        assertThat(thresholds.exitCode()).isEqualTo(ExitCode.MACHINE_BUSY);
    }

    @ParameterizedTest
    @EnumSource(
            value = Part.class,
            names = {"CRASH", "LOCALITY"})
    void aPartOnABusyMachineIsRefused(Part part) {
        add(part, SLOW_CONTROL, 0.3);

        assertThat(thresholds.lines()).containsExactly(String.format(SLOW, part));
        assertThat(thresholds.exitCode()).isEqualTo(ExitCode.MACHINE_BUSY);
    }

    @ParameterizedTest
    @EnumSource(
            value = Part.class,
            names = {"CRASH", "LOCALITY"})
    void aPartDuringWhichTheProcessorsAreTakenIsRefused(Part part) {
        add(part, CONTROL, 0.14);

        assertThat(thresholds.lines()).containsExactly(String.format(NOT_IDLE, part));
        assertThat(thresholds.exitCode()).isEqualTo(ExitCode.MACHINE_BUSY);
    }

    private void add(Part part, LayoutResult control, double idle) {
        if (part == Part.CRASH) {
            thresholds.crash(crashes(control, idle, 0));
        } else {
            thresholds.locality(links(control, idle, 0));
        }
    }

    @Test
    void whatAnotherPartMissedIsSaidBesideTheOneThatIsRefused() {
        thresholds.crash(crashes(SLOW_CONTROL, 0.3, 1));
        thresholds.locality(links(CONTROL, 0.3, 2));

        assertThat(thresholds.lines())
                .containsExactly("MISSED  Hearth: 2 requests failed", String.format(SLOW, "CRASH"));
        assertThat(thresholds.exitCode()).isEqualTo(ExitCode.MACHINE_BUSY);
    }

    @Test
    void aProgramReadsEachFigureAndWhatMissed() {
        LinkResult never = new LinkResult(Variant.HEARTH, 600, 180, 576, Double.POSITIVE_INFINITY, 180, 40, 0.5, 0);
        thresholds.crash(crashes(CONTROL, 0.3, 1));
        thresholds.locality(CheckedResults.of(CONTROL, List.of(never), LinkResult::idle));
        thresholds.evenness(List.of(good()));

        assertThat(PrintedReport.json(thresholds::end))
                .startsWith("{\"figures\":[")
                .contains(
                        "{\"of\":\"a crash, Hearth\",\"figure\":\"failed\",\"value\":1.0,\"unit\":\"\",\"atMost\":0.0,\"holds\":false}",
                        "{\"of\":\"a crash, Hearth\",\"figure\":\"99 % in time after\",\"value\":0.0,\"unit\":\"s\",\"holds\":true}",
                        "{\"of\":\"links of 50 Mbit/s, Hearth\",\"figure\":\"rate, local again\",\"value\":576.0,\"unit\":\"1/s\",\"atLeast\":570.0,\"holds\":true}",
                        "{\"of\":\"links of 50 Mbit/s, Hearth\",\"figure\":\"local again after\",\"unit\":\"s\",\"atMost\":180.0,\"holds\":false}",
                        "{\"of\":\"median of the draws\",\"figure\":\"rate / even load's\",\"value\":1.0,\"unit\":\"x\",\"atLeast\":0.95,\"holds\":true}",
                        "{\"of\":\"draw 2\",\"figure\":\"max/mean at first\",\"value\":1.4,\"unit\":\"\"}",
                        "{\"of\":\"draw 2, Hearth\",\"figure\":\"p99 while balancing\",\"value\":42.0,\"unit\":\"ms\"}",
                        "{\"of\":\"draw 2, even load\",\"figure\":\"p99 while balancing\",\"unit\":\"ms\"}")
                .endsWith("],\"holds\":false,\"missed\":[\"a crash, Hearth: 1 requests failed\","
                        + "\"Hearth: not all was local again within 180 s\"]}");
    }

    @Test
    void figuresOfABusyMachineAreHeldToNothingAndDoNotPassAsHeld() {
        thresholds.evenness(List.of(with(good(), SLOW_CONTROL)));
        PrintedReport printed = PrintedReport.of("csv", thresholds::end);

        assertThat(printed.exitCode()).isEqualTo(8);
        assertThat(printed.out())
                .startsWith("of,figure,value,unit,atLeast,atMost,holds")
                .contains("\"draw 2, even load\",requests with p99 in time,1860.0,1/s,,,")
                .noneMatch(line -> line.endsWith("true") || line.endsWith("false"));
        assertThat(printed.err()).containsExactly(String.format(SLOW, "EVENNESS"));
        assertThat(PrintedReport.json(thresholds::end))
                .endsWith("],\"holds\":false,\"missed\":[\"" + String.format(SLOW, "EVENNESS") + "\"]}");
    }

    @Test
    void aPersonReadsTheLinesAlone() {
        thresholds.evenness(List.of(good()));
        PrintedReport printed = PrintedReport.of("table", thresholds::end);

        assertThat(printed.out()).containsExactly("All thresholds hold.");
        assertThat(printed.err()).isEmpty();
    }
}
