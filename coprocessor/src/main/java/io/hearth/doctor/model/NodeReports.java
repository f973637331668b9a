// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.model;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/**
 * What a NameNode reports of DataNodes that are slow or dead. Immutable. DataNodes send it what they measure of one another and of their
 * disks, every half an hour by default; an empty report of either says nothing where they do not measure.
 *
 * @param slowPeers those that other DataNodes found slow, at most five by default
 * @param slowDisks at most five
 * @param dead those that the NameNode counts as dead and that are not decommissioned
 * @param readMs when they were read, by {@code System.nanoTime} in milliseconds; empty where nobody has noted it
 */
public record NodeReports(List<SlowPeer> slowPeers, List<SlowDisk> slowDisks, List<String> dead, OptionalLong readMs) {

    public NodeReports {
        slowPeers =
                slowPeers.stream().sorted(Comparator.comparing(SlowPeer::node)).toList();
        slowDisks = slowDisks.stream()
                .sorted(Comparator.comparing(SlowDisk::node).thenComparing(SlowDisk::volume))
                .toList();
        dead = dead.stream().sorted().distinct().toList();
    }

    /** Reports of which nobody has noted when they were read. */
    public NodeReports(List<SlowPeer> slowPeers, List<SlowDisk> slowDisks, List<String> dead) {
        this(slowPeers, slowDisks, dead, OptionalLong.empty());
    }

    /** The same, read at this time. */
    public NodeReports readAt(long ms) {
        return new NodeReports(slowPeers, slowDisks, dead, OptionalLong.of(ms));
    }

    /** The same with names in the place of addresses. */
    public NodeReports named(UnaryOperator<String> nameByAddress) {
        return new NodeReports(
                slowPeers.stream()
                        .map(peer -> new SlowPeer(
                                nameByAddress.apply(peer.node()),
                                peer.reporters().stream().map(nameByAddress).toList()))
                        .toList(),
                slowDisks.stream()
                        .map(disk -> new SlowDisk(nameByAddress.apply(disk.node()), disk.volume()))
                        .toList(),
                dead,
                readMs);
    }

    /**
     * A DataNode that others found slow when they sent it packets. Immutable.
     *
     * @param reporters the DataNodes that say so
     */
    public record SlowPeer(String node, List<String> reporters) {

        public SlowPeer {
            reporters = reporters.stream().sorted().distinct().toList();
        }
    }

    /** A volume that is slower than the others of its DataNode. Immutable. */
    public record SlowDisk(String node, String volume) {}
}
