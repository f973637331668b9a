package io.hearth.operate.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class StatusTextTest {

    @Test
    void aHotClusterThatHeals() {
        assertThat(StatusText.of(Clusters.hot(), "by Hearth in the master m1:16000"))
                .containsExactly(
                        "3 servers (1 decommissioned, in no share below), 30 regions, as of 22:13:20 UTC by Hearth in the master m1:16000",
                        "",
                        "                        total           last  max/mean      at best   trigger",
                        "  reads               3,000/s        1,500/s      2.99         1.00      1.10  UNEVEN, most on host1:16020",
                        "  writes                 12/s            6/s      1.01         1.00      1.10  even",
                        "  store size           3.0 GB                     1.80         1.80      1.30  as even as can be: one region is that hot, most on host2:16020",
                        "  1 region of which the heat is not known yet, counted at the first rates",
                        "  total and max/mean have a half-life of 300 s (hearth.balancer.heat.half.life.ms), as in plans; last is between the servers' last two reports",
                        "",
                        "  locality     0.7500, 100.0 MB away from home",
                        "  balancer     acts",
                        "  last plan    22:10:00 UTC: 7 moves; max/mean of reads 2.99 -> 1.02",
                        "  healing      on: 3 regions queued, 5 blocks in flight, 12.0 MB/s of at most 50.0 MB/s, 9 s left",
                        "  pins         1 region not to be moved now (bin/hearth pins says why)");
    }

    @Test
    void hotRegionsThatHaveToShareAServer() {
        assertThat(StatusText.of(Clusters.crowded(), ""))
                .contains(
                        "  reads                 600/s          590/s      1.33         1.33      1.10  as even as can be: 2 of the hottest regions have to share a server, most on host1:16020");
    }

    @Test
    void aWeightOf0IsSaid() {
        assertThat(StatusText.of(Clusters.notWeighed(), ""))
                .contains(
                        "  reads                 600/s          590/s      1.33         1.33      1.10  its weight is 0: nothing is moved for it");
    }

    @Test
    void aClusterWithoutHearthInItsMaster() {
        List<String> lines = StatusText.of(Clusters.stock(), "seen from outside");

        assertThat(lines)
                .contains(
                        "0 servers, 0 regions, as of 22:13:20 UTC seen from outside",
                        "  locality     not known yet, or there is no data",
                        "  balancer     not Hearth's; switched off (balance_switch)",
                        "  healing      not in the master (bin/hearth heal heals by itself)")
                .noneMatch(line -> line.contains("pins") || line.contains("last plan"));
    }

    @Test
    void whyPlansAreOnlyAdviceIsSaid() {
        assertThat(Texts.balancer(new ClusterWord.BalancerState(
                        true, true, true, java.util.Optional.of("ann asked for advice only"))))
                .isEqualTo("advice only, because ann asked for advice only; the stock balancer acts");
        assertThat(Texts.balancer(new ClusterWord.BalancerState(true, false, true, java.util.Optional.empty())))
                .isEqualTo("off: the stock balancer plans and acts alone (hearth.balancer.mode)");
    }
}
