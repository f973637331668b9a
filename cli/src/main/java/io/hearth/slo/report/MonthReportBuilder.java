// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.report;

import io.hearth.slo.event.ClusterEvent;
import io.hearth.slo.event.ClusterEvent.Amount;
import io.hearth.slo.event.ClusterEvent.By;
import io.hearth.slo.event.EventKind;
import io.hearth.slo.event.EventMinute;
import io.hearth.slo.objective.Objective;
import io.hearth.slo.objective.WindowCounts;
import io.hearth.slo.probe.ProbeKind;
import io.hearth.slo.report.MonthReport.Availability;
import io.hearth.slo.report.MonthReport.Cell;
import io.hearth.slo.report.MonthReport.Day;
import io.hearth.slo.report.MonthReport.HeatMap;
import io.hearth.slo.report.MonthReport.KindInMinute;
import io.hearth.slo.report.MonthReport.Minute;
import io.hearth.slo.report.MonthReport.Server;
import io.hearth.slo.report.MonthReport.Timeline;
import io.hearth.slo.report.MonthReport.TimelinePercentiles;
import io.hearth.slo.store.ClusterMinute;
import io.hearth.slo.store.LatencyHistogram;
import io.hearth.slo.store.ServerCounts;
import io.hearth.slo.store.SloReader;
import io.hearth.slo.store.TimelineLatency;
import io.hearth.slo.store.TimelineMinute;
import java.io.IOException;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * Makes the report of a month from what is stored.
 *
 * <p>A probe is bad in the heat map, in the worst minutes and for the availability of HDFS by the first objective of its kind; of a kind
 * without one, if it was not answered. It reads what is stored once, and the worst minutes a second time. Not thread-safe.
 */
public final class MonthReportBuilder {

    private static final long MINUTE_MS = 60_000;
    private static final long DAY_MS = 24 * 60 * MINUTE_MS;
    private static final long COLUMN_MS = DAY_MS / 4;
    private static final long BEFORE_MS = 5 * MINUTE_MS;
    private static final int WORST_MINUTES = 10;
    private static final int WORST_SERVERS = 3;
    private static final int MOST_EVENTS = 15;

    private final YearMonth month;
    private final List<Objective> objectives;
    private final int mostServers;
    private final long startMs;
    private final long endMs;

    private final NavigableMap<Long, MinuteCounts> countsByMinute = new TreeMap<>();
    private final Map<String, long[][]> dueAndBadByServer = new HashMap<>();
    private final SlaByDay sla;
    private final List<DayParts> partsByDay = new ArrayList<>();
    private final Map<Integer, TimelineLatency> timelineByTimeoutMs = new TreeMap<>();

    /** What the parts of a day come to. */
    private static final class DayParts {
        private final Map<ProbeKind, LatencyHistogram> latencies = new EnumMap<>(ProbeKind.class);
        private final Map<EventKind, Map<By, Amount>> events = new EnumMap<>(EventKind.class);
        private final Set<Long> eventMinutes = new HashSet<>();
    }

    /** What the parts of a minute come to. */
    private final class MinuteCounts {
        private final long[] dueByKind = new long[ProbeKind.values().length];
        private final long[] answeredByKind = new long[ProbeKind.values().length];
        private final long[] badByKind = new long[ProbeKind.values().length];
        private final long[] goodByObjective = new long[objectives.size()];

        private long bad() {
            long bad = 0;
            for (long ofKind : badByKind) {
                bad += ofKind;
            }
            return bad;
        }
    }

    private MonthReportBuilder(YearMonth month, List<Objective> objectives, int replication, int mostServers) {
        this.month = month;
        this.objectives = List.copyOf(objectives);
        sla = new SlaByDay(replication);
        this.mostServers = mostServers;
        for (int day = 0; day < month.lengthOfMonth(); day++) {
            partsByDay.add(new DayParts());
        }
        startMs = month.atDay(1).atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
        endMs = month.plusMonths(1)
                .atDay(1)
                .atStartOfDay(ZoneOffset.UTC)
                .toInstant()
                .toEpochMilli();
    }

    /**
     * The report.
     *
     * @param replication of HBase's files, at least 1
     * @param mostServers rows of the heat map, at most
     */
    public static MonthReport report(
            SloReader reader, YearMonth month, List<Objective> objectives, int replication, int mostServers)
            throws IOException {
        MonthReportBuilder builder = new MonthReportBuilder(month, objectives, replication, mostServers);
        reader.clusterMinutes(builder.startMs, builder.endMs, builder::add);
        reader.eventMinutes(builder.startMs, builder.endMs, builder::add);
        reader.timelineMinutes(builder.startMs, builder.endMs, builder::add);
        reader.dataNodeMinutes(builder.startMs - MINUTE_MS, builder.endMs, builder.sla::add);
        return new MonthReport(
                month,
                builder.availability(),
                builder.sla.days(builder.startMs, month.lengthOfMonth()),
                builder.days(),
                builder.heatMap(),
                builder.worstMinutes(reader),
                builder.timeline());
    }

    private void add(ClusterMinute part) {
        MinuteCounts minute = countsByMinute.computeIfAbsent(part.startMs(), start -> new MinuteCounts());
        part.counts().forEach((kind, counts) -> {
            minute.dueByKind[kind.ordinal()] += counts.due();
            minute.answeredByKind[kind.ordinal()] += counts.answered();
            int column = (int) ((part.startMs() - startMs) / COLUMN_MS);
            int place = place(kind, counts);
            for (int row = 0; row < counts.rows(); row++) {
                long bad = bad(counts, place, row);
                long[][] dueAndBad =
                        dueAndBadByServer.computeIfAbsent(counts.target(row), server -> new long[2][columns()]);
                dueAndBad[0][column] += counts.due(row);
                dueAndBad[1][column] += bad;
                sla.add(part.startMs(), kind, counts.target(row), counts.due(row), bad);
            }
            minute.badByKind[kind.ordinal()] += bad(part, kind);
        });
        Map<ProbeKind, LatencyHistogram> ofDay = partsOf(part.startMs()).latencies;
        part.latencies().forEach((kind, latency) -> ofDay.computeIfAbsent(kind, any -> new LatencyHistogram())
                .add(latency));
        for (int place = 0; place < objectives.size(); place++) {
            minute.goodByObjective[place] += part.good(
                    objectives.get(place).kind(), objectives.get(place).limitMicros());
        }
    }

    private DayParts partsOf(long ms) {
        return partsByDay.get((int) ((ms - startMs) / DAY_MS));
    }

    private void add(EventMinute minute) {
        DayParts day = partsOf(minute.startMs());
        if (minute.events().stream().noneMatch(event -> event.kind() == EventKind.NOT_KNOWN)) {
            day.eventMinutes.add(minute.startMs());
        }
        minute.events().forEach(event -> day.events
                .computeIfAbsent(event.kind(), kind -> new EnumMap<>(By.class))
                .merge(event.by(), event.amount(), Amount::plus));
    }

    private void add(TimelineMinute part) {
        part.byTimeoutMs().forEach((timeoutMs, reads) -> timelineByTimeoutMs
                .computeIfAbsent(timeoutMs, any -> new TimelineLatency())
                .add(reads));
    }

    private List<Timeline> timeline() {
        List<Timeline> rows = new ArrayList<>();
        timelineByTimeoutMs.forEach((timeoutMs, reads) -> {
            LatencyHistogram latencies = reads.latencies();
            rows.add(new Timeline(
                    timeoutMs,
                    latencies.due(),
                    latencies.due() - latencies.answered(),
                    reads.stale(),
                    reads.staleShare(),
                    new TimelinePercentiles(
                            latencies.percentileMicros(50),
                            latencies.percentileMicros(99),
                            latencies.percentileMicros(99.9))));
        });
        return rows;
    }

    private List<Day> days() {
        return partsByDay.stream()
                .map(day -> {
                    Map<ProbeKind, OptionalLong> p99Micros = new EnumMap<>(ProbeKind.class);
                    day.latencies.forEach((kind, latency) -> p99Micros.put(kind, latency.percentileMicros(99)));
                    return new Day(p99Micros, day.eventMinutes.size(), day.events);
                })
                .toList();
    }

    private int columns() {
        return (int) ((endMs - startMs) / COLUMN_MS);
    }

    private Optional<Objective> first(ProbeKind kind) {
        return objectives.stream().filter(objective -> objective.kind() == kind).findFirst();
    }

    /** Where the limit of the kind's first objective is; -1 without one, or if it was not in force. */
    private int place(ProbeKind kind, ServerCounts counts) {
        return first(kind)
                .map(objective -> counts.placeOf(objective.limitMicros()))
                .orElse(-1);
    }

    /** Of one server; by answers alone where its objective was not in force, since histograms of a server are not kept that long. */
    private static long bad(ServerCounts counts, int place, int row) {
        return counts.due(row) - (place < 0 ? counts.answered(row) : counts.good(place, row));
    }

    private long bad(ClusterMinute part, ProbeKind kind) {
        Optional<Objective> objective = first(kind);
        long due = part.due(kind);
        ServerCounts counts = part.counts().get(kind);
        if (objective.isEmpty()) {
            return counts == null ? 0 : due - counts.answered();
        }
        return due - part.good(kind, objective.get().limitMicros());
    }

    private List<Availability> availability() {
        List<Availability> rows = new ArrayList<>();
        for (ProbeKind kind : ProbeKind.values()) {
            List<WindowCounts> answered =
                    days(minute -> minute.dueByKind[kind.ordinal()], minute -> minute.answeredByKind[kind.ordinal()]);
            if (sum(answered).due() > 0) {
                rows.add(new Availability(kind, Optional.empty(), answered, sum(answered)));
            }
        }
        for (int number = 0; number < objectives.size(); number++) {
            int place = number;
            Objective objective = objectives.get(place);
            List<WindowCounts> good = days(
                    minute -> minute.dueByKind[objective.kind().ordinal()], minute -> minute.goodByObjective[place]);
            rows.add(new Availability(objective.kind(), Optional.of(objective), good, sum(good)));
        }
        return rows;
    }

    private interface Count {
        long of(MinuteCounts minute);
    }

    private List<WindowCounts> days(Count due, Count good) {
        List<WindowCounts> days = new ArrayList<>();
        for (int day = 0; day < month.lengthOfMonth(); day++) {
            days.add(sum(minutesOf(day).stream()
                    .map(minute -> new WindowCounts(due.of(minute), good.of(minute), due.of(minute) > 0 ? 1 : 0))
                    .toList()));
        }
        return days;
    }

    private List<MinuteCounts> minutesOf(int day) {
        long dayMs = startMs + day * DAY_MS;
        return List.copyOf(
                countsByMinute.subMap(dayMs, true, dayMs + DAY_MS, false).values());
    }

    private static WindowCounts sum(List<WindowCounts> parts) {
        return new WindowCounts(
                parts.stream().mapToLong(WindowCounts::due).sum(),
                parts.stream().mapToLong(WindowCounts::good).sum(),
                parts.stream().mapToInt(WindowCounts::minutes).sum());
    }

    private HeatMap heatMap() {
        List<Server> servers = new ArrayList<>();
        dueAndBadByServer.forEach((name, dueAndBad) -> {
            List<Cell> cells = new ArrayList<>();
            for (int column = 0; column < columns(); column++) {
                cells.add(new Cell(dueAndBad[0][column], dueAndBad[1][column]));
            }
            servers.add(new Server(name, cells));
        });
        servers.sort(Comparator.comparingLong(Server::bad).reversed().thenComparing(Server::name));
        int shown = Math.min(mostServers, servers.size());
        return new HeatMap(startMs, COLUMN_MS, columns(), servers.subList(0, shown), servers.size() - shown);
    }

    private List<Minute> worstMinutes(SloReader reader) throws IOException {
        List<Long> worst = countsByMinute.entrySet().stream()
                .filter(minute -> minute.getValue().bad() > 0)
                .sorted(Comparator.<Map.Entry<Long, MinuteCounts>>comparingLong(
                                minute -> minute.getValue().bad())
                        .reversed()
                        .thenComparing(Map.Entry::getKey))
                .limit(WORST_MINUTES)
                .map(Map.Entry::getKey)
                .toList();
        List<Minute> minutes = new ArrayList<>();
        for (long startOfMinuteMs : worst) {
            minutes.add(minute(reader, startOfMinuteMs));
        }
        return minutes;
    }

    private Minute minute(SloReader reader, long minuteMs) throws IOException {
        Map<ProbeKind, LatencyHistogram> latencies = new EnumMap<>(ProbeKind.class);
        Map<ProbeKind, Long> badByKind = new EnumMap<>(ProbeKind.class);
        Map<String, Long> badByServer = new TreeMap<>();
        reader.clusterMinutes(minuteMs, minuteMs + 1, part -> part.latencies().forEach((kind, latency) -> {
            latencies.computeIfAbsent(kind, any -> new LatencyHistogram()).add(latency);
            badByKind.merge(kind, bad(part, kind), Long::sum);
            ServerCounts counts = part.counts().get(kind);
            if (counts != null) {
                int place = place(kind, counts);
                for (int row = 0; row < counts.rows(); row++) {
                    badByServer.merge(counts.target(row), bad(counts, place, row), Long::sum);
                }
            }
        }));
        Map<ProbeKind, KindInMinute> kinds = new EnumMap<>(ProbeKind.class);
        latencies.forEach((kind, latency) -> kinds.put(
                kind, new KindInMinute(latency.due(), badByKind.getOrDefault(kind, 0L), latency.percentileMicros(99))));
        List<ClusterEvent> events = events(reader, minuteMs - BEFORE_MS, minuteMs + MINUTE_MS);
        return new Minute(
                minuteMs,
                kinds,
                badByServer.entrySet().stream()
                        .filter(server -> server.getValue() > 0)
                        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                        .limit(WORST_SERVERS)
                        .map(Map.Entry::getKey)
                        .toList(),
                events.stream()
                        .limit(MOST_EVENTS)
                        .sorted(Comparator.comparingLong(ClusterEvent::atMs))
                        .toList(),
                Math.max(0, events.size() - MOST_EVENTS));
    }

    /** Those that explain slow requests best come first. What a daemon saw a minute after it happened is in a record of that minute. */
    private static List<ClusterEvent> events(SloReader reader, long fromMs, long toMs) throws IOException {
        List<ClusterEvent> events = new ArrayList<>();
        reader.eventMinutes(fromMs - MINUTE_MS, toMs + MINUTE_MS, minute -> events.addAll(minute.events()));
        return events.stream()
                .filter(event -> event.atMs() >= fromMs && event.atMs() < toMs)
                .sorted(Comparator.comparing(ClusterEvent::kind)
                        .thenComparing(Comparator.comparingLong(
                                        (ClusterEvent event) -> event.amount().count())
                                .reversed()))
                .toList();
    }
}
