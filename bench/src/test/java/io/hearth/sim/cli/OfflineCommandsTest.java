// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hearth.balancer.hbase.SnapshotFile;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class OfflineCommandsTest {

    @TempDir
    private Path folder;

    /** What a command printed on either stream, and how it ended. */
    private record Result(int exitCode, String out, String err) {}

    private static Result run(CommandLine command, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = command.setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
        return new Result(exitCode, out.toString(), err.toString());
    }

    private static Result plan(String... arguments) {
        return run(OfflinePlanCommand.commandLine(), arguments);
    }

    private static Result simulate(String... arguments) {
        return run(SimulateCommand.commandLine(), arguments);
    }

    /** Three servers, of which the first has all reads. */
    private String file() throws IOException {
        Map<ServerId, List<RegionState>> regions = new HashMap<>();
        for (int server = 0; server < 3; server++) {
            List<RegionState> ofServer = new ArrayList<>();
            for (int region = 0; region < 10; region++) {
                LoadVector load = LoadVector.ofReads(server == 0 ? 100 : 0);
                ofServer.add(new RegionState(
                        new EncodedRegionName("r" + server + region), new TableId("t"), load, Pin.FREE));
            }
            regions.put(new ServerId("host" + server, 16020, 1), ofServer);
        }
        PlanGoals goals = PlanGoals.of(Map.of(LoadDimension.READS, new DimensionGoal(200, 1.1, 1.03, 0)));
        Path file = folder.resolve("snapshot.json");
        try (Writer writer = Files.newBufferedWriter(file)) {
            new SnapshotFile(ClusterState.of(regions).foundOut(0, "a test", "2.6.4"), goals).write(writer);
        }
        return file.toString();
    }

    @Test
    void planSaysWhatEachBalancerWouldDo() throws IOException {
        Result result = plan("--snapshot", file(), "--stock-seconds", "1", "--explain");

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out())
                .startsWith("3 servers, 30 regions, taken 1970-01-01T00:00:00Z by a test (HBase 2.6.4)")
                .contains(
                        "as it is",
                        "hearth",
                        "stock",
                        "stock tuned",
                        "3.000",
                        "No plan can be more even than reads 1.000");
    }

    @Test
    void planIsTheSameAgain() throws IOException {
        String file = file();
        String json = plan("--snapshot", file, "--output", "json").out();

        assertThat(json).contains("\"moves\"").contains("host0,16020,1");
        assertThat(plan("--snapshot", file, "--output", "json").out()).isEqualTo(json);
    }

    @Test
    void everyRegionHasAReason() throws IOException {
        String file = file();

        Result result = plan("--snapshot", file, "--why", "r10", "--why", "r99");
        assertThat(result.exitCode()).as(result.err()).isEqualTo(2);
        assertThat(result.err()).contains("--why is r99; " + file + " has no region of that name");

        List<String> all = new ArrayList<>(List.of("--snapshot", file));
        for (int region = 0; region < 30; region++) {
            all.addAll(List.of("--why", String.format("table,key,1.r%02d.", region)));
        }
        result = plan(all.toArray(String[]::new));
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out().lines())
                .hasSize(30)
                .allMatch(line ->
                        line.matches("move r\\d\\d of t from host\\d,16020,1 to host\\d,16020,1 for .*: gain .*\\.")
                                || line.matches("r\\d\\d of t stays on host\\d,16020,1.*: .*\\."))
                .contains("r19 of t stays on host1,16020,1: its server is not above its target.")
                .anyMatch(line -> line.startsWith("move r0"));
        assertThat(plan("--snapshot", file, "--why", "r19", "--output", "csv").out())
                .isEqualTo("region,table,server,reason,text\nr19,t,\"host1,16020,1\",SERVER_NOT_ABOVE_TARGET,"
                        + "\"r19 of t stays on host1,16020,1: its server is not above its target\"\n");
        assertThat(plan("--snapshot", file, "--why", "r19", "--output", "json").out())
                .contains("\"reason\": \"SERVER_NOT_ABOVE_TARGET\"");
    }

    @Test
    void theMovesAreRows() throws IOException {
        String file = file();

        assertThat(plan("--snapshot", file, "--output", "csv").out())
                .startsWith("region,table,from,to,because\n")
                .contains(",t,\"host0,16020,1\",\"host")
                .hasLineCount(plan("--snapshot", file, "--output", "json").out().split("\"region\"").length);
    }

    @Test
    void otherWeightsAreAnotherPlan() throws IOException {
        Result without = plan("--snapshot", file(), "--output", "json", "--weights", "read=0");

        assertThat(without.out()).contains("\"moves\": []");
    }

    @Test
    void aWrongArgumentOfPlanIsOneLine() throws IOException {
        String help = " (bin/hearth balancer plan --help shows the options)\n";
        assertThat(plan())
                .isEqualTo(
                        new Result(2, "", "hearth balancer plan: Missing required option: '--snapshot=FILE'" + help));
        assertThat(plan("--snapshot", "nowhere.json"))
                .isEqualTo(new Result(
                        2,
                        "",
                        "hearth balancer plan: --snapshot is nowhere.json, which is no file that can be read" + help));
        assertThat(plan("--snapshot", file(), "--weights", "heat=1").err())
                .startsWith("hearth balancer plan: --weights has heat; allowed are read, write")
                .endsWith(" and size" + help);
        assertThat(plan("--snapshot", file(), "--weights", "read=-1"))
                .isEqualTo(new Result(
                        2, "", "hearth balancer plan: --weights has read=-1.0; allowed are 0 to 1000000" + help));
        assertThat(plan("--snapshot", file(), "--stock-seconds", "601"))
                .isEqualTo(
                        new Result(2, "", "hearth balancer plan: --stock-seconds is 601; allowed are 0 to 600" + help));
    }

    @Test
    void aSnapshotThatIsNotUnderstoodIsOneLine() throws IOException {
        Path wrong = Files.writeString(folder.resolve("wrong.json"), "{\"format\":\"hearth-snapshot\",\"version\":1}");

        assertThat(plan("--snapshot", wrong.toString()))
                .isEqualTo(new Result(
                        2,
                        "",
                        "hearth balancer plan: " + wrong
                                + ": version is 1; it must be 3, and no Hearth reads older ones:"
                                + " take the snapshot again (bin/hearth balancer plan --help shows the options)\n"));
    }

    @Test
    void simulateRunsAFile() {
        Result result = simulate("src/main/scenarios/already-fine.yaml");

        assertThat(result.exitCode()).as(result.out()).isZero();
        assertThat(result.out()).contains("Already fine", "HOLDS  nothing moves  (0)", "All expectations hold.");
    }

    @Test
    void simulateSaysWhatDoesNotHold() {
        Result result = simulate("--set", "hearth.balancer.manual.pin.ms=0", "src/main/scenarios/moved-manually.yaml");

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.out())
                .contains("FAILS  moved-manually: expected \"region 3 of t stays where it is from 2h\", got 1")
                .contains("1 expectations do not hold.");
    }

    @Test
    void simulateTellsAProgram() {
        String file = "src/main/scenarios/already-fine.yaml";
        Result json = simulate("--output", "json", file);

        assertThat(json.exitCode()).isZero();
        assertThat(json.out().lines()).hasSize(1);
        JsonObject all = JsonParser.parseString(json.out()).getAsJsonObject();
        assertThat(all.get("holds").getAsBoolean()).isTrue();
        JsonObject one = all.getAsJsonArray("scenarios").get(0).getAsJsonObject();
        assertThat(one.get("scenario").getAsString()).isEqualTo("already-fine");
        assertThat(one.get("moves").getAsInt()).isZero();
        assertThat(one.getAsJsonObject("lastMaxOverMean").get("readsPerSecond").getAsDouble())
                .isBetween(1.0, 1.2);
        assertThat(one.getAsJsonArray("expectations").toString())
                .contains("{\"expected\":\"nothing moves\",\"holds\":true,\"got\":\"0\"}");

        List<String> csv = simulate("--output", "csv", file).out().lines().toList();
        assertThat(csv).hasSize(2);
        assertThat(csv.get(0))
                .isEqualTo(
                        "scenario,holds,lastsMs,evenAfterMs,moves,mostMovesInAnHour,mostMovesOfARegion,movesToAndFro,"
                                + "readsPerSecondFirstMaxOverMean,readsPerSecondLastMaxOverMean,"
                                + "writesPerSecondFirstMaxOverMean,writesPerSecondLastMaxOverMean");
        assertThat(csv.get(1)).startsWith("already-fine,true,").contains(",0,0,0,0,");
    }

    @Test
    void aProgramIsToldWhatDoesNotHold() {
        Result json = simulate(
                "--output",
                "json",
                "--set",
                "hearth.balancer.manual.pin.ms=0",
                "src/main/scenarios/moved-manually.yaml");

        assertThat(json.exitCode()).isEqualTo(1);
        assertThat(json.out())
                .startsWith("{\"holds\":false,")
                .contains("{\"expected\":\"region 3 of t stays where it is from 2h\",\"holds\":false,\"got\":\"1\"}");
    }

    @Test
    void aWrongArgumentOfSimulateIsOneLine() throws IOException {
        String help = " (bin/hearth simulate --help shows the options)\n";
        assertThat(simulate())
                .isEqualTo(new Result(2, "", "hearth simulate: no scenario is named: name files, or use --all" + help));
        assertThat(simulate("nowhere.yaml"))
                .isEqualTo(new Result(2, "", "hearth simulate: nowhere.yaml is no file that can be read" + help));
        Path wrong = Files.writeString(folder.resolve("wrong.yaml"), "title: Wrong\nlasts: long\n");
        assertThat(simulate(wrong.toString()))
                .isEqualTo(new Result(
                        2,
                        "",
                        "hearth simulate: wrong.yaml, line 2: lasts is \"long\"; it must be a time such as 90s, 20min or"
                                + " 2h 30min" + help));
    }
}
