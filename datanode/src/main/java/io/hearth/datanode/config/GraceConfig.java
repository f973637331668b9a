package io.hearth.datanode.config;

/**
 * What an operator has set about the grace of replaced replicas, parsed. {@link GraceSettings} has the keys, defaults and
 * meanings. Immutable.
 *
 * @param enabled whether deletions wait at all
 * @param waitMs how long they wait while {@code enabled}
 * @param minFreeBytes the free space of a volume below which its deletions do not wait
 * @param maxReplicas how many deletions wait at most
 * @param maxBytes the bytes of the replicas whose deletion waits, at most
 */
public record GraceConfig(boolean enabled, long waitMs, long minFreeBytes, long maxReplicas, long maxBytes) {

    /** How long a deletion waits, in milliseconds: 0 where the grace is off. */
    public long graceMs() {
        return enabled ? waitMs : 0;
    }
}
