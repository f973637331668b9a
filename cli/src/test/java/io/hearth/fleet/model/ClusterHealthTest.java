// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.fleet.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.cli.view.ClusterSummary;
import io.hearth.cli.view.ClusterSummaryFixtures;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.Quantiles;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Severity;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.fleet.model.ClusterHealth.Balance;
import io.hearth.fleet.model.FleetRow.BudgetLeft;
import io.hearth.fleet.model.FleetRow.DoctorSummary;
import io.hearth.fleet.model.FleetRow.WorstFinding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClusterHealthTest {

    @Test
    void itIsOfTheServersThatServe() {
        ClusterSummary hot = ClusterSummaryFixtures.hot();
        List<ClusterSummary.Server> servers = new ArrayList<>(hot.servers());
        servers.set(1, new ClusterSummary.Server(servers.get(1).state().beingDrained(), Map.of()));

        assertThat(ClusterHealth.of(hot, true, 0))
                .isEqualTo(new ClusterHealth(
                        hot.atMs(),
                        "m1:16000",
                        true,
                        3,
                        30,
                        Quantiles.of(1, 0.5, 1),
                        Map.of(
                                LoadDimension.READS, new Balance(2.99, true),
                                LoadDimension.WRITES, new Balance(1.01, false),
                                LoadDimension.STORE_SIZE, new Balance(1.8, false))));
        ClusterHealth drained = ClusterHealth.of(ClusterSummaryFixtures.withServers(hot, servers), false, 0);
        assertThat(drained.locality()).isEqualTo(Quantiles.of(1, 1));
        assertThat(drained.servers()).isEqualTo(2);
    }

    @Test
    void theWorstFindingIsTheFirstOfTheWorst() {
        assertThat(DoctorSummary.of(List.of(
                        finding("a", Severity.INFO),
                        finding("b", Severity.WARNING),
                        finding("c", Severity.ERROR),
                        finding("d", Severity.ERROR),
                        finding("e", Severity.UNKNOWN))))
                .isEqualTo(new DoctorSummary(2, 1, Optional.of(new WorstFinding(Severity.ERROR, "c", "What."))))
                .hasToString("ERROR c, 2 more");
        assertThat(DoctorSummary.of(List.of(finding("b", Severity.WARNING)))).hasToString("WARNING b");
        assertThat(DoctorSummary.of(List.of(finding("a", Severity.INFO)))).hasToString("nothing to mend");
    }

    private static Finding finding(String check, Severity severity) {
        return new Finding(check, severity, List.of(), "What.", "Cost.", List.of(), "Source.");
    }

    @Test
    void theLeastBudgetIsShown() {
        assertThat(FleetFixtures.good("c").leastBudget()).contains(new BudgetLeft("gets", 0.436));
        assertThat(FleetFixtures.empty("c").leastBudget()).isEmpty();
        assertThat(new FleetRow("c", ProbeResult.unknown(""), ProbeResult.unknown(""), ProbeResult.known(List.of()))
                        .leastBudget())
                .isEmpty();
    }
}
