package io.hearth.bench.cluster;

/**
 * A value at a time.
 *
 * @param seconds since the event
 */
public record Point(double seconds, double value) {}
