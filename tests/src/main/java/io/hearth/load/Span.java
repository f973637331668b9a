package io.hearth.load;

/**
 * A time from one moment to another, by {@link System#nanoTime}.
 *
 * @param toNanos exclusive
 */
public record Span(long fromNanos, long toNanos) {}
