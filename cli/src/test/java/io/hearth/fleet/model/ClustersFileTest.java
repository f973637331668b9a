// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.fleet.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.fleet.model.ClustersFile.BudgetSource;
import io.hearth.fleet.model.ClustersFile.Cluster;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClustersFileTest {

    private static final Path FILE = Path.of("/etc/fleet/clusters.txt");

    @Test
    void aLineIsACluster() {
        ClustersFile file = ClustersFile.parse(
                """
                # all of them
                west /etc/hbase/west   http://watch1:9469/metrics # the largest

                \teast\t../hbase/east  slo-east  east.txt
                n-1_a.b north
                """,
                FILE);

        assertThat(file.problems()).isEmpty();
        assertThat(file.clusters())
                .containsExactly(
                        new Cluster(
                                "west",
                                Path.of("/etc/hbase/west"),
                                Optional.of(new BudgetSource.Metrics("http://watch1:9469/metrics"))),
                        new Cluster(
                                "east",
                                Path.of("/etc/hbase/east"),
                                Optional.of(new BudgetSource.Store(
                                        Path.of("/etc/fleet/slo-east"), Path.of("/etc/fleet/east.txt")))),
                        new Cluster("n-1_a.b", Path.of("/etc/fleet/north"), Optional.empty()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "west| 'west' can't be used: it must be NAME FOLDER, NAME FOLDER URL or NAME FOLDER SLO-FOLDER OBJECTIVES",
                "a b c d e| 'a b c d e' can't be used: it must be NAME FOLDER, NAME FOLDER URL or NAME FOLDER SLO-FOLDER OBJECTIVES",
                "we/st conf| 'we/st' can't be a name: it must be up to 60 letters, digits, dots, underscores and hyphens, a letter or digit first",
                "west conf slo| after the folder 'slo' of slo run the file of its objectives is missing",
                "west conf ftp://host/metrics| 'ftp://host/metrics' can't be an address: it must be like http://watch1:9469/metrics",
                "west conf http://host/a?b=c| 'http://host/a?b=c' can't be an address: it must be like http://watch1:9469/metrics",
                "west conf http://host/metrics objectives| 'objectives' is too much: metrics tell of the objectives by themselves",
                "good conf| line 1 has the name 'good' already"
            })
    void aBadLineIsSaidAndLeftOut(String line, String problem) {
        ClustersFile file = ClustersFile.parse("good conf\n" + line + "\nlast conf", FILE);

        assertThat(file.clusters()).extracting(Cluster::name).containsExactly("good", "last");
        assertThat(file.problems())
                .containsExactly(
                        "/etc/fleet/clusters.txt, line 2: " + problem + ". This line is left out, the others hold.");
    }

    @Test
    void whatNobodyCanSeeIsNotPrinted() {
        assertThat(ClustersFile.parse("a\u001b[2J", FILE).problems().get(0)).doesNotContain("\u001b");
    }

    @Test
    void thereAreFiveHundredAtMost() {
        String lines = IntStream.rangeClosed(1, 501)
                .mapToObj(number -> "c" + number + " conf\n")
                .collect(Collectors.joining());

        ClustersFile file = ClustersFile.parse(lines, FILE);

        assertThat(file.clusters()).hasSize(500);
        assertThat(file.problems())
                .containsExactly("/etc/fleet/clusters.txt, line 501: there are more than 500 clusters."
                        + " This line is left out, the others hold.");
    }
}
