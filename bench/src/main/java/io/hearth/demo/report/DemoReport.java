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
import java.util.OptionalDouble;

/**
 * Everything that a run of the demo found out.
 *
 * @param startedAt wall clock
 * @param durationMs of the whole run
 * @param runInfo what ran and on what, in the order in which it is shown
 * @param rolesByHost what befell a server ("most reads at first", "killed")
 * @param tables the servers after each phase of the run, in order
 * @param heals the stretches of healing, in order
 * @param samples the servers over time
 * @param events what happened when
 * @param thresholdResults every threshold and its number
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

    /**
     * One stretch of healing: what was remote and what was moved until nothing was.
     *
     * @param title what had moved the regions
     * @param regions regions that had a remote block
     * @param localityBefore locality of all regions concerned before, 0 to 1
     * @param localityAfter locality of the same regions at the end, 0 to 1
     * @param nonLocalBlocks blocks without a replica on the host that serves them, before
     * @param nonLocalBytes their bytes
     * @param blocksMoved moves that Hearth verified with the NameNode
     * @param bytesMoved their bytes
     * @param durationMs from the first sample to the last
     */
    public record HealSummary(
            String title,
            int regions,
            double localityBefore,
            double localityAfter,
            int nonLocalBlocks,
            long nonLocalBytes,
            long blocksMoved,
            long bytesMoved,
            long durationMs) {

        /** Bytes moved over bytes that were not local; empty where none were. */
        public OptionalDouble movedOverNonLocal() {
            return nonLocalBytes == 0 ? OptionalDouble.empty() : OptionalDouble.of(bytesMoved / (double) nonLocalBytes);
        }
    }
}
