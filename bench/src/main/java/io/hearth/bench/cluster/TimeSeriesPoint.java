package io.hearth.bench.cluster;

/**
 * A value at a time.
 *
 * @param seconds since the event
 */
public record TimeSeriesPoint(double seconds, double value) {}
