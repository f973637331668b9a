// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Fix.Advice;
import io.hearth.doctor.model.Finding.Fix.Command;
import io.hearth.doctor.model.Finding.Severity;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs.ProbedDirectory;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DirectoryFindingsTest {

    private static final Advice OWN = new Advice("Look again");
    private static final FindingTemplate TEMPLATE = new FindingTemplate("check", Severity.ERROR, "cost", "source", OWN);

    private static List<Finding> found(ProbedDirectory... directories) {
        return DirectoryFindings.of(
                TEMPLATE, "hdfs dfs -setrep -R 3", Arrays.asList(directories), ProbedDirectory::erasureCoding, "what");
    }

    private static ProbedDirectory striped(String path) {
        return new ProbedDirectory(path, "RS-6-3", "", 0);
    }

    /** A shell takes what the path is, whoever has named it. */
    @Test
    void aPathIsPastedAsItIs() {
        assertThat(found(striped("/hbase/data/default/t-1.x_2"), striped("/my data/$(reboot)/it's")))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.where())
                            .containsExactly(
                                    "/hbase/data/default/t-1.x_2 (RS-6-3)", "/my data/$(reboot)/it's (RS-6-3)");
                    assertThat(finding.fixes())
                            .containsExactly(
                                    new Command("hdfs dfs -setrep -R 3 /hbase/data/default/t-1.x_2"),
                                    new Command("hdfs dfs -setrep -R 3 '/my data/$(reboot)/it'\\''s'"),
                                    OWN);
                });
    }

    @Test
    void whatHasNothingIsNotFound() {
        assertThat(found(new ProbedDirectory("/hbase", "", "", 1))).isEmpty();
    }

    @Test
    void beyondTenTheSameIsSaidOnce() {
        assertThat(found(IntStream.range(0, 13)
                                .mapToObj(number -> striped("/d" + number))
                                .toArray(ProbedDirectory[]::new))
                        .get(0)
                        .fixes())
                .hasSize(12)
                .endsWith(
                        new Command("hdfs dfs -setrep -R 3 /d9"), new Advice("The same for the other 3 folders"), OWN);
    }
}
