// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StatusTextTest {

    @Test
    void aHotClusterThatHeals() {
        assertThat(StatusText.of(ClusterSummaryFixtures.hot(), "by Hearth in the master m1:16000"))
                .containsExactly(
                        "3 servers (1 decommissioned, in no share below), 30 regions, as of 22:13:20 UTC by Hearth in the master m1:16000",
                        "",
                        "                total     last  max/mean  at best  trigger",
                        "  reads       3,000/s  1,500/s      2.99     1.00     1.10  UNEVEN, most on host1:16020",
                        "  writes         12/s      6/s      1.01     1.00     1.10  even",
                        "  store size   3.0 GB               1.80     1.80     1.30  as even as can be: one region is that hot, most on host2:16020",
                        "  1 region of which the heat is not known yet, counted at the first rates",
                        "  total and max/mean have a half-life of 300 s (hearth.balancer.heat.half.life.ms), as in plans; last is between the servers' last two reports",
                        "",
                        "  mode         balancer act, healer act",
                        "  locality     0.7500, 100.0 MB remote",
                        "  balancer     acts",
                        "  last plan    22:10:00 UTC: 7 moves; max/mean of reads 2.99 -> 1.02",
                        "  healing      on: 3 regions queued, 5 blocks in flight, 12.0 MB/s of at most 50.0 MB/s, held back by bandwidth of DataNodes, 9 s left, most for host1:16020 (90.0 MB)",
                        "  pins         1 region not to be moved now (bin/hearth balancer pins says why)");
    }

    @Test
    void thePartsOfBalancerAndHealerAreLinesOfTheWhole() {
        ClusterSummary hot = ClusterSummaryFixtures.hot();
        List<String> whole = StatusText.of(hot, "");

        assertThat(StatusText.ofBalancer(hot, ""))
                .contains("  mode         act", "  balancer     acts")
                .allSatisfy(line -> assertThat(whole.contains(line) || line.equals("  mode         act"))
                        .as(line)
                        .isTrue())
                .noneMatch(line -> line.startsWith("  healing") || line.startsWith("  locality"));
        assertThat(StatusText.ofHealer(hot, ""))
                .containsExactly(
                        whole.get(0),
                        "",
                        "  mode         act",
                        "  locality     0.7500, 100.0 MB remote",
                        "  healing      on: 3 regions queued, 5 blocks in flight, 12.0 MB/s of at most 50.0 MB/s, held back by bandwidth of DataNodes, 9 s left, most for host1:16020 (90.0 MB)");
    }

    @Test
    void aProgramReadsFiguresWithoutUnitsAndTheStatesOfTheApi() {
        assertThat(StatusText.balance(ClusterSummaryFixtures.hot()).csv())
                .startsWith("dimension,total,last,maxOverMean,lowerBound,trigger,state,hottest")
                .contains("reads,3000.0,1500.0,2.99,1.0,1.1,UNBALANCED,host1:16020");
    }

    @Test
    void inAdviceNothingIsActedOnAndWhatWouldBeDoneIsSaid() {
        ClusterSummary hot = ClusterSummaryFixtures.hot();

        assertThat(mode(ClusterSummaryFixtures.inMode(
                        hot, Optional.of("hearth.balancer.mode is advise"), "advice only")))
                .isEqualTo("  mode         balancer advise, healer advise: Hearth moves no region and no block;"
                        + " it would carry out the last plan and make 100.0 MB local");
        assertThat(mode(ClusterSummaryFixtures.inMode(hot, Optional.of("hearth.balancer.mode is advise"), "on")))
                .isEqualTo("  mode         balancer advise, healer act: Hearth moves no region;"
                        + " it would carry out the last plan");
        assertThat(mode(ClusterSummaryFixtures.inMode(hot, Optional.empty(), "advice only")))
                .isEqualTo(
                        "  mode         balancer act, healer advise: Hearth moves no block; it would make 100.0 MB local");
        assertThat(mode(ClusterSummaryFixtures.inMode(hot, Optional.empty(), "switched off")))
                .isEqualTo("  mode         balancer act, healer off: Hearth moves no block");
    }

    @Test
    void whereNothingWasPlannedYetAdviceSaysSo() {
        assertThat(mode(ClusterSummaryFixtures.adviceWithoutAPlan()))
                .isEqualTo("  mode         balancer advise, healer not in the master: Hearth moves no region;"
                        + " no plan of its own has had a move yet");
    }

    private static String mode(ClusterSummary cluster) {
        return StatusText.of(cluster, "").stream()
                .filter(line -> line.startsWith("  mode "))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void whatIsLocalByTheNameNodeIsNotRemoteAndTheCommandThatShowsItIsThere() {
        assertThat(StatusText.of(ClusterSummaryFixtures.healedAndNotReported(), ""))
                .contains(
                        "  locality     0.7500 reported, all local by the NameNode",
                        "  healing      on: 0 regions queued, 0 blocks in flight, local by the NameNode, not reported yet: 2 regions"
                                + " (reopening them corrects the reports); in hbase shell: unassign 'aabbccdd'; assign 'aabbccdd', and so for 1 more");
    }

    @Test
    void hotRegionsThatHaveToShareAServer() {
        assertThat(StatusText.of(ClusterSummaryFixtures.crowded(), ""))
                .contains(
                        "  reads  600/s  590/s      1.33     1.33     1.10  as even as can be: 2 of the hottest regions have to share a server, most on host1:16020");
    }

    @Test
    void aWeightOf0IsSaid() {
        assertThat(StatusText.of(ClusterSummaryFixtures.notWeighed(), ""))
                .contains(
                        "  reads  600/s  590/s      1.33     1.33     1.10  its weight is 0: nothing is moved for it");
    }

    @Test
    void aClusterWithoutHearthInItsMaster() {
        List<String> lines = StatusText.of(ClusterSummaryFixtures.stock(), "seen from outside");

        assertThat(lines)
                .contains(
                        "0 servers, 0 regions, as of 22:13:20 UTC seen from outside",
                        "  mode         balancer not Hearth's, healer not in the master",
                        "  locality     not known yet, or there is no data",
                        "  balancer     not Hearth's; switched off (balance_switch)",
                        "  healing      not in the master (bin/hearth healer run heals by itself)")
                .noneMatch(line -> line.contains("pins") || line.contains("last plan"));
    }

    @Test
    void whyPlansAreOnlyAdviceIsSaid() {
        assertThat(ViewText.balancer(new ClusterSummary.BalancerState(
                        true,
                        true,
                        true,
                        Optional.of("ann asked for advice only"),
                        Optional.empty(),
                        Optional.empty(),
                        List.of())))
                .isEqualTo("advice only, because ann asked for advice only; the stock balancer acts");
        assertThat(ViewText.balancer(new ClusterSummary.BalancerState(
                        true, false, true, Optional.empty(), Optional.empty(), Optional.empty(), List.of())))
                .isEqualTo("off: the stock balancer plans and acts alone (hearth.balancer.mode)");
    }

    @Test
    void whoBrakesIsSaidBesideTheNumberOfCanaryRegions() {
        assertThat(ViewText.balancer(new ClusterSummary.BalancerState(
                        true,
                        true,
                        true,
                        Optional.empty(),
                        Optional.of("the SLO watch brakes: ops1 (gets)"),
                        Optional.of("3 regions of hearth_canary on 4 servers, 1 have none"),
                        List.of())))
                .isEqualTo("BRAKED: the SLO watch brakes: ops1 (gets); 3 regions of hearth_canary on 4 servers, 1 have"
                        + " none");
    }

    @Test
    void serversThatAreGivenNoRegionsAreNamedWithTheReason() {
        assertThat(StatusText.of(ClusterSummaryFixtures.excluded(), ""))
                .containsSequence(
                        "  no target    host1:16020 is given no regions, since 22:03:20 UTC: it serves 10 % of what its regions served before",
                        "  no target    host2:16020 is given no regions: 3 regions did not open there");
        assertThat(StatusText.of(ClusterSummaryFixtures.stock(), "")).noneMatch(line -> line.contains("no target"));
    }
}
