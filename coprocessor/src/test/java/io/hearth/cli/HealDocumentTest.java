package io.hearth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healing.execute.MoveState;
import io.hearth.healing.model.BlockMove;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.model.SkipReason;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;

class HealDocumentTest {

    private final StringWriter text = new StringWriter();
    private final HealProgress progress = new HealProgress(1.0);
    private final HealDocument document = document(false);

    private HealDocument document(boolean dryRun) {
        return new HealDocument(new PrintWriter(text), progress, new HealOrders(Optional.empty(), 1.0, dryRun, false));
    }

    private JsonObject written() {
        assertThat(text.toString().lines()).hasSize(1);
        return JsonParser.parseString(text.toString()).getAsJsonObject();
    }

    @Test
    void aHealOfThisProcessIsCountedByTheNameNode() {
        ServedRegion region = Healed.region("r", "a1", 30, 100);
        BlockMove move = Healed.move(region, 1, 70);
        progress.looked(Healed.look(region));
        progress.planned(region, Healed.plan(30, 100, Map.of(SkipReason.IN_FLIGHT, 2L), move), List.of(move));
        progress.ended(move, MoveState.HEALED);

        document.ended(new Verdict(ExitCode.DONE, "locality is 1.0000"));

        JsonObject json = written();
        assertThat(json.remove("durationMs").getAsLong()).isNotNegative();
        assertThat(json.toString())
                .isEqualTo("{\"result\":\"done\",\"exitCode\":0,\"message\":\"locality is 1.0000\",\"healedBytes\":70,"
                        + "\"healedBytesBy\":\"namenode\",\"bytesToGo\":0,\"firstLocality\":0.3,\"locality\":1.0,"
                        + "\"regions\":1,\"regionsAway\":0,\"regionsLocalNotReported\":0,\"openMoves\":0,\"failedMoves\":0,"
                        + "\"staying\":{\"in_flight\":2}}");
    }

    @Test
    void aDryRunSaysWhatItWouldMove() {
        ServedRegion region = Healed.region("r", "a1", 30, 100);
        progress.looked(Healed.look(region));
        progress.planned(region, Healed.plan(30, 100, Map.of(), Healed.move(region, 1, 70)), List.of());

        document(true).ended(new Verdict(ExitCode.DONE, "1 move"));

        assertThat(written().get("advisedMoves").getAsInt()).isEqualTo(1);
        assertThat(written().get("advisedBytes").getAsLong()).isEqualTo(70);
        assertThat(written().get("healedBytes").getAsLong()).isZero();
    }

    /** The master's own counts are of all that it heals, whoever asked for it. */
    @Test
    void aHealByTheMasterIsCountedByWhatItsRegionsServersReport() {
        progress.countByReports();
        progress.looked(Healed.look(Healed.region("r", "a1", 30, 100), Healed.region("s", "a2", 50, 50)));
        progress.looked(Healed.look(Healed.region("r", "a1", 90, 100), Healed.region("s", "a2", 50, 60)));

        document.ended(new Verdict(ExitCode.INCOMPLETE, "why"));

        assertThat(written().get("healedBytes").getAsLong()).isEqualTo(60);
        assertThat(written().get("healedBytesBy").getAsString()).isEqualTo("reports");
        assertThat(written().get("exitCode").getAsInt()).isEqualTo(1);
    }

    @Test
    void whoeverIsFirstHasTheLastWord() {
        document.interrupted();
        document.ended(new Verdict(ExitCode.DONE, "too late"));

        assertThat(written().get("result").getAsString()).isEqualTo("interrupted");
        assertThat(written().has("exitCode"))
                .as("the process has that of the signal")
                .isFalse();
    }

    @Test
    void whatFailsHasADocumentToo() {
        StringWriter err = new StringWriter();

        int code =
                Main.run(new PrintWriter(text), new PrintWriter(err), "heal", "--json", "--config", "/nowhere/at/all");

        assertThat(code).isNotZero();
        assertThat(written().get("exitCode").getAsInt()).isEqualTo(code);
        assertThat(err.toString())
                .startsWith("hearth heal: ")
                .contains(written().get("message").getAsString());
    }
}
