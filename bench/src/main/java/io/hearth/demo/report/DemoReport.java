// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo.report;

import io.hearth.demo.threshold.ThresholdResults;
import io.hearth.testkit.measure.Timeline;
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
 * @param runInfo what ran and on what, in the order in which it is shown
 * @param rolesByHost what befell a server ("most reads at first", "killed")
 * @param tables the servers at each station of the run, in order
 * @param heals the stretches of healing, in order
 * @param samples the servers over time
 * @param events what happened when
 * @param thresholdResults every bar and its number
 */
public record DemoReport(
        Instant startedAt,
        long durationMs,
        Map<String, String> runInfo,
        Map<String, String> rolesByHost,
        List<ServerTable> tables,
        List<HealSummary> heals,
        List<Timeline.Sample> samples,
        List<Timeline.Event> events,
        ThresholdResults thresholdResults) {

    public DemoReport {
        runInfo = Collections.unmodifiableMap(new LinkedHashMap<>(runInfo));
        rolesByHost = Map.copyOf(rolesByHost);
        tables = List.copyOf(tables);
        heals = List.copyOf(heals);
        samples = List.copyOf(samples);
        events = List.copyOf(events);
    }
}
