// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

/**
 * Bytes that a cluster has read, written and sent. Immutable.
 *
 * @param read from disk or the system's cache of it, by the DataNodes' own count
 * @param written to files, by the same; each replica counts
 * @param sent by the hosts over the network, by the devices' count; 0 where hosts have none of their own
 */
public record Traffic(long read, long written, long sent) {

    static final Traffic NONE = new Traffic(0, 0, 0);

    Traffic since(Traffic earlier) {
        return new Traffic(read - earlier.read, written - earlier.written, sent - earlier.sent);
    }

    /** What is left of it without that many times another, which is what goes on anyway; never less than nothing. */
    Traffic without(Traffic usual, double times) {
        return new Traffic(
                less(read, usual.read, times), less(written, usual.written, times), less(sent, usual.sent, times));
    }

    private static long less(long bytes, long usual, double times) {
        return Math.max(0, bytes - Math.round(usual * times));
    }
}
