// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import io.hearth.chaos.ChaosCommand.SavedResults;
import io.hearth.chaos.ChaosRun.FaultResult;
import io.hearth.cli.view.Table;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/** What breaks nothing. */
class ChaosCommandTest {

    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private int run(String... arguments) {
        CommandLine command = ChaosCommand.commandLine();
        command.setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void everyFaultIsKnownByItsNameAndWithoutAClusterNothingIsDone(Fault fault) {
        assertThat(run("--fault", fault.toString(), "--folder", folder.toString()))
                .isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo("hearth chaos: there is no cluster in " + folder
                        + "; bin/hearth cluster start starts one (bin/hearth chaos --help shows the options)\n");
    }

    @Test
    void anUnknownFaultIsOneLineWithTheKnownOnes() {
        assertThat(run("--fault", "flood")).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("hearth chaos: Invalid value for option '--fault' (FAULT): there is no 'flood'; allowed are"
                        + " none, master-killed, target-datanode-killed, ")
                .contains(
                        "bad-reload, switched-off, replication-changed, namenodes-rolled, coprocessors-changed (bin/hearth")
                .hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource({
        "--seeds=0, --seeds is 0; allowed are 1 to 100",
        "--seeds=-1, --seeds is -1; allowed are 1 to 100",
        "--seeds=101, --seeds is 101; allowed are 1 to 100",
        "--seeds=2 --seed=7, --seed and --seeds are one too many; allowed is either"
    })
    void noSeedAtAllIsNotThatAllHolds(String arguments, String complaint) {
        assertThat(run(arguments.split(" "))).isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo("hearth chaos: " + complaint + " (bin/hearth chaos --help shows the options)\n");
    }

    @Test
    void aProgramReadsTheSameFiguresAsAPerson() {
        List<FaultResult> results = List.of(
                new FaultResult(Fault.NONE, 7, 12, 3, 41, OptionalDouble.of(1.125), 900, 0, 87, 450, List.of()),
                new FaultResult(
                        Fault.NONE, 8, 0, 0, 0, OptionalDouble.empty(), 0, 2, 5_000, 0, List.of("2 rows, lost")));

        SavedResults saved = new SavedResults(false, List.of(new SavedResults.SavedResult("none", 7, 1, 95)));

        assertThat(new Gson()
                        .toJson(results.stream()
                                .map(result -> ChaosCommand.ResultDocument.of(result, saved.of(result)))
                                .toList()))
                .isEqualTo(("[{'fault':'none','seed':7,'regionsMoved':12,'movesAhead':3,'convergeMs':41000,"
                                + "'maxOverMean':1.125,'requests':900,'acknowledgedRows':450,'slowestMs':87,'errors':0,'otherSlowestMs':95,'otherErrors':1,"
                                + "'holds':true,'violations':[]},{'fault':'none','seed':8,'regionsMoved':0,'movesAhead':0,"
                                + "'convergeMs':0,'requests':0,'acknowledgedRows':0,'slowestMs':5000,'errors':2,"
                                + "'holds':false,'violations':['2 rows, lost']}]")
                        .replace('\'', '"'));
        assertThat(Table.of(results, ChaosCommand.columns(Optional.of(saved))).csv())
                .containsExactly(
                        "fault,seed,regionsMoved,movesAhead,convergeMs,maxOverMean,requests,acknowledgedRows,"
                                + "slowestMs,errors,otherSlowestMs,otherErrors,holds",
                        "none,7,12,3,41000,1.125,900,450,87,0,95,1,true",
                        "none,8,0,0,0,,0,0,5000,2,,,false");
    }

    @Test
    void theDocumentNamesEveryFault() throws Exception {
        String document = Files.readString(Path.of("../docs/test-cluster.md"));

        for (Fault fault : Fault.values()) {
            assertThat(document).contains("| `" + fault + "` |");
        }
    }
}
