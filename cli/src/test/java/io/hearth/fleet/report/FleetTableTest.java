// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.fleet.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.model.Quantiles;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.fleet.model.ClusterHealth;
import io.hearth.fleet.model.FleetFixtures;
import io.hearth.fleet.model.FleetRow;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FleetTableTest {

    private static final List<FleetRow> ROWS = List.of(
            FleetFixtures.good("west"),
            FleetFixtures.bad("east"),
            FleetFixtures.empty("new"),
            FleetFixtures.silent("north", "the cluster can't be asked: " + "x".repeat(200)));

    @Test
    void aClusterIsARow() {
        assertThat(FleetTable.of(ROWS).lines(""))
                .containsExactly(
                        "cluster  servers  local p25     min  <80 %  reads  writes  store size  budget left            doctor",
                        "west           4     97.0 %  97.0 %      0  1.08    1.02        1.10   gets 43 %              nothing to mend",
                        "east           4     41.0 %  41.0 %      2  3.40*   1.02        1.10   gets spent 31 times    ERROR read-block-locations, 2 more",
                        "new            4          -       -      -  1.00    1.02        1.10   -                      -                                   doctor: none is in the master",
                        "north          -          -       -      -      -       -           -  gets spent 2.04 times  -                                   NO ANSWER: the cluster can't be asked: "
                                + "x".repeat(91) + "\u2026");
    }

    @Test
    void aProgramReadsWholeNumbersAndNothingForWhatIsUnknown() {
        assertThat(FleetTable.of(ROWS.subList(1, 3)).csv())
                .containsExactly(
                        "cluster,servers,localityLowerQuartile,localityMin,serversBelow80Percent,readsPerSecond,writesPerSecond,storeBytes,budgetLeft,doctor,problem",
                        "east,4,0.41,0.41,2,3.4,1.02,1.1,gets spent 31 times,\"ERROR read-block-locations, 2 more\",",
                        "new,4,,,,1.0,1.02,1.1,,,doctor: none is in the master");
    }

    /** Broken (they are left out without a word): a cluster of three even servers, of which there are five. */
    @Test
    void serversThatAreInNoFigureAreSaid() {
        FleetRow row = new FleetRow(
                "west",
                ProbeResult.known(new ClusterHealth(
                        FleetFixtures.AT_MS, "m1:16000", false, 3, 2, 30, Quantiles.of(1, 1, 1), Map.of())),
                ProbeResult.unknown(""),
                ProbeResult.unknown(""));

        assertThat(FleetTable.of(List.of(row)).csv().get(1))
                .isEqualTo("west,3,1.0,1.0,0,,,,,,servers that have not answered: 2");
        assertThat(FleetPage.html(List.of(row), FleetFixtures.AT_MS))
                .contains("<td class=\"bad\" title=\"m1:16000, seen from outside\">3, 2 silent</td>");
    }

    @Test
    void theSummarySaysHowManyAnswered() {
        assertThat(FleetTable.summary(ROWS))
                .isEqualTo("4 clusters, 1 did not answer; reads, writes and store size are max/mean over servers,"
                        + " * what is uneven");
        assertThat(FleetTable.summary(ROWS.subList(0, 1))).startsWith("1 cluster, all answered;");
    }
}
