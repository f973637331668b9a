// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.slo.probe.ProbeKind;
import io.hearth.slo.probe.ProbeResult;
import io.hearth.slo.probe.ProbeResult.Outcome;
import io.hearth.slo.store.Limits;
import io.hearth.slo.store.SloStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SloServersCommandTest {

    private static final long MINUTE_MS = 60_000;
    private static final long HOUR_MS = 60 * MINUTE_MS;

    @TempDir
    private Path folder;

    private final long nowMs = System.currentTimeMillis();
    private final List<String> problems = new ArrayList<>();

    /** Four servers, each with 100 probes of a kind; of host1 half a day ago too, which were slow. */
    @BeforeEach
    void store() throws IOException {
        try (SloStore store = SloStore.open(folder, "west", Limits.NONE, problems::add)) {
            for (int probe = 0; probe < 100; probe++) {
                long atMs = nowMs - (1 + probe % 50) * MINUTE_MS;
                // In 48 of 50 minutes it is fast: the mean of p99 by minute is 4.9 ms.
                add(store, ProbeKind.GET, "host1:16020", atMs, probe % 50 < 48 ? 1_000 : 99_000);
                add(store, ProbeKind.GET, "host2:16020", atMs, probe < 50 ? 3_000 : 4_000);
                add(store, ProbeKind.PUT, "host2:16020", atMs, 8_000);
                add(store, ProbeKind.HDFS_READ, "host2:9866", atMs, probe < 98 ? 500_000 : -1);
                add(store, ProbeKind.GET, "host1:16020", atMs - 12 * HOUR_MS, 60_000);
            }
        }
    }

    private static void add(SloStore store, ProbeKind kind, String server, long atMs, long micros) {
        store.accept(new ProbeResult(
                kind, server, atMs, Math.max(0, micros), micros < 0 ? Outcome.FAILED : Outcome.ANSWERED));
    }

    @Test
    void theServersOfTheLastHourAreToldTheWorstFirst() {
        assertThat(run("").replaceAll("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC", "TIME"))
                .isEqualTo(
                        """
                        0 TIME to TIME, the worst first:

                        SERVER       KIND       DUE  GOOD       P50        P99       MAX
                        host2:9866   hdfs-read  100    98  501.8 ms  no answer  501.8 ms
                        host1:16020  get        100   100    1.0 ms    99.3 ms   99.3 ms
                        host2:16020  put        100   100    8.0 ms     8.0 ms    8.0 ms
                        host2:16020  get        100   100    3.0 ms     4.0 ms    4.0 ms
                        """);
    }

    @Test
    void goodIsByTheFirstObjectiveOfTheKind() throws IOException {
        Path objectives = Files.writeString(
                folder.resolve("objectives.txt"),
                "99 % of gets under 3.5 ms, 30 days\n98 % of gets under 500 ms, 30 days\n");

        assertThat(run(" --kind get --output csv --objectives " + objectives))
                .isEqualTo(
                        """
                        0 server,kind,due,good,p50Micros,p99Micros,maxMicros
                        host2:16020,get,100,50,3007,4015,4015
                        host1:16020,get,100,96,1003,99327,99327
                        """);
    }

    @Test
    void oneServerIsToldByItsHostOrItsPort() {
        String json = run(" --server HOST2 --kind hdfs-read --output json");

        assertThat(json)
                .matches(
                        "0 \\{\"fromMs\":\\d+,\"toMs\":\\d+,\"servers\":\\[\\{\"server\":\"host2:9866\",\"kind\":\"hdfs-read\","
                                + "\"due\":100,\"good\":98,\"p50Micros\":501759,\"maxMicros\":501759}]}\n");
        Matcher times = Pattern.compile("\"fromMs\":(\\d+),\"toMs\":(\\d+)").matcher(json);
        assertThat(times.find()).isTrue();
        assertThat(Long.parseLong(times.group(1)) % MINUTE_MS).isZero();
        assertThat(Long.parseLong(times.group(2)) - Long.parseLong(times.group(1)))
                .isBetween(HOUR_MS, HOUR_MS + MINUTE_MS);
        assertThat(run(" --server host2:16020 --output csv").lines())
                .map(line -> line.replaceAll("^([^,]*,[^,]*).*", "$1"))
                .containsExactly("0 server,kind", "host2:16020,put", "host2:16020,get");
    }

    @Test
    void moreHoursAreAddedUp() {
        assertThat(run(" --hours 24 --server host1 --output csv"))
                .as("104 of 200 took longer than 1 ms")
                .isEqualTo(
                        """
                        0 server,kind,due,good,p50Micros,p99Micros,maxMicros
                        host1:16020,get,200,200,60159,99327,99327
                        """);
        assertThat(run(" --hours 25 --server host1 --output json"))
                .as("from the start of an hour on")
                .contains("\"fromMs\":" + (nowMs - 25 * HOUR_MS) / HOUR_MS * HOUR_MS)
                .contains("\"due\":200");
    }

    @Test
    void whatIsNotStoredIsSaid() throws IOException {
        assertThat(run(" --server host9"))
                .isEqualTo("2 hearth slo servers: --server is host9, of which nothing is stored in this time; there are"
                        + " host1:16020, host2:16020, host2:9866 (bin/hearth slo servers --help shows the options)\n");
        assertThat(run(" --kind put --server host1"))
                .isEqualTo("2 hearth slo servers: --server is host1, of which nothing is stored in this time; there are"
                        + " host2:16020 (bin/hearth slo servers --help shows the options)\n");
        assertThat(run(" --kind registry --hours 3"))
                .isEqualTo("2 hearth slo servers: no probe of the kind registry is stored of the last 3 hours in "
                        + folder + " (bin/hearth slo servers --help shows the options)\n");
        assertThat(run(" --instance east"))
                .startsWith("2 hearth slo servers: No SLO watch of the name 'east' has stored anything in " + folder
                        + "; there are: [west]");
        try (SloStore store = SloStore.open(folder, "west", Limits.NONE, problems::add)) {
            for (int host = 3; host < 9; host++) {
                add(store, ProbeKind.GET, "host" + host + ":16020", nowMs, 1_000);
            }
        }
        assertThat(run(" --kind get --server host9"))
                .contains("there are host1:16020, host2:16020, host3:16020, host4:16020, host5:16020 and 3 more (bin/");
        assertThat(problems).isEmpty();
    }

    private String run(String options) {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        int code = Main.commandLine()
                .setOut(out)
                .setErr(out)
                .execute(("slo servers --folder " + folder + options).split(" ", -1));
        out.flush();
        return code + " " + text;
    }
}
