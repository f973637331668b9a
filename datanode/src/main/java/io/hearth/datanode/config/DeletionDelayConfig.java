// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.config;

/**
 * What an operator has set about the deletion delay of replaced replicas, parsed. {@link DeletionDelaySettings} has the keys, defaults and
 * meanings. Immutable.
 *
 * @param enabled whether deletions wait at all
 * @param configuredDelayMs how long they wait while {@code enabled}
 * @param minFreeBytes the free space of a volume below which its deletions do not wait
 * @param maxReplicas how many deletions wait at most
 * @param maxBytes the bytes of the replicas whose deletion waits, at most
 */
public record DeletionDelayConfig(
        boolean enabled, long configuredDelayMs, long minFreeBytes, long maxReplicas, long maxBytes) {

    /** How long a deletion waits, in milliseconds: 0 where nothing is delayed. */
    public long delayMs() {
        return enabled ? configuredDelayMs : 0;
    }
}
