package io.hearth.demo.report;

import io.hearth.demo.measure.Timeline;
import io.hearth.demo.verdict.Verdict;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Everything that a run of the demo found out.
 *
 * @param startedAt wall clock
 * @param durationMs of the whole run
 * @param facts what ran and on what, in the order in which it is shown
 * @param rolesByHost what befell a server ("most reads at first", "killed")
 * @param tables the servers at each station of the run, in order
 * @param heals the stretches of healing, in order
 * @param samples the servers over time
 * @param events what happened when
 * @param verdict every bar and its number
 */
public record DemoReport(
        Instant startedAt,
        long durationMs,
        Map<String, String> facts,
        Map<String, String> rolesByHost,
        List<ServerTable> tables,
        List<Heal> heals,
        List<Timeline.Sample> samples,
        List<Timeline.Event> events,
        Verdict verdict) {

    public DemoReport {
        facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
        rolesByHost = Map.copyOf(rolesByHost);
        tables = List.copyOf(tables);
        heals = List.copyOf(heals);
        samples = List.copyOf(samples);
        events = List.copyOf(events);
    }
}
