// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.heal.FullClusterPlanning;
import io.hearth.bench.heal.HealAllRequest;
import io.hearth.bench.heal.IdlePoll;
import io.hearth.bench.heal.LargeCluster;
import io.hearth.bench.heal.LargeCluster.ClusterSize;
import io.hearth.bench.heal.RankingRun;
import io.hearth.bench.heal.RankingRun.RemoteBytesDistribution;
import io.hearth.bench.threshold.ThresholdReport;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

class BenchHealCommandTest {

    private static final ClusterSize TINY = new ClusterSize(12, 3, 60, 2, 2, 1_000);

    @Test
    void aWrongArgumentIsOneLine() {
        StringWriter err = new StringWriter();
        CommandLine command = BenchCommand.commandLine().setErr(new PrintWriter(err, true));

        assertThat(command.execute("heal", "--seeds", "0")).isEqualTo(2);
        assertThat(err.toString()).startsWith("hearth bench heal: --seeds is 0; allowed are 1 to 1000 (");
    }

    @ParameterizedTest
    @EnumSource(RemoteBytesDistribution.class)
    void hearthsOrderIsAsGoodAsTheBestWhereHeatIsKnown(RemoteBytesDistribution remote) {
        List<RankingRun> runs = RankingRun.all(remote, 5);

        for (RankingRun run : runs) {
            assertThat(run.hearth()).as("seed %d", run.seed()).isBetween(run.best() - 1e-9, run.best() + 1e-9);
            assertThat(run.unknownFifth()).as("seed %d", run.seed()).isBetween(run.locality(), run.best() + 1e-9);
            assertThat(run.holds()).isTrue();
        }
        assertThat(RankingRun.table(Map.of(remote, runs), new ThresholdReport()))
                .contains(remote.label());
    }

    @Test
    void anOrderThatIsNotTheBestMissesTheBar() {
        assertThat(new RankingRun(1, 0.79, 0, 0, 0.8).holds()).isFalse();
        assertThat(new RankingRun(1, 0.79, 0, 0, 0.79).holds()).isTrue();
        assertThat(new RankingRun(1, 0.8, 0, 0, 0.9).holds()).isTrue();
    }

    @Test
    void aClusterIsPlannedWithOneCallForEachFolder() {
        LargeCluster cluster = new LargeCluster(TINY, 1, 1);
        FullClusterPlanning plan = FullClusterPlanning.of(cluster, () -> 0, () -> 0);

        assertThat(plan.nameNodeCalls()).isEqualTo(2 * plan.regions()).isLessThanOrEqualTo(TINY.folders());
        assertThat(plan.moves()).isBetween(TINY.blocks() * 6 / 10, TINY.blocks());
    }

    @Test
    void aQuietPollFindsNothing() {
        assertThat(new IdlePoll(100, 3).millis(() -> 0)).containsOnly(0.0);
    }

    @Test
    void aWishForAllHandsTheFirstRegionOut() {
        assertThat(new HealAllRequest(100, 3).millis(() -> 0)).containsOnly(0.0);
    }

    @Test
    void whatIsAboveItsBarIsNamed() {
        ThresholdReport thresholds = new ThresholdReport();

        assertThat(thresholds.atMost("time", 1, 2, "s")).endsWith("holds");
        assertThat(thresholds.atMost("time", 3, 2, "s")).endsWith("MISSED");
        assertThat(thresholds.violations()).containsExactly("time: 3.00 s, above 2.00");
        StringWriter text = new StringWriter();
        assertThat(ThresholdReport.printEnd(new PrintWriter(text), thresholds.violations()))
                .isEqualTo(1);
        assertThat(ThresholdReport.printEnd(new PrintWriter(text), List.of())).isZero();
        assertThat(text.toString().lines())
                .containsExactly(
                        "MISSED  time: 3.00 s, above 2.00", "1 thresholds do not hold.", "All thresholds hold.");
    }
}
