package io.hearth.balancer.hbase;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/** A log in which each kind of trouble is written at most once a minute, with how often it happened. Thread-safe. */
public final class QuietLog {

    private static final long INTERVAL_MS = 60_000;

    private final Logger log;
    private final LongSupplier nowMs;
    private final Map<String, Kind> kinds = new ConcurrentHashMap<>();

    public QuietLog(Logger log, LongSupplier nowMs) {
        this.log = log;
        this.nowMs = nowMs;
    }

    /** Warns of this kind of trouble unless it did so within the last minute. */
    public void warn(String kind, String message, Throwable cause) {
        Kind ofKind = kinds.computeIfAbsent(kind, newKind -> new Kind());
        long count = ofKind.countIfDue(nowMs.getAsLong());
        if (count == 1) {
            log.warn("{}", message, cause);
        } else if (count > 1) {
            log.warn("{} ({} times since it was last logged)", message, count, cause);
        }
    }

    private static final class Kind {

        private long count;
        private long lastMs;
        private boolean wasLogged;

        /** How often it happened since it was last logged, or 0 where it is too early to log again. */
        synchronized long countIfDue(long nowMs) {
            count++;
            if (wasLogged && nowMs - lastMs < INTERVAL_MS) {
                return 0;
            }
            wasLogged = true;
            lastMs = nowMs;
            long due = count;
            count = 0;
            return due;
        }
    }
}
