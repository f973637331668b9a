// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.throttle;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * Whether a call that is always the same takes much longer than it used to: the median of the last {@value #RECENT} samples
 * against the lower quartile of the last {@value #SAMPLES}, which a while of slowness does not move and a lasting change does.
 * The quartile is kept from being taken for zero by a floor on the difference. Samples of before the last {@link #startPeriod} say
 * what is usual, and never that it is slow now. Not thread-safe.
 */
public final class LatencyBaseline {

    static final int RECENT = 3;
    static final int SAMPLES = 120;

    /** With fewer samples there is nothing to compare with. */
    static final int ENOUGH = 8;

    private static final int TIMES = 3;

    private final long floorMicros;
    private final Deque<Long> samples = new ArrayDeque<>();
    private int inPeriod;

    /** @param floorMicros differences up to this are no slowness, however many times the baseline they are */
    public LatencyBaseline(long floorMicros) {
        this.floorMicros = floorMicros;
    }

    /** After a pause, or after something that made calls slow for a while: the samples so far say nothing of now. */
    public void startPeriod() {
        inPeriod = 0;
    }

    public void add(long micros) {
        inPeriod++;
        samples.addLast(micros);
        if (samples.size() > SAMPLES) {
            samples.removeFirst();
        }
    }

    public boolean isSlow() {
        if (samples.size() < ENOUGH || inPeriod < RECENT) {
            return false;
        }
        long[] inOrder = samples.stream().mapToLong(Long::longValue).toArray();
        long[] recent = Arrays.copyOfRange(inOrder, inOrder.length - RECENT, inOrder.length);
        Arrays.sort(recent);
        Arrays.sort(inOrder);
        long now = recent[RECENT / 2];
        long usual = inOrder[inOrder.length / 4];
        return now - usual > floorMicros && now >= TIMES * usual;
    }
}
