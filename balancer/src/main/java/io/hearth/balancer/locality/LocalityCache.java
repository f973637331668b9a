// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.locality;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A cache of answers that may be asked for again, in which an answer that was begun before a change can't land after it.
 *
 * <p>Every key has a generation; {@link #invalidate} raises it, and {@link #finish} takes an answer only for the generation
 * that it was asked in. An invalidated answer stays usable until a newer one lands: old is better than nothing for a
 * balancer, and nothing is never mistaken for "no blocks anywhere". A failed load is not asked for again before its back-off
 * has passed. What happened after now, by a clock that was set back, counts as of now or is over. The shape is that of Trino's {@code EvictableCache}. Thread-safe; no method blocks or loads.
 *
 * @param <K> what is asked about
 * @param <V> the answer, immutable
 */
public final class LocalityCache<K, V> {

    private final Map<K, Entry<V>> entryByKey = new HashMap<>();
    private final long retryAfterMs;

    /** @param retryAfterMs time after a failed load before the key is asked for again, in milliseconds */
    public LocalityCache(long retryAfterMs) {
        this.retryAfterMs = retryAfterMs;
    }

    /** The last answer for this key, which may be from before a change. */
    public synchronized Optional<V> get(K key) {
        Entry<V> entry = entryByKey.get(key);
        return entry == null ? Optional.empty() : Optional.ofNullable(entry.value);
    }

    /** Says that the answer for this key has changed; a load that is under way will not land. */
    public synchronized void invalidate(K key) {
        Entry<V> entry = entryByKey.get(key);
        if (entry != null) {
            entry.generation++;
            entry.isStale = true;
        }
    }

    /** Begins to load this key; empty where an answer is fresh, on its way or backing off. */
    public synchronized Optional<Load<K>> begin(K key, long nowMs) {
        Entry<V> entry = entryByKey.computeIfAbsent(key, newKey -> new Entry<>());
        boolean isOnItsWay = entry.loadingGeneration == entry.generation;
        if (!entry.isStale || isOnItsWay || entry.isBackingOff(nowMs, retryAfterMs)) {
            return Optional.empty();
        }
        entry.loadingGeneration = entry.generation;
        return Optional.of(new Load<>(key, entry.generation));
    }

    /** Takes the answer to this load unless the key has changed since it began; says whether it did. */
    public synchronized boolean finish(Load<K> load, V value, long nowMs) {
        Entry<V> entry = entryByKey.get(load.key());
        if (entry == null || entry.generation != load.generation()) {
            return false;
        }
        entry.value = value;
        entry.isStale = false;
        entry.loadedMs = nowMs;
        entry.loadingGeneration = Entry.NOT_LOADING;
        return true;
    }

    /** Gives this load up: what was known stays known, and the key is asked for again after the back-off. */
    public synchronized void fail(Load<K> load, long nowMs) {
        Entry<V> entry = entryByKey.get(load.key());
        if (entry != null && entry.generation == load.generation()) {
            entry.loadingGeneration = Entry.NOT_LOADING;
            entry.hasFailed = true;
            entry.failedMs = nowMs;
        }
    }

    /** Every key that waits to be loaded again: changed, or loaded before {@code oldestLoadMs}. */
    public synchronized List<K> due(long nowMs, long oldestLoadMs) {
        List<K> due = new ArrayList<>();
        entryByKey.forEach((key, entry) -> {
            entry.loadedMs = Math.min(entry.loadedMs, nowMs);
            if (!entry.isStale && entry.loadedMs < oldestLoadMs) {
                entry.generation++;
                entry.isStale = true;
            }
            if (entry.isStale
                    && entry.loadingGeneration != entry.generation
                    && !entry.isBackingOff(nowMs, retryAfterMs)) {
                due.add(key);
            }
        });
        return due;
    }

    /** Forgets every key that is not among these. */
    public synchronized void retain(Set<K> keys) {
        entryByKey.keySet().retainAll(keys);
    }

    /** The sum of this over every answer that is known. */
    public synchronized long sum(ToLongFunction<? super V> ofAnswer) {
        long sum = 0;
        for (Entry<V> entry : entryByKey.values()) {
            V value = entry.value;
            sum += value == null ? 0 : ofAnswer.applyAsLong(value);
        }
        return sum;
    }

    /** A load that has begun: the key and the generation that it was asked in. */
    public record Load<K>(K key, long generation) {}

    private static final class Entry<V> {

        static final long NOT_LOADING = -1;

        private @Nullable V value;
        private boolean isStale = true;
        private long generation;
        private long loadingGeneration = NOT_LOADING;
        private long loadedMs;
        private boolean hasFailed;
        private long failedMs;

        boolean isBackingOff(long nowMs, long retryAfterMs) {
            return hasFailed && nowMs >= failedMs && nowMs - failedMs < retryAfterMs;
        }
    }
}
