// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.probe;

import io.hearth.slo.probe.ProbeResult.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the probes of a daemon have seen of DataNodes since it was last asked. A DataNode is written to and read from once a minute: the
 * worse of a write and a read is one observation, so that one hiccup is not seen twice. What could not be sent says nothing. Thread-safe.
 */
public final class DataNodeObservations implements Consumer<ProbeResult> {

    /** Of a thousand DataNodes those of many minutes; if nobody asks, the oldest are given up. */
    private static final int MAX_KEPT = 10_000;

    private final ToLongFunction<ProbeKind> limitMicros;
    private final Map<String, Pending> pendingByTarget = new HashMap<>();
    private final Deque<DataNodeObservation> seen = new ArrayDeque<>();

    /** How a DataNode served, the worst last. */
    public enum Condition {
        GOOD,
        /** It took longer than the limit. */
        SLOW,
        FAILED
    }

    /**
     * How a DataNode served.
     *
     * @param host of the DataNode
     * @param kind a write or a read, whichever went worse
     * @param atMs when it ended, in ms since 1970
     */
    public record DataNodeObservation(String host, ProbeKind kind, Condition condition, long atMs) {}

    private static final class Pending {
        private @Nullable DataNodeObservation write;
        private @Nullable DataNodeObservation read;
    }

    /** @param limitMicros beyond which a write or a read is slow, by its kind */
    public DataNodeObservations(ToLongFunction<ProbeKind> limitMicros) {
        this.limitMicros = limitMicros;
    }

    @Override
    public synchronized void accept(ProbeResult result) {
        boolean isWrite = result.kind() == ProbeKind.HDFS_WRITE;
        if ((!isWrite && result.kind() != ProbeKind.HDFS_READ) || result.outcome() == Outcome.NOT_SENT) {
            return;
        }
        DataNodeObservation next = new DataNodeObservation(
                result.target().replaceFirst(":\\d+$", ""),
                result.kind(),
                condition(result),
                result.dueAtMs() + result.latencyMicros() / 1_000);
        Pending pending = pendingByTarget.computeIfAbsent(result.target(), target -> new Pending());
        Optional.ofNullable(isWrite ? pending.write : pending.read).ifPresent(this::keep);
        pending.write = isWrite ? next : pending.write;
        pending.read = isWrite ? pending.read : next;
        DataNodeObservation write = pending.write;
        DataNodeObservation read = pending.read;
        if (write != null && read != null) {
            keep(write.condition().compareTo(read.condition()) > 0 ? write : read);
            pending.write = null;
            pending.read = null;
        }
    }

    private Condition condition(ProbeResult result) {
        return switch (result.outcome()) {
            case ANSWERED ->
                result.latencyMicros() <= limitMicros.applyAsLong(result.kind()) ? Condition.GOOD : Condition.SLOW;
            case FAILED, TIMED_OUT, NOT_SENT -> Condition.FAILED;
        };
    }

    private void keep(DataNodeObservation observation) {
        if (seen.size() == MAX_KEPT) {
            seen.removeFirst();
        }
        seen.addLast(observation);
    }

    /** Those since the last call, the oldest first. */
    public synchronized List<DataNodeObservation> take() {
        List<DataNodeObservation> taken = new ArrayList<>(seen);
        seen.clear();
        return taken;
    }
}
