// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.slo.objective.ObjectivesFile;
import io.hearth.slo.probe.ProbeKind;
import io.hearth.slo.probe.ProbeResult;
import io.hearth.slo.probe.ProbeResult.Outcome;
import io.hearth.slo.probe.TimelineRead;
import io.hearth.slo.probe.TimelineRead.Answer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SloRecorderTest {

    /** 15 November 2026, 00:00 UTC. */
    private static final long START_MS = 1_794_700_800_000L;

    private static final long MINUTE_MS = 60_000;
    private static final ObjectivesFile OBJECTIVES =
            ObjectivesFile.parse("gets: 99.9 % of gets under 50 ms, 30 days", "objectives");

    @TempDir
    private Path folder;

    private final List<String> problems = new ArrayList<>();

    private SloRecorder open(long nowMs) throws IOException {
        return SloRecorder.open(folder, "west", OBJECTIVES, nowMs, problems::add);
    }

    /** Sixty gets of one server in that minute, of which so many come late. */
    private static void probe(SloRecorder recorder, int minute, int late) {
        for (int second = 0; second < 60; second++) {
            recorder.accept(new ProbeResult(
                    ProbeKind.GET,
                    "host1:16020",
                    START_MS + minute * MINUTE_MS + second * 1_000,
                    second < late ? 80_000 : 2_000,
                    Outcome.ANSWERED));
        }
    }

    @Test
    void aFastBurnIsAReasonToRestUntilItIsOver() throws Exception {
        try (SloRecorder recorder = open(START_MS)) {
            for (int minute = 0; minute < 10; minute++) {
                probe(recorder, minute, 0);
            }
            assertThat(recorder.reasonToBrake(START_MS + 10 * MINUTE_MS)).isEmpty();

            for (int minute = 10; minute < 16; minute++) {
                probe(recorder, minute, 12);
            }
            assertThat(recorder.reasonToBrake(START_MS + 16 * MINUTE_MS))
                    .as("72 of 960 are late, 75 times as many as 0.1 %")
                    .contains("gets burns 75 times as fast as its budget lasts");

            for (int minute = 16; minute < 22; minute++) {
                probe(recorder, minute, 0);
            }
            assertThat(recorder.reasonToBrake(START_MS + 22 * MINUTE_MS)).isEmpty();
        }
    }

    @Test
    void theNextProcessKnowsWhatWasStoredAndCountsItOnce() throws Exception {
        try (SloRecorder first = open(START_MS)) {
            for (int minute = 0; minute < 16; minute++) {
                probe(first, minute, 12);
            }
            first.flush(START_MS + 16 * MINUTE_MS);
        }
        try (SloRecorder next = open(START_MS + 17 * MINUTE_MS)) {
            next.flush(START_MS + 17 * MINUTE_MS);
            probe(next, 16, 0);
            assertThat(next.reasonToBrake(START_MS + 17 * MINUTE_MS))
                    .as("192 of 1,020")
                    .contains("gets burns 188 times as fast as its budget lasts");
            assertThat(next.objectives(START_MS + 17 * MINUTE_MS)).contains("error budget left: gets spent 188 times");
            assertThat(next.metrics(START_MS + 17 * MINUTE_MS))
                    .as("of this process alone")
                    .contains("hearth_slo_objective_due_total{objective=\"gets\"} 60\n")
                    .as("of both")
                    .contains("hearth_slo_objective_alert{objective=\"gets\",alert=\"fast\"} 1\n");
        }
        assertThat(problems).isEmpty();
    }

    @Test
    void twoProcessesOfOneNameAreRefused() throws Exception {
        try (SloRecorder recorder = open(START_MS)) {
            assertThatThrownBy(() -> open(START_MS))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("belongs to a running SLO watch");
            assertThat(recorder.objectives(START_MS)).isEmpty();
        }
    }

    @Test
    void theReportOfItsMonthIsAPageAndADocument() throws Exception {
        try (SloRecorder recorder = open(START_MS)) {
            probe(recorder, 0, 3);
            for (int read = 0; read < 1_000; read++) {
                recorder.add(new TimelineRead(
                        10, START_MS + read, read < 13 ? 12_000 : 2_000, read < 13 ? Answer.STALE : Answer.FRESH));
            }
            assertThat(recorder.metrics(START_MS))
                    .contains("hearth_slo_timeline_reads_total{timeout=\"10ms\"} 1000\n")
                    .contains("hearth_slo_timeline_stale_total{timeout=\"10ms\"} 13\n")
                    .contains("hearth_slo_timeline_unanswered_total{timeout=\"10ms\"} 0\n");
        }
        Path objectives = Files.writeString(folder.resolve("objectives.txt"), "99 % of gets under 50 ms, 30 days\n");
        Path page = folder.resolve("november.html");
        String stored = "slo report --month 2026-11 --folder " + folder + " --objectives " + objectives;

        assertThat(run(stored + " --html " + page)).isEqualTo("0 Written to " + page + ".\n");
        assertThat(page)
                .content()
                .contains("99 % of gets under 50 ms, 30 days", "host1:16020")
                .contains("<th scope=\"row\">10 ms</th><td>1,000</td><td>13</td><td>1.3000 %</td>"
                        + "<td>2.0 ms</td><td>12.0 ms</td><td>12.0 ms</td><td>0</td></tr>");
        assertThat(run(stored + " --output json"))
                .startsWith("0 {\"month\":\"2026-11\"")
                .contains("\"month\":{\"due\":60,\"good\":57,\"minutes\":1,\"availability\":0.95}")
                .contains(
                        "\"timeline\":[{\"timeoutMs\":10,\"reads\":1000,\"unanswered\":0,\"stale\":13,\"staleShare\":0.013,");
        assertThat(run(stored.replace("2026-11", "2026-10") + " --output json"))
                .isEqualTo("2 hearth slo report: nothing is stored of 2026-10 in " + folder
                        + " (bin/hearth slo report --help shows the options)\n");
        assertThat(run(stored + " --instance east"))
                .startsWith("2 hearth slo report: No SLO watch of the name 'east' has stored anything in " + folder
                        + "; there are: [west]");
    }

    private static String run(String line) {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        int code = Main.commandLine().setOut(out).setErr(out).execute(line.split(" ", -1));
        out.flush();
        return code + " " + text;
    }
}
