// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.log;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** A log that repeats itself at most once a minute for each kind of message. Thread-safe. */
public final class RateLimitedLogger {

    private static final long MINUTE_MS = 60_000;

    private record LastLogged(long atMs, long suppressed) {}

    private final Logger log;
    private final Map<String, LastLogged> lastByKind = new HashMap<>();

    public RateLimitedLogger(Logger log) {
        this.log = log;
    }

    /**
     * Logs this message unless one of its kind was logged within the last minute.
     *
     * @param kind what makes two messages the same, from a small set
     */
    public void warn(String kind, String message, long nowMs) {
        warn(kind, message, null, nowMs);
    }

    public void warn(String kind, String message, @Nullable Throwable cause, long nowMs) {
        long suppressed = admit(kind, nowMs);
        if (suppressed >= 0) {
            String repeats = suppressed == 0 ? "" : " (and " + suppressed + " more like it since the last such line)";
            log.warn("{}{}", message, repeats, cause);
        }
    }

    /** How many messages of this kind were suppressed since its last line; -1 if this one is suppressed. */
    private synchronized long admit(String kind, long nowMs) {
        LastLogged last = lastByKind.get(kind);
        // A line from after now, by a clock that was set back, silences nothing.
        if (last != null && nowMs >= last.atMs() && nowMs - last.atMs() < MINUTE_MS) {
            lastByKind.put(kind, new LastLogged(last.atMs(), last.suppressed() + 1));
            return -1;
        }
        lastByKind.put(kind, new LastLogged(nowMs, 0));
        return last == null ? 0 : last.suppressed();
    }
}
