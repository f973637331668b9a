// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.report;

import io.hearth.slo.event.ClusterEvent;
import io.hearth.slo.event.ClusterEvent.Amount;
import io.hearth.slo.event.ClusterEvent.By;
import io.hearth.slo.event.EventKind;
import io.hearth.slo.objective.Objective;
import io.hearth.slo.objective.WindowCounts;
import io.hearth.slo.probe.ProbeKind;
import java.time.YearMonth;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * A month of the SLO watch: availability by day, a heat map of servers and time, latency and what happened by day, the worst minutes with
 * what else happened. Days are those of UTC. What the watch did not see is in no count. Immutable.
 *
 * @param availability of each kind that was probed, and of each objective
 * @param sla of HDFS by faulty DataNodes, for each day
 * @param days latency and what happened, for each day
 * @param worstMinutes those with the most bad probes, the worst first
 * @param timeline timeline-consistent reads by primary-call timeout, the shortest first; empty where none was made
 */
public record MonthReport(
        YearMonth month,
        List<Availability> availability,
        List<Sla> sla,
        List<Day> days,
        HeatMap heatMap,
        List<Minute> worstMinutes,
        List<Timeline> timeline) {

    /** Copies the lists. */
    public MonthReport {
        availability = List.copyOf(availability);
        sla = List.copyOf(sla);
        days = List.copyOf(days);
        worstMinutes = List.copyOf(worstMinutes);
        timeline = List.copyOf(timeline);
    }

    /**
     * Good and due probes of each day.
     *
     * @param objective by which good is counted; empty where every answer is good
     * @param month the sum of the days
     */
    public record Availability(
            ProbeKind kind, Optional<Objective> objective, List<WindowCounts> days, WindowCounts month) {

        /** Copies the list. */
        public Availability {
            days = List.copyOf(days);
        }

        /** What it is of: {@code 99.95 % of gets under 50 ms, 30 days}, or {@code get answered}. */
        public String label() {
            return objective.map(Objective::toString).orElse(kind + " answered");
        }

        /** What is left of the month's error budget as a share of it; empty without an objective or a probe. */
        public OptionalDouble budgetLeftShare() {
            return objective.isEmpty() || month.due() == 0
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(1
                            - month.bad()
                                    / (month.due() * objective.get().badShare().doubleValue()));
        }
    }

    /**
     * A day of {@link io.hearth.slo.availability.SlaAvailability}: the means over its minutes.
     *
     * @param minutes in which DataNodes were probed, or all were dead; the rest is meaningless where there was none
     * @param total empty if NameNodes were not probed
     * @param mostFaulty the most DataNodes that were faulty in one minute, dead ones among them
     */
    public record Sla(int minutes, double write, double read, OptionalDouble total, int mostFaulty) {}

    /**
     * Latency and what happened in a day.
     *
     * @param p99Micros within which 99 of 100 probes were answered, empty if fewer were; a kind without a probe is missing
     * @param eventMinutes of how many minutes it is known what happened
     * @param events what happened, and who did it
     */
    public record Day(
            Map<ProbeKind, OptionalLong> p99Micros, int eventMinutes, Map<EventKind, Map<By, Amount>> events) {

        /** Copies. */
        public Day {
            p99Micros = Map.copyOf(p99Micros);
            Map<EventKind, Map<By, Amount>> copies = new EnumMap<>(EventKind.class);
            events.forEach((kind, amounts) -> copies.put(kind, Map.copyOf(amounts)));
            events = Map.copyOf(copies);
        }

        /** How much of this happened, whoever did it. */
        public Amount amount(EventKind kind) {
            return events.getOrDefault(kind, Map.of()).values().stream().reduce(Amount.NONE, Amount::plus);
        }

        /** How much of this these have done. */
        public Amount amount(EventKind kind, By by) {
            return events.getOrDefault(kind, Map.of()).getOrDefault(by, Amount.NONE);
        }
    }

    /**
     * Bad and due probes of each server by time.
     *
     * @param startMs of the first column, in ms since 1970
     * @param columnMs the length of each
     * @param servers those with the most bad probes, the worst first
     * @param leftOut how many servers are not shown
     */
    public record HeatMap(long startMs, long columnMs, int columns, List<Server> servers, int leftOut) {

        /** Copies the list. */
        public HeatMap {
            servers = List.copyOf(servers);
        }
    }

    /**
     * The row of a server.
     *
     * @param cells one for each column
     */
    public record Server(String name, List<Cell> cells) {

        /** Copies the list. */
        public Server {
            cells = List.copyOf(cells);
        }

        /** Its bad probes of all columns. */
        public long bad() {
            return cells.stream().mapToLong(Cell::bad).sum();
        }
    }

    /** Probes that were due and those of them that were bad; none was due where nothing is known. */
    public record Cell(long due, long bad) {}

    /**
     * A minute with many bad probes.
     *
     * @param startMs its start, in ms since 1970
     * @param kinds what was probed
     * @param servers those with the most bad probes, the worst first
     * @param events what happened from five minutes before it until its end, by time; what explains least is left out where it is a lot
     * @param eventsLeftOut how many are left out
     */
    public record Minute(
            long startMs,
            Map<ProbeKind, KindInMinute> kinds,
            List<String> servers,
            List<ClusterEvent> events,
            int eventsLeftOut) {

        /** Copies. */
        public Minute {
            kinds = Map.copyOf(kinds);
            servers = List.copyOf(servers);
            events = List.copyOf(events);
        }
    }

    /**
     * The probes of a kind in a minute.
     *
     * @param p99Micros within which 99 of 100 were answered; empty if fewer were
     */
    public record KindInMinute(long due, long bad, OptionalLong p99Micros) {}

    /**
     * The timeline-consistent reads of the month with one primary-call timeout.
     *
     * @param timeoutMs for how long the client waited for the primary alone
     * @param reads that were due
     * @param unanswered those that neither the primary nor a replica answered
     * @param stale those that a replica answered
     * @param staleShare stale ones of all answers; empty without an answer
     * @param micros within which a share of the reads was answered
     */
    public record Timeline(
            int timeoutMs,
            long reads,
            long unanswered,
            long stale,
            OptionalDouble staleShare,
            TimelinePercentiles micros) {}

    /** In microseconds; each is empty if fewer were answered. */
    public record TimelinePercentiles(OptionalLong p50, OptionalLong p99, OptionalLong p999) {}
}
