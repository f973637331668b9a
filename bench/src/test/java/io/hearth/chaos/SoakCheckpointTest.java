// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.chaos.SoakLoad.OutsideFaults;
import io.hearth.chaos.SoakLoad.Totals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SoakCheckpointTest {

    private static final String CLUSTER = "1f2e";
    private static final Totals LOAD = new Totals(90, 1, 2, 3, 4, new OutsideFaults(50, 2));

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void besideAJournal() {
        file = SoakCheckpoint.fileOf(folder.resolve("soak.jsonl"));
    }

    @Test
    void theNextReplacesIt() throws IOException {
        new SoakCheckpoint(CLUSTER, Totals.NONE, SoakRows.NONE_ACKNOWLEDGED).write(file);
        SoakCheckpoint next = new SoakCheckpoint(CLUSTER, LOAD, Collections.nCopies(SoakRows.COUNT, 7));
        next.write(file);

        assertThat(SoakCheckpoint.read(file, CLUSTER)).isEqualTo(next);
        assertThat(folder).isDirectoryContaining("glob:**/soak.jsonl.checkpoint");
        assertThat(folder.toFile().list()).hasSize(1);
    }

    @Test
    void whatTheJournalLacksIsOfTheStepThatWasCutOff() {
        assertThat(LOAD.beyond(new Totals(60, 0, 2, 1, 4, new OutsideFaults(30, 2))))
                .isEqualTo(new Totals(30, 1, 0, 2, 0, new OutsideFaults(20, 0)));
        assertThat(LOAD.beyond(new Totals(100, 1, 3, 3, 9, new OutsideFaults(51, 3))))
                .as("the last step ended after the last checkpoint")
                .isEqualTo(Totals.NONE);
    }

    @Test
    void withoutItNobodyKnowsWhatWasAcknowledged() {
        assertThatThrownBy(() -> SoakCheckpoint.read(file, CLUSTER))
                .isInstanceOf(IOException.class)
                .hasMessage(file + " is not there, and nothing else says which rows were acknowledged; name another"
                        + " --journal");
    }

    @Test
    void anotherFileIsOneLine() throws IOException {
        new SoakCheckpoint("other", LOAD, SoakRows.NONE_ACKNOWLEDGED).write(file);
        String ofAnotherCluster = Files.readString(file);
        new SoakCheckpoint(CLUSTER, LOAD, List.of(1, 2, 3)).write(file);
        String ofFewRows = Files.readString(file);
        for (String text : List.of("", "{}", "[1]", "soak", ofAnotherCluster, ofFewRows)) {
            Files.writeString(file, text);
            assertThatThrownBy(() -> SoakCheckpoint.read(file, CLUSTER))
                    .isInstanceOf(IOException.class)
                    .hasMessage(file + " is not the checkpoint of a soak of cluster 1f2e; name another --journal");
        }
    }

    @Test
    void theWriterWritesWhatIsKnownThen() throws IOException {
        Totals[] known = {Totals.NONE};
        try (SoakCheckpoint.Writer writer = SoakCheckpoint.Writer.start(
                file, () -> new SoakCheckpoint(CLUSTER, known[0], SoakRows.NONE_ACKNOWLEDGED))) {
            known[0] = LOAD;
            writer.write();
        }
        assertThat(SoakCheckpoint.read(file, CLUSTER).load()).isEqualTo(LOAD);
    }
}
