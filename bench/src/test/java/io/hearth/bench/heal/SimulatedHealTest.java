// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.heal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.hearth.bench.heal.LargeCluster.ClusterSize;
import io.hearth.bench.heal.SimulatedHdfs.Machines;
import io.hearth.bench.heal.SimulatedHeal.Result;
import io.hearth.bench.heal.SimulatedLoop.Waiting;
import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.bench.threshold.ThresholdReport.Figure;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.healer.config.HealingSettings;
import io.hearth.healer.config.HealingSettings.HealingConfig;
import io.hearth.healer.core.HealingLoop;
import io.hearth.healer.estimate.HealEstimate;
import io.hearth.healer.metrics.HealLimit;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.ReportedLocality;
import io.hearth.healer.move.TrackedMove.MoveState;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimulatedHealTest {

    private static final ClusterSize TEN_HOSTS = HealCases.ofHosts(10);

    /** Nothing but the DataNodes holds anything back. */
    private static final Map<String, String> LIFTED = Map.of();

    @ParameterizedTest
    @EnumSource(Waiting.class)
    void tenHostsAreHealedInAboutTheLeastTime(Waiting waiting) {
        SimulatedHeal heal = heal(config(LIFTED), waiting);
        Result result = heal.run(3_600);

        assertThat(result.endsByState()).containsExactly(Map.entry(MoveState.VERIFIED, result.remoteBlocks()));
        assertThat(result.remoteBlocks()).isEqualTo(300);
        assertThat(result.time().timesLeast()).isBetween(1.0, 1.5);
        assertThat(result.time().localSeconds())
                .isBetween(result.time().leastSeconds(), result.time().confirmedSeconds());
        assertThat(result.time().confirmedShare()).isEqualTo(1.0);
        assertThat(result.shareByLimit().values().stream()
                        .mapToDouble(Double::doubleValue)
                        .sum())
                .isBetween(0.999, 1.001);
        heal.regions().snapshot().ifKnown().orElseThrow().servedById().values().forEach(region -> assertThat(
                        heal.hdfs().filesNow(region.region()).stream().flatMap(file -> file.blocks().stream()))
                .allMatch(block -> block.isLocalTo(region.server().host()))
                .allMatch(block -> block.replicas().size() == 3 && block.racks() == 3));
    }

    /** A heal that several tests look at. */
    private static final class Lifted {

        private static final Result RESULT = heal(config(LIFTED), Waiting.WOKEN).run(3_600);
    }

    @Test
    void theSameSeedIsTheSameHeal() {
        assertThat(heal(config(LIFTED), Waiting.WOKEN).run(3_600)).isEqualTo(Lifted.RESULT);
    }

    /** One by one it took 2.6 calls a block. */
    @Test
    void theNameNodeIsAskedForSeveralPathsByACall() {
        LargeCluster cluster = LargeCluster.withNewServers(HealCases.ofHosts(100), 0.05, 1);
        Result result =
                new SimulatedHeal(cluster, Machines.USUAL, HealCases.config("act"), Waiting.WOKEN, () -> 0).run(900);

        assertThat(result.nameNode().healedBlocks()).isEqualTo(1_500);
        assertThat(result.nameNode().callsPerBlock()).isBetween(0.05, 1.3);
        assertThat(result.nameNode().msPerBlock()).isBetween(0.02, 0.6);
        assertThat(result.nameNode().longestMs()).isBetween(0.3, 20.0);
    }

    @Test
    void aHealThatIsNotOverInTimeSaysHowFarItCame() {
        Result result = heal(config(LIFTED), Waiting.WOKEN).run(200);

        assertThat(result.isComplete()).isFalse();
        assertThat(result.time().confirmedSeconds()).isBetween(200.0, 201.0);
        assertThat(result.time().confirmedShare()).isBetween(0.3, 0.6);
        assertThat(result.time().leastSeconds()).as("of all that is to move").isGreaterThan(300);
    }

    @Test
    void whatHeldItBackIsTold() {
        Map<String, String> slow = Map.of("hearth.heal.cluster.bandwidth", "40MB");
        Map<String, String> few = new TreeMap<>(LIFTED);
        few.put("hearth.heal.cluster.moves", "1");

        assertThat(heal(config(slow), Waiting.WOKEN).run(3_600).shareByLimit().keySet())
                .first()
                .isEqualTo(HealLimit.CLUSTER_BANDWIDTH);
        assertThat(heal(config(few), Waiting.WOKEN).run(3_600).shareByLimit().keySet())
                .first()
                .isEqualTo(HealLimit.CLUSTER_MOVES);
        assertThat(Lifted.RESULT.shareByLimit().keySet()).first().isEqualTo(HealLimit.DATANODE_BANDWIDTH);
    }

    @ParameterizedTest
    @CsvSource({
        "new servers, hearth.heal.cluster.bandwidth, 0",
        "new servers, hearth.heal.cluster.bandwidth, 40MB",
        "new servers, hearth.heal.datanode.bandwidth, 60MB",
        "new servers, hearth.heal.namenode.calls, 1",
        "exchanged, hearth.heal.cluster.bandwidth, 0",
        "exchanged, hearth.heal.rack.bandwidth, 20MB",
        "exchanged, hearth.heal.rack.bandwidth, 60MB",
        "exchanged, hearth.heal.cluster.moves, 4"
    })
    void aDryRunSaysHowLongTheHealTakesWithinAQuarter(String what, String key, String value) {
        LargeCluster cluster = what.equals("exchanged")
                ? LargeCluster.withExchangedRegions(new ClusterSize(12, 4, 480, 1, 2, 4_800), 4, 3)
                : LargeCluster.withNewServers(TEN_HOSTS, 0.05, 1);
        Map<String, String> settings = Map.of(key, value, "hearth.heal.region.stable.ms", "0");
        Map<String, String> advise = new TreeMap<>(settings);
        advise.put("hearth.heal.mode", "advise");

        HealEstimate estimate = SimulatedHeal.dryRun(cluster, Machines.USUAL, config(advise), hdfs -> {});
        Result result = new SimulatedHeal(cluster, Machines.USUAL, config(settings), Waiting.WOKEN, () -> 0).run(7_200);

        assertThat(result.isComplete()).isTrue();
        assertThat(estimate.moves()).isEqualTo(result.remoteBlocks());
        assertThat(estimate.bytes()).isEqualTo(result.remoteBytes());
        assertThat(estimate.seconds() / result.time().confirmedSeconds())
                .as(
                        "%.1f s, and it took %.1f s",
                        estimate.seconds(), result.time().confirmedSeconds())
                .isBetween(0.75, 1.25);
        assertThat((double) estimate.nameNodeCalls() / result.nameNode().calls())
                .as(
                        "NameNode calls %d, and %d were made in %.0f s",
                        estimate.nameNodeCalls(),
                        result.nameNode().calls(),
                        result.time().confirmedSeconds())
                .isBetween(0.6, 1.4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"new servers", "exchanged"})
    void aRunningHealSaysHowLongTheRestTakesWithinAQuarter(String what) {
        LargeCluster cluster = what.equals("exchanged")
                ? LargeCluster.withExchangedRegions(new ClusterSize(12, 4, 480, 1, 2, 4_800), 4, 3)
                : LargeCluster.withNewServers(TEN_HOSTS, 0.05, 1);
        double all = SimulatedHeal.dryRun(
                        cluster, Machines.USUAL, config(Map.of("hearth.heal.mode", "advise")), hdfs -> {})
                .seconds();
        SimulatedHeal heal = new SimulatedHeal(cluster, Machines.USUAL, config(LIFTED), Waiting.WOKEN, () -> 0);

        double halfWay = heal.run(all / 2).time().confirmedSeconds();
        double said = heal.observer().gauge(HealingGauge.ESTIMATED_HEAL_MS) / 1e3;
        Result result = heal.run(7_200);

        assertThat(result.isComplete()).isTrue();
        double rest = result.time().confirmedSeconds() - halfWay;
        assertThat(said / rest).as("%.1f s, and it took %.1f s", said, rest).isBetween(0.75, 1.25);
    }

    @Test
    void serversReportWhatHasComeToThem() {
        SimulatedHeal heal = heal(config(LIFTED), Waiting.WOKEN);

        assertThat(localShares(heal)).contains(0.0);
        heal.run(3_600);
        assertThat(localShares(heal).stream().filter(share -> share < 1).count())
                .as("the last report is a minute old at most")
                .isBetween(1L, 40L);
    }

    @Test
    void newServersHoldNothingAndServeTheirPart() {
        LargeCluster cluster = LargeCluster.withNewServers(HealCases.ofHosts(100), 0.05, 3);
        Map<String, Long> regionsByHost = cluster.assignmentSnapshot().servedById().values().stream()
                .collect(Collectors.groupingBy(region -> region.server().host(), Collectors.counting()));

        assertThat(regionsByHost.values()).hasSize(100).containsOnly(100L);
        assertThat(cluster.assignmentSnapshot().servedById().values().stream()
                        .flatMap(region -> cluster.files(region.region()).stream())
                        .flatMap(file -> file.blocks().stream()))
                .hasSize(30_000)
                .allMatch(block -> block.racks() == 3)
                .noneMatch(block -> block.isLocalTo("host0095.example.com") || block.isLocalTo("host0099.example.com"));
    }

    @Test
    void exchangedRegionsAreAsManyEverywhere() {
        LargeCluster cluster = LargeCluster.withExchangedRegions(new ClusterSize(12, 4, 480, 1, 2, 4_800), 4, 3);
        Map<String, Long> remoteByHost = cluster.assignmentSnapshot().servedById().values().stream()
                .filter(region -> region.reported().orElseThrow().localBytes() == 0)
                .collect(Collectors.groupingBy(region -> region.server().host(), Collectors.counting()));

        assertThat(remoteByHost.values()).hasSize(12).containsOnly(10L);
    }

    @Test
    void eachCaseIsARowAndWhatMissesIsNamed() {
        StringWriter text = new StringWriter();
        ThresholdReport thresholds = new ThresholdReport();

        LoggedLines log = new LoggedLines();
        Logger ofLoop = Logger.getLogger(HealingLoop.class);
        ofLoop.addAppender(log);
        try {
            new HealCases(new PrintWriter(text, true), thresholds, () -> 0).print(List.of(10));
        } finally {
            ofLoop.removeAppender(log);
        }

        List<String> rows = text.toString().lines().toList();
        assertThat(rows).anyMatch(row -> row.matches("10 hosts, 1 new, 1,000 regions +300 +0.03 .*x least .*holds"));
        assertThat(rows).anyMatch(row -> row.startsWith("60 hosts, 1/4 of 15 TB, 1 GB/s"));
        assertThat(rows.stream().filter(row -> row.endsWith("MISSED")).count())
                .isEqualTo(thresholds.violations().size());
        assertThat(rows.stream().filter(row -> row.contains("held back by: ")).count())
                .isEqualTo(6);
        assertThat(thresholds.violations()).as(text.toString()).isEmpty();
        assertThat(thresholds.figures())
                .as("what a program reads")
                .filteredOn(figure -> figure.figure().equals("time"))
                .extracting(Figure::of, Figure::unit, Figure::holds)
                .containsExactly(
                        tuple("10 hosts, 1 new, 1,000 regions", "x least", true),
                        tuple("60 hosts, 1/4 of 15 TB, 1 GB/s", "s", true),
                        tuple("60 hosts, 1/4 of 1.5 TB", "x least", null),
                        tuple("one DataNode allows 1/10, others", "x undisturbed", true),
                        tuple("one DataNode 10 x slower, others", "x undisturbed", true),
                        tuple("one uplink 10 x slower, other racks", "x undisturbed", true));
        assertThat(log.lines)
                .as("the slow DataNode is named, and no other")
                .filteredOn(line -> line.contains("DATANODE_SLOW"))
                .isNotEmpty()
                .allMatch(line -> line.startsWith("Healing goes at half its rate at 1 DataNode of 60"
                        + " (host0030.example.com), because of [DATANODE_SLOW]."));
        assertThat(log.lines)
                .as("the slow uplink is named")
                .anyMatch(line ->
                        line.matches("Block moves (into|out of) rack \\S+ take much longer than the rates of their"
                                + " DataNodes explain; moves within the rack do not\\. The rack's uplink seems to be slow:"
                                + " at most \\d+ such moves run at a time until they are faster\\."));
    }

    private static final class LoggedLines extends AppenderSkeleton {

        private final List<String> lines = new ArrayList<>();

        @Override
        protected void append(LoggingEvent event) {
            lines.add(event.getRenderedMessage());
        }

        @Override
        public void close() {}

        @Override
        public boolean requiresLayout() {
            return false;
        }
    }

    private static Collection<Double> localShares(SimulatedHeal heal) {
        return heal.regions().snapshot().ifKnown().orElseThrow().servedById().values().stream()
                .map(ServedRegion::reported)
                .map(reported -> reported.map(ReportedLocality::ratio).orElseThrow())
                .toList();
    }

    private static SimulatedHeal heal(HealingConfig config, Waiting waiting) {
        LargeCluster cluster = LargeCluster.withNewServers(TEN_HOSTS, 0.05, 1);
        return new SimulatedHeal(cluster, Machines.USUAL, config, waiting, () -> 0);
    }

    private static HealingConfig config(Map<String, String> settings) {
        return HealingSettings.read("test", new MapSettings(settings)).config();
    }
}
