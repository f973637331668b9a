// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import io.hearth.balancer.engine.Advice.DailyAdvice;
import io.hearth.common.model.LoadDimension;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What Hearth would have done beside what the stock balancer did, run by run for a day and day by day for two months, which
 * the next master is told ({@link #encode}). Thread-safe.
 */
public final class AdviceLog {

    /** A day of runs that say something at the balancer's default period of five minutes. */
    static final int RUNS_KEPT = 288;

    static final int DAYS_KEPT = 60;

    private static final int FORMAT = 1;

    private final Deque<Advice> newestFirst = new ArrayDeque<>();
    private final TreeMap<Long, DailyAdvice> dayByStartMs = new TreeMap<>();

    synchronized void add(Advice advice) {
        long startMs = Math.floorDiv(advice.atMs(), DailyAdvice.DAY_MS) * DailyAdvice.DAY_MS;
        dayByStartMs.merge(startMs, DailyAdvice.empty(startMs).with(advice), (day, first) -> day.with(advice));
        while (dayByStartMs.size() > DAYS_KEPT) {
            dayByStartMs.pollFirstEntry();
        }
        if (advice.isNotable()) {
            newestFirst.addFirst(advice);
            if (newestFirst.size() > RUNS_KEPT) {
                newestFirst.removeLast();
            }
        }
    }

    /** What max/mean is now: what came of the runs over the same tables and servers that are so long ago. Returns those. */
    synchronized List<Advice> measured(
            String scope, String group, Map<LoadDimension, Double> maxOverMean, long delayMs, long nowMs) {
        List<Advice> withOutcome = new ArrayList<>();
        List<Advice> all = new ArrayList<>(newestFirst);
        all.replaceAll(advice -> {
            // The delay of a run after now, by a clock that was set back, is over.
            boolean isEarly = nowMs >= advice.atMs() && nowMs < advice.atMs() + delayMs;
            if (advice.observedAtMs().isPresent()
                    || !advice.scope().equals(scope)
                    || !advice.group().equals(group)
                    || isEarly) {
                return advice;
            }
            Advice observed = advice.withOutcome(maxOverMean, nowMs);
            withOutcome.add(observed);
            return observed;
        });
        if (!withOutcome.isEmpty()) {
            newestFirst.clear();
            newestFirst.addAll(all);
        }
        return withOutcome;
    }

    /** The last runs in which either of the two had something to move, newest first. */
    public synchronized List<Advice> newestFirst() {
        return List.copyOf(newestFirst);
    }

    /** The last days on which Hearth only advised, oldest first. */
    public synchronized List<DailyAdvice> days() {
        return List.copyOf(dayByStartMs.values());
    }

    /** The days, for {@link #restore} in another master. */
    public synchronized byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(FORMAT);
            out.writeInt(dayByStartMs.size());
            for (DailyAdvice day : dayByStartMs.values()) {
                out.writeLong(day.startMs());
                out.writeLong(day.plans());
                out.writeLong(day.plansWithMoves());
                out.writeLong(day.stockMoves());
                write(out, day.sumBefore());
                write(out, day.sumHearth());
            }
        } catch (IOException cannotBe) {
            throw new UncheckedIOException("Writing into memory failed.", cannotBe);
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, Map<LoadDimension, Double> values) throws IOException {
        out.writeInt(values.size());
        for (Map.Entry<LoadDimension, Double> value : values.entrySet()) {
            out.writeUTF(value.getKey().name());
            out.writeDouble(value.getValue());
        }
    }

    /** Adds the days that another master kept; of a day that both know, this one's holds. Unreadable bytes change nothing. */
    public synchronized void restore(byte[] bytes) {
        List<DailyAdvice> days = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            if (in.readInt() != FORMAT) {
                return;
            }
            int count = in.readInt();
            for (int day = 0; day < count; day++) {
                days.add(new DailyAdvice(
                        in.readLong(), in.readLong(), in.readLong(), in.readLong(), readMap(in), readMap(in)));
            }
        } catch (IOException | RuntimeException torn) {
            return;
        }
        days.forEach(day -> dayByStartMs.putIfAbsent(day.startMs(), day));
        while (dayByStartMs.size() > DAYS_KEPT) {
            dayByStartMs.pollFirstEntry();
        }
    }

    /** Whether a later version of Hearth has written these bytes, which {@link #restore} leaves alone then. */
    public static boolean isNewer(byte[] bytes) {
        return bytes.length >= Integer.BYTES && ByteBuffer.wrap(bytes).getInt() > FORMAT;
    }

    private static Map<LoadDimension, Double> readMap(DataInputStream in) throws IOException {
        Map<LoadDimension, Double> values = new EnumMap<>(LoadDimension.class);
        int count = in.readInt();
        for (int value = 0; value < count; value++) {
            values.put(LoadDimension.valueOf(in.readUTF()), in.readDouble());
        }
        return values;
    }
}
