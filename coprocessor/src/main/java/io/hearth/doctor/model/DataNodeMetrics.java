// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.model;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a DataNode says on its page {@code /jmx} of how it fares. Immutable.
 *
 * @param xceivers threads that serve a reader, a writer or a block move just now
 * @param failedVolumes volumes that it has given up since it started
 * @param packetAckMs the mean time from sending a packet down a pipeline until it is acknowledged, in the last interval that had some, in
 *     milliseconds; empty where it has sent too few, or does not say
 * @param flushMs the mean time of a flush to disk, in the last interval that had some, in milliseconds; empty where there were too few, or it does not say
 * @param slowDisks the volumes that it finds slower than its others; none also where it does not measure them
 * @param pendingDeletions replaced replicas that its deletion delay keeps for a while; empty where it has none
 */
public record DataNodeMetrics(
        long xceivers,
        long failedVolumes,
        OptionalDouble packetAckMs,
        OptionalDouble flushMs,
        List<String> slowDisks,
        Optional<PendingDeletions> pendingDeletions) {

    public DataNodeMetrics {
        slowDisks = slowDisks.stream().sorted().toList();
    }

    /**
     * Replaced replicas that wait to be deleted. Immutable.
     *
     * @param most how many may wait; further ones are deleted at once
     * @param bytes of these replicas
     * @param mostBytes of how many bytes those that wait may be; what goes beyond is deleted at once
     */
    public record PendingDeletions(long replicas, long most, long bytes, long mostBytes) {}

    /**
     * Connections that the kernel of a host has dropped because a listening socket had no room for them, of all its processes:
     * {@code TcpExt ListenDrops} of {@code /proc/net/netstat}. Immutable.
     *
     * @param sinceBoot dropped since the host started
     * @param whileWatched those of them that were dropped while the doctor watched
     * @param overMs how long that was, in milliseconds
     */
    public record ListenDrops(long sinceBoot, long whileWatched, long overMs) {

        /** The same with what was dropped until now. */
        public ListenDrops until(ListenDrops now, long watchedMs) {
            return new ListenDrops(now.sinceBoot(), Math.max(0, now.sinceBoot() - sinceBoot), watchedMs);
        }
    }
}
