// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.slo.availability.SlaAvailability;
import io.hearth.slo.event.ClusterEvent;
import io.hearth.slo.event.ClusterEvent.Amount;
import io.hearth.slo.event.ClusterEvent.By;
import io.hearth.slo.event.EventKind;
import io.hearth.slo.event.EventMinute;
import io.hearth.slo.objective.Objective;
import io.hearth.slo.objective.ObjectivesFile;
import io.hearth.slo.objective.WindowCounts;
import io.hearth.slo.probe.ProbeKind;
import io.hearth.slo.probe.ProbeResult;
import io.hearth.slo.probe.ProbeResult.Outcome;
import io.hearth.slo.report.MonthReport.Availability;
import io.hearth.slo.report.MonthReport.Cell;
import io.hearth.slo.store.DataNodeMinute;
import io.hearth.slo.store.SloReader;
import io.hearth.slo.store.SloStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MonthReportTest {

    private static final YearMonth NOVEMBER = YearMonth.of(2026, 11);
    private static final long START = Instant.parse("2026-11-01T00:00:00Z").toEpochMilli();
    private static final long MINUTE = 60_000;
    private static final long DAY = 24 * 60 * MINUTE;
    private static final List<Objective> OBJECTIVES =
            ObjectivesFile.parse("99 % of gets under 50 ms, 30 days", "").objectives();

    @TempDir
    private Path folder;

    private final List<ProbeResult> probes = new ArrayList<>();
    private final List<DataNodeMinute> dataNodes = new ArrayList<>();

    /** Beside a list of all probes. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void itsCountsAreThoseOfTheProbes(long seed) throws IOException {
        Random random = new Random(seed);
        long[] minutes = random.longs(150, -24 * 60, 31 * 24 * 60).toArray();
        for (int probe = 0; probe < 2_000; probe++) {
            probes.add(new ProbeResult(
                    random.nextBoolean() ? ProbeKind.GET : ProbeKind.PUT,
                    "host" + random.nextInt(20),
                    START + minutes[random.nextInt(minutes.length)] * MINUTE + random.nextInt(60_000),
                    random.nextInt(70_000),
                    random.nextInt(10) == 0 ? Outcome.FAILED : Outcome.ANSWERED));
        }

        MonthReport report = report(List.of(), 7);

        List<ProbeResult> inside = probes.stream()
                .filter(probe -> probe.dueAtMs() >= START && probe.dueAtMs() < START + 30 * DAY)
                .toList();
        assertThat(report.availability())
                .map(Availability::label)
                .containsExactly("get answered", "put answered", "99 % of gets under 50 ms, 30 days");
        for (Availability row : report.availability()) {
            for (int day = 0; day < 30; day++) {
                long dayMs = START + day * DAY;
                List<ProbeResult> ofDay = inside.stream()
                        .filter(probe ->
                                probe.kind() == row.kind() && probe.dueAtMs() >= dayMs && probe.dueAtMs() < dayMs + DAY)
                        .toList();
                assertThat(row.days().get(day))
                        .as("seed %d, %s, day %d", seed, row.label(), day + 1)
                        .isEqualTo(new WindowCounts(
                                ofDay.size(),
                                ofDay.stream()
                                        .filter(probe -> isGood(row, probe))
                                        .count(),
                                (int) ofDay.stream()
                                        .map(probe -> probe.dueAtMs() / MINUTE)
                                        .distinct()
                                        .count()));
            }
            assertThat(row.month().due())
                    .isEqualTo(inside.stream()
                            .filter(probe -> probe.kind() == row.kind())
                            .count());
        }
        assertThat(report.heatMap().servers()).hasSize(7);
        assertThat(report.heatMap().leftOut()).isEqualTo(13);
        for (MonthReport.Server server : report.heatMap().servers()) {
            for (int column = 0; column < 120; column++) {
                long from = START + column * DAY / 4;
                List<ProbeResult> ofCell = inside.stream()
                        .filter(probe -> probe.target().equals(server.name())
                                && probe.dueAtMs() >= from
                                && probe.dueAtMs() < from + DAY / 4)
                        .toList();
                assertThat(server.cells().get(column))
                        .as("seed %d, %s, column %d", seed, server.name(), column)
                        .isEqualTo(new Cell(
                                ofCell.size(),
                                ofCell.stream().filter(probe -> isBad(probe)).count()));
            }
        }
        assertThat(report.heatMap().servers())
                .isSortedAccordingTo((one, other) -> Long.compare(other.bad(), one.bad()));
    }

    private static boolean isGood(Availability row, ProbeResult probe) {
        return row.objective().map(objective -> objective.isGood(probe)).orElse(probe.outcome() == Outcome.ANSWERED);
    }

    private static boolean isBad(ProbeResult probe) {
        return probe.kind() == ProbeKind.GET ? !OBJECTIVES.get(0).isGood(probe) : probe.outcome() != Outcome.ANSWERED;
    }

    private MonthReport report(List<ClusterEvent> events, int mostServers) throws IOException {
        return report(events, 3, mostServers);
    }

    private MonthReport report(List<ClusterEvent> events, int replication, int mostServers) throws IOException {
        List<String> problems = new ArrayList<>();
        try (SloStore store = SloStore.open(
                folder,
                "a",
                ObjectivesFile.parse("99 % of gets under 50 ms, 30 days", "").limits(),
                problems::add)) {
            for (int half = 0; half < 2; half++) {
                for (int probe = half; probe < probes.size(); probe += 2) {
                    store.accept(probes.get(probe));
                }
                store.flush(0);
            }
            dataNodes.forEach(store::add);
            events.forEach(event -> store.add(EventMinute.at(event.atMs(), List.of(event))));
        }
        assertThat(problems).isEmpty();
        return MonthReportBuilder.report(
                SloReader.of(folder, List.of("a"), problems::add), NOVEMBER, OBJECTIVES, replication, mostServers);
    }

    @Test
    void theWorstMinutesHaveTheirServersAndWhatHappened() throws IOException {
        for (int minute = 0; minute < 15; minute++) {
            for (int probe = 0; probe < 60; probe++) {
                boolean isBad = probe < minute;
                add(ProbeKind.GET, probe % 2 == 0 ? "even" : "odd", minute * MINUTE + probe, isBad ? 90_000 : 1_000);
            }
        }
        ClusterEvent crash = ClusterEvent.of(START + 9 * MINUTE, EventKind.SERVER_GONE, "even", By.OTHERS);
        ClusterEvent tooEarly = ClusterEvent.of(START + 9 * MINUTE - 1, EventKind.REGIONS_MOVED, "odd", By.HEARTH);
        ClusterEvent during = ClusterEvent.of(START + 15 * MINUTE - 1, EventKind.BLOCKS_MOVED, "HDFS", By.HEARTH);
        ClusterEvent after = ClusterEvent.of(START + 15 * MINUTE, EventKind.REGIONS_FLUSHED, "odd", By.OTHERS);

        List<MonthReport.Minute> worst =
                report(List.of(after, during, tooEarly, crash), 10).worstMinutes();

        assertThat(worst).hasSize(10);
        assertThat(worst.get(0).startMs()).isEqualTo(START + 14 * MINUTE);
        assertThat(worst.get(9).startMs()).isEqualTo(START + 5 * MINUTE);
        assertThat(worst.get(0).kinds().get(ProbeKind.GET).due()).isEqualTo(60);
        assertThat(worst.get(0).kinds().get(ProbeKind.GET).bad()).isEqualTo(14);
        assertThat(worst.get(0).kinds().get(ProbeKind.GET).p99Micros().getAsLong())
                .isBetween(90_000L, 90_900L);
        assertThat(worst.get(0).servers()).containsExactly("even", "odd");
        assertThat(worst.get(0).events()).containsExactly(crash, during);
        assertThat(worst.get(0).eventsLeftOut()).isZero();
    }

    @Test
    void whereALotHappenedWhatExplainsLeastIsLeftOutAndCounted() throws IOException {
        add(ProbeKind.GET, "even", 0, 90_000);
        List<ClusterEvent> events = new ArrayList<>();
        for (int number = 0; number < 20; number++) {
            events.add(event(START + number, EventKind.REGIONS_FLUSHED, "host" + number, number, By.OTHERS));
        }
        ClusterEvent moved = event(START + 30, EventKind.REGIONS_MOVED, "even", 1, By.HEARTH);
        events.add(moved);

        MonthReport.Minute minute = report(events, 10).worstMinutes().get(0);

        assertThat(minute.events())
                .hasSize(15)
                .endsWith(moved)
                .map(ClusterEvent::where)
                .contains("host19", "host6")
                .doesNotContain("host5");
        assertThat(minute.eventsLeftOut()).isEqualTo(6);
    }

    @Test
    void eachDayHasItsLatencyAndWhatHearthAndOthersDid() throws IOException {
        for (int probe = 0; probe < 100; probe++) {
            add(ProbeKind.GET, "even", DAY + probe * MINUTE, probe < 98 ? 1_000 : 70_000);
        }
        List<ClusterEvent> events = List.of(
                event(START + DAY, EventKind.REGIONS_MOVED, "even", 3, By.HEARTH),
                event(START + DAY + 1, EventKind.REGIONS_MOVED, "odd", 4, By.HEARTH),
                event(START + 2 * DAY - 1, EventKind.REGIONS_MOVED, "odd", 5, By.OTHERS),
                event(START + 2 * DAY, EventKind.BRAKED, "the HMaster", 1, By.HEARTH),
                event(START + 3 * DAY, EventKind.NOT_KNOWN, "the HMaster", 1, By.UNKNOWN));

        MonthReport report = report(events, 10);

        MonthReport.Day day = report.days().get(1);
        assertThat(report.days()).hasSize(30);
        assertThat(report.days().get(0)).isEqualTo(new MonthReport.Day(Map.of(), 0, Map.of()));
        assertThat(day.eventMinutes()).isEqualTo(2);
        assertThat(report.days().get(3).eventMinutes())
                .as("what happened then is not known")
                .isZero();
        assertThat(day.p99Micros().get(ProbeKind.GET).getAsLong()).isBetween(70_000L, 70_700L);
        assertThat(day.amount(EventKind.REGIONS_MOVED, By.HEARTH)).isEqualTo(new Amount(7, 0));
        assertThat(day.amount(EventKind.REGIONS_MOVED, By.OTHERS)).isEqualTo(new Amount(5, 0));
        assertThat(day.amount(EventKind.REGIONS_MOVED)).isEqualTo(new Amount(12, 0));
        assertThat(day.amount(EventKind.BRAKED)).isEqualTo(Amount.NONE);
        assertThat(MonthReportPage.html(report))
                .contains("<tr><th scope=\"row\">2</th><td>70.")
                .contains(" ms</td><td>unknown</td><td>0</td><td>7</td><td>5</td><td>0</td><td>0</td><td>0</td>"
                        + "<td>0</td><td>0</td><td>0</td></tr>")
                .contains("<tr><th scope=\"row\">3</th><td>unknown</td><td>unknown</td><td>0</td>");
    }

    private static ClusterEvent event(long atMs, EventKind kind, String where, long count, By by) {
        return new ClusterEvent(atMs, kind, where, new Amount(count, 0), by, "");
    }

    @Test
    void faultyDataNodesAreThoseWithABadProbeInAMinute() throws IOException {
        for (int node = 0; node < 10; node++) {
            add(ProbeKind.HDFS_WRITE, "node" + node, node * 6_000L, 1_000);
            add(ProbeKind.HDFS_READ, "node" + node, node * 6_000L, 1_000);
            add(ProbeKind.HDFS_READ, "node" + node, MINUTE + node * 6_000L, 1_000);
        }
        probes.add(new ProbeResult(ProbeKind.HDFS_READ, "node3", START + 1, 1, Outcome.FAILED));
        probes.add(new ProbeResult(ProbeKind.HDFS_WRITE, "node4", START + 59_999, 1, Outcome.TIMED_OUT));
        add(ProbeKind.NAMENODE, "nn", 5, 1_000);
        add(ProbeKind.NAMENODE, "nn", MINUTE, 1_000);

        MonthReport.Sla day = report(List.of(), 10).sla().get(0);

        SlaAvailability faulty = new SlaAvailability(10, 2, 3, OptionalDouble.of(1));
        assertThat(day.minutes()).isEqualTo(2);
        assertThat(day.mostFaulty()).isEqualTo(2);
        assertThat(day.read()).isCloseTo((0.8 + 1) / 2, within(1e-12));
        assertThat(day.write()).isCloseTo((faulty.write() + 1) / 2, within(1e-12));
        assertThat(day.total().getAsDouble()).isCloseTo((faulty.write() + 1) / 2, within(1e-12));
    }

    /** Eight live ones, of which one fails and one is slow to be called dead, and two that have been dead all the time. */
    @Test
    void aDeadDataNodeCountsAmongAllAndAmongTheFaultyOnes() throws IOException {
        for (int minute = 0; minute < 2; minute++) {
            for (int node = 0; node < 8 - minute; node++) {
                add(ProbeKind.HDFS_READ, "node" + node, minute * MINUTE + node * 6_000L, 1_000);
            }
            dataNodes.add(minute(minute, 8 - minute, 10));
        }
        probes.add(new ProbeResult(ProbeKind.HDFS_READ, "node0", START + 1, 1, Outcome.FAILED));
        probes.add(new ProbeResult(ProbeKind.HDFS_WRITE, "node7", START + 2, 1, Outcome.FAILED));
        add(ProbeKind.NAMENODE, "nn", 5, 1_000);
        add(ProbeKind.NAMENODE, "nn", MINUTE, 1_000);

        MonthReport.Sla day = report(List.of(), 10).sla().get(0);

        SlaAvailability first = new SlaAvailability(10, 4, 3, OptionalDouble.of(1));
        SlaAvailability second = new SlaAvailability(10, 3, 3, OptionalDouble.of(1));
        assertThat(day.minutes()).isEqualTo(2);
        assertThat(day.mostFaulty()).isEqualTo(4);
        assertThat(day.read()).isCloseTo((0.6 + 0.7) / 2, within(1e-12));
        assertThat(day.write()).isCloseTo((first.write() + second.write()) / 2, within(1e-12));
        assertThat(day.total().getAsDouble()).isCloseTo((first.write() + second.write()) / 2, within(1e-12));
    }

    /** A probe failed before it was called dead. */
    @Test
    void aDataNodeThatFailedAndIsDeadCountsOnce() throws IOException {
        for (int node = 0; node < 4; node++) {
            probes.add(new ProbeResult(
                    ProbeKind.HDFS_READ, "node" + node, START, 1, node == 3 ? Outcome.FAILED : Outcome.ANSWERED));
        }
        dataNodes.add(minute(0, 4, 4));
        dataNodes.add(minute(0, 3, 4));

        MonthReport.Sla day = report(List.of(), 10).sla().get(0);

        assertThat(day.mostFaulty()).isEqualTo(1);
        assertThat(day.read()).isEqualTo(0.75);
    }

    /** HDFS puts no replica of a probe on a DataNode that is full. */
    @Test
    void aLiveDataNodeWithoutAProbeCountsAmongAll() throws IOException {
        for (int node = 0; node < 18; node++) {
            probes.add(new ProbeResult(
                    ProbeKind.HDFS_READ, "node" + node, START, 1, node == 0 ? Outcome.FAILED : Outcome.ANSWERED));
        }
        dataNodes.add(minute(0, 19, 20));

        assertThat(report(List.of(), 10).sla().get(0).read()).isEqualTo(0.9);
    }

    /** What is asked once a minute and some milliseconds now and then passes over a minute. */
    @Test
    void aMinuteInWhichTheNameNodeWasNotAskedHasTheDataNodesOfTheOneBefore() throws IOException {
        for (int minute = 0; minute < 3; minute++) {
            for (int node = 0; node < 3; node++) {
                add(ProbeKind.HDFS_READ, "node" + node, minute * MINUTE, 1_000);
            }
        }
        dataNodes.add(minute(0, 3, 4));

        MonthReport.Sla day = report(List.of(), 10).sla().get(0);

        assertThat(day.minutes()).isEqualTo(3);
        assertThat(day.read())
                .as("the third minute is of the probes alone")
                .isCloseTo((0.75 + 0.75 + 1) / 3, within(1e-12));
    }

    @Test
    void theFirstMinuteOfAMonthHasThoseOfTheMonthBefore() throws IOException {
        for (int node = 0; node < 3; node++) {
            add(ProbeKind.HDFS_READ, "node" + node, 0, 1_000);
        }
        dataNodes.add(minute(-1, 3, 4));

        assertThat(report(List.of(), 10).sla().get(0).read()).isEqualTo(0.75);
    }

    /** Forty of a hundred die at once: what is known of them needs no probe. Of the others half were probed in the last minute. */
    @Test
    void deadDataNodesNeedNoProbeForAMinuteToCount() throws IOException {
        for (int minute = 0; minute < 3; minute++) {
            int probed = List.of(100, 60, 30).get(minute);
            for (int node = 0; node < probed; node++) {
                add(ProbeKind.HDFS_READ, "node" + node, minute * MINUTE, 1_000);
            }
            dataNodes.add(minute(minute, minute == 0 ? 100 : 60, 100));
        }

        MonthReport.Sla day = report(List.of(), 10).sla().get(0);

        assertThat(day.minutes()).as("not the last one, though 70 are known").isEqualTo(2);
        assertThat(day.mostFaulty()).isEqualTo(40);
        assertThat(day.read()).isCloseTo((1 + 0.6) / 2, within(1e-12));
    }

    @Test
    void whereEveryDataNodeIsDeadNothingIsAvailable() throws IOException {
        add(ProbeKind.HDFS_READ, "node0", 0, 1_000);
        add(ProbeKind.HDFS_READ, "node1", 0, 1_000);
        add(ProbeKind.HDFS_READ, "node2", 0, 1_000);
        for (int minute = 0; minute < 4; minute++) {
            addNameNode("nn", minute * MINUTE, false);
        }
        dataNodes.add(minute(0, 3, 3));
        dataNodes.add(minute(1, 0, 3));
        dataNodes.add(minute(2, 0, 3));
        dataNodes.add(minute(3, 3, 4));

        MonthReport.Sla day = report(List.of(), 10).sla().get(0);

        assertThat(day.minutes()).as("the last one has no probe").isEqualTo(3);
        assertThat(day.mostFaulty()).isEqualTo(3);
        assertThat(day.write()).isCloseTo(1.0 / 3, within(1e-12));
        assertThat(day.total().getAsDouble()).isCloseTo(1.0 / 3, within(1e-12));
    }

    /** The first ones are live, those after them dead. */
    private static DataNodeMinute minute(int minute, int live, int all) {
        return DataNodeMinute.at(START + minute * MINUTE, names(0, live), names(live, all));
    }

    private static Set<String> names(int from, int to) {
        return IntStream.range(from, to).mapToObj(node -> "node" + node).collect(Collectors.toSet());
    }

    /** No pipeline of three is to be had from the one DataNode that was asked before the minute was over, or before the watch ended. */
    @Test
    void aMinuteInWhichFewDataNodesWereProbedSaysNothingOfHdfs() throws IOException {
        add(ProbeKind.HDFS_WRITE, "node0", MINUTE - 1_000, 1_000);
        for (int minute = 1; minute <= 2; minute++) {
            for (int node = 0; node < 3; node++) {
                add(ProbeKind.HDFS_WRITE, "node" + node, minute * MINUTE + node * 20_000L, 1_000);
            }
        }
        add(ProbeKind.HDFS_WRITE, "node0", 3 * MINUTE, 1_000);

        MonthReport.Sla day = report(List.of(), 10).sla().get(0);

        assertThat(day.minutes()).isEqualTo(2);
        assertThat(day.write()).isEqualTo(1);
        assertThat(day.read()).isEqualTo(1);
    }

    /**
     * Broken (a minute that is not whole is left out): the failover vanishes from the total. A DataNode is asked once a minute, and not at all
     * where its turn comes while no NameNode answers.
     */
    @Test
    void aMinuteInWhichTheNameNodeWasAwayCountsByThat() throws IOException {
        for (int minute = 0; minute < 3; minute++) {
            for (int node = 0; node < (minute == 1 ? 2 : 3); node++) {
                add(ProbeKind.HDFS_WRITE, "node" + node, minute * MINUTE + node * 20_000L, 1_000);
            }
            for (int probe = 0; probe < 60; probe++) {
                addNameNode("nn", minute * MINUTE + probe * 1_000L, minute == 1 && probe >= 30);
            }
        }

        MonthReport.Sla day = report(List.of(), 10).sla().get(0);

        assertThat(day.minutes()).isEqualTo(2);
        assertThat(day.write()).isEqualTo(1);
        assertThat(day.total().getAsDouble()).isCloseTo((1 + 0.5 + 1) / 3, within(1e-12));
    }

    /** While it is away no DataNode can be probed. Before the watch probed any it may lack the right to. */
    @Test
    void aMinuteInWhichTheNameNodeNeverAnsweredCountsAsNothingAvailable() throws IOException {
        for (int minute = 0; minute < 5; minute++) {
            for (int node = 0; node < 3 && minute != 0 && minute != 2 && minute != 3; node++) {
                add(ProbeKind.HDFS_WRITE, "node" + node, minute * MINUTE + node * 20_000L, 1_000);
            }
            for (int probe = 0; probe < 60; probe++) {
                addNameNode("nn", minute * MINUTE + probe * 1_000L, minute != 1 && minute != 4);
            }
        }

        MonthReport.Sla day = report(List.of(), 10).sla().get(0);

        assertThat(day.minutes()).isEqualTo(2);
        assertThat(day.write()).isEqualTo(1);
        assertThat(day.total().getAsDouble()).isCloseTo((1 + 0 + 0 + 1) / 4.0, within(1e-12));
    }

    /** Half of the pipelines of two of four DataNodes are without the faulty one. */
    @Test
    void aPipelineHasAsManyDataNodesAsAFileHasReplicas() throws IOException {
        for (int node = 0; node < 4; node++) {
            probes.add(new ProbeResult(
                    ProbeKind.HDFS_WRITE, "node" + node, START, 1, node == 0 ? Outcome.FAILED : Outcome.ANSWERED));
        }

        assertThat(report(List.of(), 2, 10).sla().get(0).write()).isCloseTo(0.5, within(1e-12));
    }

    /** A NameNode that is down while the other one serves takes nothing from clients. */
    @ParameterizedTest
    @CsvSource({"0, 0, 1", "20, 0, 1", "20, 5, 0.75", "5, 20, 0.75", "20, 20, 0"})
    void ofTwoNameNodesTheOneThatDidBestInTheMinuteCounts(int badOfOne, int badOfOther, double total)
            throws IOException {
        for (int node = 0; node < 3; node++) {
            add(ProbeKind.HDFS_READ, "node" + node, 0, 1_000);
            add(ProbeKind.HDFS_READ, "node" + node, MINUTE, 1_000);
        }
        for (int probe = 0; probe < 20; probe++) {
            addNameNode("nn1", probe, probe < badOfOne);
            addNameNode("nn2", probe, probe < badOfOther);
        }
        // The day's mean is of both minutes: each has a best one of its own.
        addNameNode("nn1", MINUTE, false);
        addNameNode("nn2", MINUTE, true);

        MonthReport report = report(List.of(), 10);

        assertThat(report.sla().get(0).total().getAsDouble()).isCloseTo((total + 1) / 2, within(1e-12));
        assertThat(report.availability())
                .filteredOn(row -> row.kind() == ProbeKind.NAMENODE)
                .map(Availability::month)
                .as("what was measured is of both")
                .containsExactly(new WindowCounts(42, 41 - badOfOne - badOfOther, 2));
    }

    private void addNameNode(String target, long afterStartMs, boolean isBad) {
        probes.add(new ProbeResult(
                ProbeKind.NAMENODE, target, START + afterStartMs, 1_000, isBad ? Outcome.TIMED_OUT : Outcome.ANSWERED));
    }

    private void add(ProbeKind kind, String target, long afterStartMs, long micros) {
        probes.add(new ProbeResult(kind, target, START + afterStartMs, micros, Outcome.ANSWERED));
    }

    @Test
    void thePageIsWellFormedAndEscapesNames() throws Exception {
        for (int probe = 0; probe < 1_000; probe++) {
            add(
                    ProbeKind.GET,
                    "<script>alert(1)</script>&\"@@SLA@@",
                    probe * MINUTE,
                    probe % 100 == 0 ? 60_000 : 1_000);
        }
        add(ProbeKind.HDFS_WRITE, "node", 0, 1_000);
        String page = MonthReportPage.html(report(
                List.of(new ClusterEvent(START, EventKind.BRAKED, "m", Amount.ONE, By.HEARTH, "<b>a\u0007b<i>")), 10));

        DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(
                        page.replaceFirst("<!DOCTYPE html>", "").getBytes(StandardCharsets.UTF_8)));
        assertThat(page)
                .contains("&lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;@@SLA@@")
                .contains("healing and balancing rest: &lt;b&gt;a?b&lt;i&gt;")
                .contains("99.0000 %")
                .contains("0.0 % of the error budget is left")
                .contains("get: 1 of 1 bad, p99 60.")
                .doesNotContain("<script>")
                .doesNotContain("<b>")
                .doesNotContain("http:")
                .doesNotContain("https:");
    }

    /** Of a kind without an objective nothing is kept or missed. */
    @ParameterizedTest
    @CsvSource({"1, c4", "10, c4", "11, c3", "100, c3", "101, c2", "1000, c2", "1001, c1"})
    void aBarWithoutAnObjectiveHasTheColorOfItsShareOfBadProbes(int due, String color) throws IOException {
        for (int probe = 0; probe < due; probe++) {
            probes.add(new ProbeResult(
                    ProbeKind.REGISTRY, "zk", START + probe, 1_000, probe == 0 ? Outcome.FAILED : Outcome.ANSWERED));
        }

        assertThat(MonthReportPage.html(report(List.of(), 10)))
                .containsPattern(
                        "<rect class=\"" + color + "\"[^>]*><title>1: .*, " + (due - 1) + " of " + due + " good<");
    }

    @Test
    void aMonthOfNothingSaysSo() throws IOException {
        String page = MonthReportPage.html(report(List.of(), 10));

        assertThat(page)
                .contains("No DataNode was probed.")
                .contains("No server was probed.")
                .contains("No probe was bad.")
                .contains("Nothing is known.")
                .contains("<h3>99 % of gets under 50 ms, 30 days <span>unknown</span></h3>");
    }
}
