// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.fleet.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.fleet.model.FleetFixtures;
import io.hearth.fleet.model.FleetRow;
import java.util.List;
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

    @Test
    void theSummarySaysHowManyAnswered() {
        assertThat(FleetTable.summary(ROWS))
                .isEqualTo("4 clusters, 1 did not answer; reads, writes and store size are max/mean over servers,"
                        + " * what is uneven");
        assertThat(FleetTable.summary(ROWS.subList(0, 1))).startsWith("1 cluster, all answered;");
    }
}
