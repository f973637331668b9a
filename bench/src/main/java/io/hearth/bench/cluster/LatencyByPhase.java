// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import io.hearth.testkit.load.LatencyRecorder.LatencySummary;

/**
 * Latencies of one kind of request around an event, each request in the phase in which it was due.
 *
 * @param before the event
 * @param moving from the event until regions were where they stay: while they are closed their requests wait
 * @param healing from then until all was local, or until that was given up
 * @param after that
 */
public record LatencyByPhase(
        LatencySummary before, LatencySummary moving, LatencySummary healing, LatencySummary after) {}
