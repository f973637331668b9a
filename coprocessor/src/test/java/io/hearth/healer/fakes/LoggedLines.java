// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.fakes;

import java.util.ArrayList;
import java.util.List;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.jspecify.annotations.Nullable;

/**
 * The warnings and errors of one class that have a text in them, or lines of a lower level too, from its construction until it is closed.
 * Not thread-safe.
 */
public final class LoggedLines extends AppenderSkeleton implements AutoCloseable {

    private final Logger log;
    private final @Nullable Level before;
    private final String text;
    private final List<String> lines = new ArrayList<>();

    /** @param text only lines with this text; "" for all */
    public LoggedLines(Class<?> by, String text) {
        this(by, Level.WARN, text);
    }

    /** The same with lines of lower levels, from this one up. */
    public LoggedLines(Class<?> by, Level lowest, String text) {
        this.log = Logger.getLogger(by);
        this.text = text;
        this.before = log.getLevel();
        log.setLevel(lowest);
        log.addAppender(this);
    }

    /** Those so far. To be emptied by who wants only what comes. */
    public List<String> lines() {
        return lines;
    }

    @Override
    protected void append(LoggingEvent event) {
        if (event.getRenderedMessage().contains(text)) {
            lines.add(event.getRenderedMessage());
        }
    }

    @Override
    public void close() {
        // Log4j's finalizer closes once more, when another may listen to the logger.
        if (!closed) {
            closed = true;
            log.removeAppender(this);
            log.setLevel(before);
        }
    }

    @Override
    public boolean requiresLayout() {
        return false;
    }
}
