// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.doctor.model.Finding.Fix;
import io.hearth.doctor.model.Finding.Fix.Advice;
import io.hearth.doctor.model.Finding.Fix.Command;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs.ProbedDirectory;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FolderCommandsTest {

    private static ProbedDirectory directory(String path) {
        return new ProbedDirectory(path, "", "", 1);
    }

    /** A shell takes what the path is, whoever has named it. */
    @Test
    void aPathIsPastedAsItIs() {
        assertThat(FolderCommands.of(
                        "hdfs dfs -setrep -R 3 ",
                        List.of(directory("/hbase/data/default/t-1.x_2"), directory("/my data/$(reboot)/it's"))))
                .containsExactly(
                        new Command("hdfs dfs -setrep -R 3 /hbase/data/default/t-1.x_2"),
                        new Command("hdfs dfs -setrep -R 3 '/my data/$(reboot)/it'\\''s'"));
    }

    @Test
    void beyondTenTheSameIsSaidOnce() {
        List<Fix> fixes = FolderCommands.of(
                "run ",
                IntStream.range(0, 13)
                        .mapToObj(number -> directory("/d" + number))
                        .toList());

        assertThat(fixes).hasSize(11).endsWith(new Command("run /d9"), new Advice("The same for the other 3 folders"));
    }
}
