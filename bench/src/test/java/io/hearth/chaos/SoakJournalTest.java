// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.chaos.SoakJournal.Begin;
import io.hearth.chaos.SoakJournal.Step;
import io.hearth.chaos.SoakLoad.OutsideFaults;
import io.hearth.chaos.SoakLoad.Totals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SoakJournalTest {

    private static final Begin BEGIN = new Begin("1f2e", 7, 120.5);
    private static final Totals LOAD = new Totals(9, 0, 0, 0, 1, new OutsideFaults(8, 0));
    private static final Step FIRST = new Step(301.5, "rack-cut", 7, List.of(), LOAD, Map.of("master heap", 5e7));
    private static final Step SECOND =
            new Step(640, "disk-full", 8, List.of("lost"), Totals.NONE, Map.of("master heap", 6e7));

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void twoSteps() throws IOException {
        file = folder.resolve("soak.jsonl");
        SoakJournal journal = SoakJournal.begin(file, BEGIN);
        assertThat(journal.seconds()).isZero();
        journal.add(FIRST);
        journal.add(SECOND);
    }

    @Test
    void itGoesOnWhereItWas() throws IOException {
        SoakJournal again = SoakJournal.read(file);

        assertThat(again.begun()).isEqualTo(BEGIN);
        assertThat(again.steps()).containsExactly(FIRST, SECOND);
        assertThat(again.seconds()).isEqualTo(640);

        again.add(FIRST);
        assertThat(SoakJournal.read(file).steps()).containsExactly(FIRST, SECOND, FIRST);
        assertThat(again.load()).isEqualTo(LOAD.plus(LOAD));
    }

    /** By a kill in the middle of a write. */
    @Test
    void aLineThatWasCutOffIsLeftOut() throws IOException {
        Files.writeString(file, "{\"atSeconds\":900.0,\"fault\":\"rack", StandardOpenOption.APPEND);

        SoakJournal again = SoakJournal.read(file);
        assertThat(again.steps()).containsExactly(FIRST, SECOND);
        again.add(FIRST);

        assertThat(SoakJournal.read(file).steps()).containsExactly(FIRST, SECOND, FIRST);
    }

    @Test
    void anotherFileIsOneLine() throws IOException {
        for (String text : List.of("", "soak\n", "{}\n", "[1]\n")) {
            Files.writeString(file, text);
            assertThatThrownBy(() -> SoakJournal.read(file))
                    .as("'%s'", text)
                    .isInstanceOf(IOException.class)
                    .hasMessage(file + " is not the journal of a soak");
        }
    }
}
