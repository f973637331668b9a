// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.config;

/**
 * When healing acts, what it spares and what it does where it can't move blocks. {@link HealPolicySettings} has the keys,
 * defaults and meanings. Immutable.
 *
 * @param readerLocationsMaxAgeMs how old the block locations of an open reader can be
 * @param maxRevertedMovesPerHour undone moves within an hour that stop healing; 0 for never
 * @param targetMaxUsedRatio the share of its capacity up to which a DataNode is filled with moved replicas, 0 to 1
 * @param fallbackBytesPerHour bytes of the families whose compaction is asked for within an hour
 */
public record HealPolicyConfig(
        HealingMode mode,
        boolean paused,
        HealWindows windows,
        long readerLocationsMaxAgeMs,
        int maxRevertedMovesPerHour,
        double targetMaxUsedRatio,
        Fallback fallback,
        int fallbackConcurrent,
        long fallbackBytesPerHour) {}
