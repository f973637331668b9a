// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.readers.ReaderResult;
import io.hearth.bench.readers.ReaderResult.BlockMoves;
import io.hearth.bench.readers.ReaderResult.StreamReadStatistics;
import io.hearth.bench.readers.ReaderResultTable;
import io.hearth.bench.readers.ReaderSetup;
import io.hearth.bench.threshold.PrintedReport;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BenchReadersCommandTest {

    private static final ReaderResult.Phase QUIET = new ReaderResult.Phase(900, 0, 1, 0, 0, 120.4, 0, 0);
    private static final ReaderResult GOOD = new ReaderResult(
            new BlockMoves(52, true, 0),
            52,
            QUIET,
            new ReaderResult.Phase(1_000, 0, 3, 1, 0, 260.6, 0, 0),
            0.0,
            0.98,
            0.01,
            new StreamReadStatistics(200_000_000, 120_000_000, 50_000_000),
            0);
    private static final ReaderResult BAD = new ReaderResult(
            new BlockMoves(51, true, 3),
            52,
            QUIET,
            new ReaderResult.Phase(1_000, 2, 9, 8, 7, 2_900, 40, 11),
            0.0,
            0.979,
            0.4,
            new StreamReadStatistics(0, 0, 0),
            1);

    private static final String STALLING =
            "3 moves could stall a reader: every DataNode where it looks for some block had"
                    + " just given up a replica of that file";
    private static final String PAST = "40.0 % of the bytes read at the end came past the DataNodes";

    @Test
    void theBarsThatHold() {
        assertThat(GOOD.thresholds(ReaderSetup.HEARTH_WITH_JAR).violations()).isEmpty();
        assertThat(GOOD.thresholds(ReaderSetup.HEARTH_SHORT_CIRCUIT).violations())
                .containsExactly("1.0 % of the bytes read at the end came past the DataNodes");
    }

    @Test
    void eachSetupHasItsBars() {
        assertThat(BAD.thresholds(ReaderSetup.DEFAULT).violations())
                .containsExactly(
                        "only 51 of 52 blocks moved", "1 regions were opened again", "2 reads failed", STALLING, PAST);
        assertThat(BAD.thresholds(ReaderSetup.HEARTH).violations())
                .contains(
                        "11 stalls",
                        "7 reads above 250 ms met a failover or a stall",
                        "97.9 % of the bytes read at the end are local")
                .doesNotContain("40 failovers");
        assertThat(BAD.thresholds(ReaderSetup.HEARTH_SHORT_CIRCUIT).violations())
                .contains(PAST)
                .doesNotContain("40 failovers");
        assertThat(BAD.thresholds(ReaderSetup.HEARTH_WITH_JAR).violations()).contains("40 failovers");
    }

    @Test
    void theTableHasALineForEachSetup() {
        Map<ReaderSetup, ReaderResult> results = new EnumMap<>(ReaderSetup.class);
        results.put(ReaderSetup.DEFAULT, BAD);
        results.put(ReaderSetup.HEARTH_WITH_JAR, GOOD);

        assertThat(ReaderResultTable.of(results).lines())
                .hasSize(3)
                .anyMatch(line -> line.matches(" client's defaults +51 +1000 +2 +40 +11 .*2900 \\(120\\).*97.9 % .*"))
                .anyMatch(line -> line.startsWith(" ours + DataNode jar"));
        assertThat(ReaderResultTable.streams(results))
                .containsExactly("ours + DataNode jar: the RegionServer's own count, from the opening of the streams to"
                        + " their end: 200 MB, 60.0 % local, 25.0 % short-circuit.");
    }

    @Test
    void aProgramReadsEachFigureAndWhatMissed() {
        Map<ReaderSetup, ReaderResult> results = new EnumMap<>(ReaderSetup.class);
        results.put(ReaderSetup.DEFAULT, BAD);
        results.put(ReaderSetup.HEARTH_WITH_JAR, GOOD);

        assertThat(PrintedReport.json(output -> BenchReadersCommand.report(results, output)))
                .startsWith(
                        "{\"figures\":[",
                        "{\"of\":\"client's defaults\",\"figure\":\"blocks moved\",\"value\":51.0,\"unit\":\"\",\"atLeast\":52.0,\"holds\":false}")
                .contains(
                        "{\"of\":\"client's defaults\",\"figure\":\"stalls\",\"value\":11.0,\"unit\":\"\"}",
                        "{\"of\":\"client's defaults\",\"figure\":\"worst\",\"value\":2900.0,\"unit\":\"ms\"}",
                        "{\"of\":\"ours + DataNode jar\",\"figure\":\"moves that could stall a reader\",\"value\":0.0,\"unit\":\"\",\"atMost\":0.0,\"holds\":true}",
                        "{\"of\":\"ours + DataNode jar\",\"figure\":\"failovers\",\"value\":0.0,\"unit\":\"\",\"atMost\":0.0,\"holds\":true}",
                        "{\"of\":\"ours + DataNode jar\",\"figure\":\"local bytes, after\",\"value\":98.0,\"unit\":\"%\",\"atLeast\":98.0,\"holds\":true}",
                        "{\"of\":\"ours + DataNode jar\",\"figure\":\"RegionServer's own count, short circuit\",\"value\":25.0,\"unit\":\"%\"}")
                .endsWith("],\"holds\":false,\"missed\":[\"client's defaults: only 51 of 52 blocks moved\","
                        + "\"client's defaults: 1 regions were opened again\",\"client's defaults: 2 reads failed\","
                        + "\"client's defaults: "
                        + STALLING + "\",\"client's defaults: "
                        + PAST + "\"]}");
    }

    @Test
    void figuresAreCsvAndTheTableIsOnStandardError() {
        Map<ReaderSetup, ReaderResult> results = new EnumMap<>(ReaderSetup.class);
        results.put(ReaderSetup.HEARTH_WITH_JAR, GOOD);
        PrintedReport printed = PrintedReport.of("csv", output -> BenchReadersCommand.report(results, output));

        assertThat(printed.exitCode()).isZero();
        assertThat(printed.out())
                .startsWith("of,figure,value,unit,atLeast,atMost,holds")
                .contains("ours + DataNode jar,above 250 ms in a failover,0.0,,,0.0,true");
        assertThat(printed.err())
                .contains(ReaderResultTable.streams(results).get(0))
                .endsWith(
                        "A read above 250 ms is due to the moves if a stream lost a replica during it.",
                        "All thresholds hold.");
    }

    @Test
    void aShareOfNothingHasNoValue() {
        ReaderResult nothingRead = new ReaderResult(
                new BlockMoves(52, false, 0),
                52,
                QUIET,
                QUIET,
                Double.NaN,
                Double.NaN,
                0,
                new StreamReadStatistics(0, 0, 0),
                0);

        assertThat(PrintedReport.json(
                        output -> BenchReadersCommand.report(Map.of(ReaderSetup.HEARTH, nothingRead), output)))
                .contains(
                        "{\"of\":\"ours\",\"figure\":\"local bytes, after\",\"unit\":\"%\",\"atLeast\":98.0,\"holds\":false}")
                .noneMatch(line -> line.contains("RegionServer's own count"))
                .noneMatch(line -> line.contains("stall a reader"));
    }

    @Test
    void theRowsAreThoseOfConf() {
        Path conf = Path.of("..", "conf");

        assertThat(ReaderSetup.DEFAULT.properties(conf))
                .containsEntry("dfs.client.refresh.read-block-locations.ms", "0")
                .doesNotContainKey("dfs.datanode.fsdataset.factory");
        assertThat(ReaderSetup.HEARTH.properties(conf))
                .containsEntry("dfs.client.refresh.read-block-locations.ms", "10000")
                .hasSize(5)
                .doesNotContainKey("dfs.datanode.fsdataset.factory");
        assertThat(ReaderSetup.HEARTH_WITH_JAR.properties(conf))
                .containsKey("dfs.datanode.fsdataset.factory")
                .containsEntry("hearth.datanode.deletion.delay.ms", "30000");
    }

    @Test
    void aWrongArgumentIsOneLine() {
        assertThat(complaintAbout("readers", "--setup", "THEIRS"))
                .startsWith(
                        "hearth bench readers: Invalid value for option '--setup' (SETUP): expected one of [DEFAULT, HEARTH,"
                                + " HEARTH_WITH_JAR, HEARTH_SHORT_CIRCUIT] (case-insensitive) but was 'THEIRS'");
        assertThat(complaintAbout("readers", "--setup", "HEARTH_SHORT_CIRCUIT"))
                .startsWith("hearth bench readers: HEARTH_SHORT_CIRCUIT needs --processes");
    }

    private static String complaintAbout(String... arguments) {
        StringWriter err = new StringWriter();
        assertThat(BenchCommand.commandLine().setErr(new PrintWriter(err, true)).execute(arguments))
                .isEqualTo(2);
        return err.toString();
    }
}
