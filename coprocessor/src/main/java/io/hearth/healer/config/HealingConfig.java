// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.config;

/**
 * What an operator has set about healing, parsed. {@link HealingSettings} has the keys, defaults and meanings. Immutable.
 *
 * @param bytesPerSecond 0 for no limit
 */
public record HealingConfig(
        boolean enabled,
        double threshold,
        long pollMs,
        long regionStableMs,
        int concurrentMoves,
        int concurrentMovesPerDataNode,
        long bytesPerSecond,
        long moveTimeoutMs,
        long verifyTimeoutMs,
        HealPolicyConfig policy) {}
