// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.store;

import java.util.Arrays;
import java.util.OptionalLong;

/**
 * How many probes of one kind were due, answered and good, for each server, in columns. Unchanged after it was made; the arrays are its
 * own.
 *
 * <p>Good is by the limits that were in force when it was counted: a limit that came later has no exact count here.
 */
public final class ServerCounts {

    private final String[] targets;
    private final long[] due;
    private final long[] answered;
    private final long[] limitsMicros;
    private final long[][] good;

    /**
     * Takes these columns over.
     *
     * @param limitsMicros ascending
     * @param good by the place of the limit, then by the row
     */
    ServerCounts(String[] targets, long[] due, long[] answered, long[] limitsMicros, long[][] good) {
        this.targets = targets;
        this.due = due;
        this.answered = answered;
        this.limitsMicros = limitsMicros;
        this.good = good;
    }

    /** How many servers it has. */
    public int rows() {
        return targets.length;
    }

    /** The server of this row. */
    public String target(int row) {
        return targets[row];
    }

    /** Probes that were due. */
    public long due(int row) {
        return due[row];
    }

    /** Probes that were answered, however late. */
    public long answered(int row) {
        return answered[row];
    }

    /** The place of this limit among those that were in force; -1 if it was not. */
    public int placeOf(long limitMicros) {
        return Math.max(-1, Arrays.binarySearch(limitsMicros, limitMicros));
    }

    /** Probes that were answered within the limit at this place. */
    public long good(int place, int row) {
        return good[place][row];
    }

    /** Probes that were due, of all servers. */
    public long due() {
        return Arrays.stream(due).sum();
    }

    /** Probes that were answered, of all servers. */
    public long answered() {
        return Arrays.stream(answered).sum();
    }

    /** Probes of all servers that were answered within this limit; empty if it was not in force. */
    public OptionalLong good(long limitMicros) {
        int place = placeOf(limitMicros);
        return place < 0
                ? OptionalLong.empty()
                : OptionalLong.of(Arrays.stream(good[place]).sum());
    }

    long[] limitsMicros() {
        return limitsMicros;
    }
}
