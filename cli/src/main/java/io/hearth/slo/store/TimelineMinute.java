// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.store;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A part of the timeline-consistent reads that were due in one minute of one instance of the watch. To have the minute, add its parts.
 * Immutable as long as nobody adds to its histograms.
 *
 * @param startMs the minute's start, in ms since 1970, by the clock at the time
 * @param byTimeoutMs by primary-call timeout in milliseconds
 */
public record TimelineMinute(long startMs, SortedMap<Integer, TimelineLatency> byTimeoutMs) {

    /** Copies the map. */
    public TimelineMinute {
        byTimeoutMs = Collections.unmodifiableSortedMap(new TreeMap<>(byTimeoutMs));
    }
}
