// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.locality;

import io.hearth.common.model.TokenBucket;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the NameNode is to be asked about next, and how fast: every key at most once, the most urgent first, so many a second.
 *
 * <p>It never holds more than there are keys, however often they are offered. An idle queue saves up no more than the keys of
 * one second. Thread-safe; no method blocks.
 *
 * @param <K> what is asked about
 */
public final class RefreshQueue<K> {

    private static final long SAVED_UP_MS = 1_000;

    /** The bucket counts in thousandths of a key, since less than one a second may be asked for. */
    private static final long KEY = 1_000;

    private final Map<Urgency, Set<K>> waiting = new EnumMap<>(Urgency.class);
    private final TokenBucket tokenBucket = new TokenBucket(SAVED_UP_MS);
    private long rate;

    /** Why a key is to be asked about; the order is the order in which they are taken. */
    public enum Urgency {
        /** Its answer is known to be wrong. */
        CHANGED,
        /** There is no answer. */
        MISSING,
        /** Its answer is old. */
        OLD
    }

    /** @param keysPerSecond how many keys a second may be taken, above 0 */
    public RefreshQueue(double keysPerSecond) {
        for (Urgency urgency : Urgency.values()) {
            waiting.put(urgency, new LinkedHashSet<>());
        }
        setKeysPerSecond(keysPerSecond);
    }

    /** From now on so many keys a second may be taken, above 0. */
    public synchronized void setKeysPerSecond(double newKeysPerSecond) {
        if (!(newKeysPerSecond > 0)) {
            throw new IllegalArgumentException(
                    "The NameNode can't be asked about " + newKeysPerSecond + " regions a second: it must be above 0.");
        }
        rate = Math.max(1, Math.round(KEY * newKeysPerSecond));
    }

    /** Adds a key, or makes it more urgent where it waits already; it never becomes less urgent. */
    public synchronized void offer(K key, Urgency urgency) {
        for (Urgency asUrgent : Urgency.values()) {
            boolean waitsMoreUrgently = asUrgent.compareTo(urgency) <= 0
                    && waiting.getOrDefault(asUrgent, Set.of()).contains(key);
            if (waitsMoreUrgently) {
                return;
            }
        }
        waiting.values().forEach(keys -> keys.remove(key));
        waiting.computeIfAbsent(urgency, added -> new LinkedHashSet<>()).add(key);
    }

    /** The next key, which no longer waits; empty where none does or it is too early. */
    public synchronized Optional<K> take(long nowMs) {
        if (waitMs(nowMs) > 0) {
            return Optional.empty();
        }
        for (Set<K> keys : waiting.values()) {
            Iterator<K> first = keys.iterator();
            if (first.hasNext()) {
                K key = first.next();
                first.remove();
                tokenBucket.charge(KEY, rate, nowMs);
                return Optional.of(key);
            }
        }
        return Optional.empty();
    }

    /** How long until the next key may be taken, in milliseconds; 0 for now. No longer than one key takes, whatever the clock does. */
    public synchronized long waitMs(long nowMs) {
        return tokenBucket.waitMs(rate, nowMs);
    }

    /** How many keys wait. */
    public synchronized int size() {
        return waiting.values().stream().mapToInt(Set::size).sum();
    }
}
