// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.cli.HealCompletionCheck.HealResult;
import io.hearth.healer.core.RequestedHeals.HealCounts;
import io.hearth.healer.estimate.HealEstimate;
import io.hearth.healer.estimate.HealEstimate.DataNodeTime;
import io.hearth.healer.fakes.Racks;
import io.hearth.healer.metrics.HealLimit;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.SkipReason;
import io.hearth.healer.move.TrackedMove.MoveState;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HealJsonReportTest {

    private Runnable whenAskedForTheTime = () -> {};
    private final StringWriter text = new StringWriter();
    private final HealProgress progress = new HealProgress(1.0);
    private final HealJsonReport document = document(false);

    private HealJsonReport document(boolean dryRun) {
        return new HealJsonReport(
                new PrintWriter(text),
                progress,
                new HealOptions(Optional.empty(), 1.0, dryRun, false, OptionalLong.empty()),
                this::nowMs);
    }

    private long nowMs() {
        whenAskedForTheTime.run();
        return 0;
    }

    private JsonObject parsed() {
        assertThat(text.toString().lines()).hasSize(1);
        return JsonParser.parseString(text.toString()).getAsJsonObject();
    }

    @Test
    void aHealOfThisProcessIsCountedByTheNameNode() {
        ServedRegion region = HealFixtures.region("r", "a1", 30, 100);
        BlockMove move = HealFixtures.move(region, 1, 70);
        progress.observed(HealFixtures.snapshot(region));
        progress.planned(region, HealFixtures.plan(30, 100, Map.of(SkipReason.IN_FLIGHT, 2L), move), List.of(move));
        progress.ended(move, MoveState.VERIFIED);
        progress.copiedAcrossRacks(move, 70);

        document.ended(new HealResult(ExitCode.DONE, "locality is 1.0000"));

        JsonObject json = parsed();
        assertThat(json.remove("durationMs").getAsLong()).isNotNegative();
        assertThat(json.toString())
                .isEqualTo("{\"result\":\"done\",\"exitCode\":0,\"message\":\"locality is 1.0000\",\"healedBytes\":70,"
                        + "\"healedBytesBy\":\"namenode\",\"bytesAcrossRacks\":70,\"bytesToGo\":0,\"firstLocality\":0.3,"
                        + "\"locality\":1.0,\"regions\":1,\"remoteRegions\":0,\"regionsLocalNotReported\":0,\"openMoves\":0,\"failedMoves\":0,"
                        + "\"skippedBlocks\":{\"in_flight\":2}}");
    }

    @Test
    void aDryRunSaysWhatItWouldMove() {
        ServedRegion region = HealFixtures.region("r", "a1", 30, 100);
        progress.observed(HealFixtures.snapshot(region));
        progress.planned(region, HealFixtures.plan(30, 100, Map.of(), HealFixtures.move(region, 1, 70)), List.of());

        document(true).ended(new HealResult(ExitCode.DONE, "1 move"));

        assertThat(parsed().get("advisedMoves").getAsInt()).isEqualTo(1);
        assertThat(parsed().get("advisedBytes").getAsLong()).isEqualTo(70);
        assertThat(parsed().get("healedBytes").getAsLong()).isZero();
    }

    @Test
    void aDryRunSaysHowLongItWouldTake() {
        progress.estimated(new HealEstimate(
                70,
                1,
                5,
                2,
                9.5,
                HealLimit.DATANODE_BANDWIDTH,
                List.of(new DataNodeTime(Racks.node("a1"), 70, 0, 100, 0.7))));

        document(true).ended(new HealResult(ExitCode.DONE, "1 move"));

        assertThat(parsed().get("estimate").toString())
                .isEqualTo("{\"bytes\":70,\"moves\":1,\"nameNodeCalls\":5,\"nameNodeMs\":2,\"durationMs\":9500,"
                        + "\"heldBackBy\":\"bandwidth of DataNodes\",\"dataNodes\":[{\"host\":\"a1\",\"bytesIn\":70,"
                        + "\"bytesOut\":0,\"limitBytesPerSecond\":100,\"durationMs\":700}]}");
    }

    /** Beside the master's own, which are of all that it heals, whoever asked for it. */
    @Test
    void aHealByTheMasterHasItsOwnMoves() {
        progress.countByReports();
        progress.observed(HealFixtures.snapshot(HealFixtures.region("r", "a1", 30, 100)));
        progress.masterOpenMoves(7);
        progress.masterCounts(Optional.of(new HealCounts("h", 1, 2, 60, 3, OptionalLong.of(9))));

        document.ended(new HealResult(ExitCode.INCOMPLETE, "why"));

        JsonObject json = parsed();
        assertThat(json.get("openMoves").getAsInt()).isEqualTo(1);
        assertThat(json.get("failedMoves").getAsInt()).isEqualTo(3);
        assertThat(json.get("masterOpenMoves").getAsInt()).isEqualTo(7);
        assertThat(json.get("healedBytes").getAsLong()).isEqualTo(60);
        assertThat(json.get("healedBytesBy").getAsString()).isEqualTo("namenode");
        assertThat(json.get("bytesAcrossRacks").getAsLong()).isEqualTo(9);
    }

    /** A signal comes while the master is asked: the document is of one moment all the same. */
    @Test
    void whatIsHeardWhileItIsWrittenIsNotHalfInIt() {
        progress.countByReports();
        progress.observed(HealFixtures.snapshot(HealFixtures.region("r", "a1", 30, 100)));
        whenAskedForTheTime =
                () -> progress.masterCounts(Optional.of(new HealCounts("h", 1, 2, 60, 3, OptionalLong.of(9))));

        document.interrupted();

        assertThat(parsed().get("healedBytes").getAsLong()).isZero();
        assertThat(parsed().get("healedBytesBy").getAsString()).isEqualTo("reports");
        assertThat(parsed().has("bytesAcrossRacks")).isFalse();
        assertThat(parsed().has("openMoves")).isFalse();
    }

    /** As after a failover: the next master knows nothing of the heal. */
    @Test
    void aHealThatTheMasterDoesNotKnowIsCountedByWhatItsRegionsServersReport() {
        progress.countByReports();
        progress.observed(
                HealFixtures.snapshot(HealFixtures.region("r", "a1", 30, 100), HealFixtures.region("s", "a2", 50, 50)));
        progress.observed(
                HealFixtures.snapshot(HealFixtures.region("r", "a1", 90, 100), HealFixtures.region("s", "a2", 50, 60)));

        document.ended(new HealResult(ExitCode.INCOMPLETE, "why"));

        assertThat(parsed().get("healedBytes").getAsLong()).isEqualTo(60);
        assertThat(parsed().keySet())
                .as("of that master's moves nobody knows whose they are")
                .doesNotContain("openMoves", "failedMoves", "masterOpenMoves");
        assertThat(parsed().get("healedBytesBy").getAsString()).isEqualTo("reports");
        assertThat(parsed().get("exitCode").getAsInt()).isEqualTo(1);
    }

    @Test
    void theMovesThatTheMasterHasOpenAreToldAsTheMasters() {
        progress.countByReports();
        progress.masterOpenMoves(7);
        document.interrupted();

        assertThat(parsed().get("masterOpenMoves").getAsInt()).isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--target-locality=2|--target-locality is 2.0; allowed are numbers from 0 to 1",
                "--bandwidth=fast|--bandwidth is fast; allowed are bytes per second like 50MB, 1.5GB or 0",
                "--table=no:such:table|--table is no:such:table, which can't be a table's name"
            })
    void whatMakesNoSenseHasADocumentToo(String option, String message) {
        StringWriter err = new StringWriter();

        int code = Main.run(new PrintWriter(text), new PrintWriter(err), "healer", "run", "--output", "json", option);

        assertThat(code).isEqualTo(2);
        JsonObject json = parsed();
        assertThat(json.get("result").getAsString()).isEqualTo("usage");
        assertThat(json.get("exitCode").getAsInt()).isEqualTo(2);
        assertThat(json.get("message").getAsString()).startsWith(message);
        assertThat(err.toString()).contains(message);
    }

    @Test
    void whoeverIsFirstHasTheLastWord() {
        document.interrupted();
        document.ended(new HealResult(ExitCode.DONE, "too late"));

        assertThat(parsed().get("result").getAsString()).isEqualTo("interrupted");
        assertThat(parsed().has("exitCode"))
                .as("the process has that of the signal")
                .isFalse();
    }

    @Test
    void whatFailsHasADocumentToo() {
        StringWriter err = new StringWriter();

        int code = Main.run(
                new PrintWriter(text),
                new PrintWriter(err),
                "healer",
                "run",
                "--output",
                "json",
                "--config",
                "/nowhere/at/all");

        assertThat(code).isNotZero();
        assertThat(parsed().get("exitCode").getAsInt()).isEqualTo(code);
        assertThat(err.toString())
                .startsWith("hearth healer run: ")
                .contains(parsed().get("message").getAsString());
    }
}
