package io.hearth.healing.trigger;

/**
 * When a region is looked at. Immutable.
 *
 * @param threshold the reported locality below which a region is looked at, 0 to 1
 * @param settleMs how long a region must have been served by the same server
 * @param backOff the wait before a region is looked at again
 */
public record QueueRules(double threshold, long settleMs, BackOff backOff) {}
