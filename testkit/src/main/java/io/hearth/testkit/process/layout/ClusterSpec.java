// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What somebody wants of a process cluster. Immutable.
 *
 * @param hosts hosts with a DataNode and a RegionServer each
 * @param racks racks over which they are spread in order
 * @param masters HMasters: one that is active, the others wait
 * @param nameNodes 1, or 2 of which one is active and the other stands by
 * @param networkMode how the hosts get their addresses
 * @param latencyMs the round trip between two racks in milliseconds; 0 for what the machine has
 * @param nicMegabits what a host can send and what it can receive, in megabits per second; 0 for what the machine can
 * @param diskMegabytes the size of each DataNode's own disk; 0 for folders of the machine's
 * @param ssdMegabytes the size of each DataNode's SSD, on which Hearth caches reads; 0 for none and no cache
 * @param ownClocks whether the wall clock of each host can be set
 * @param hbaseUser whether HBase is a user of its own to HDFS, and no superuser
 * @param hearth whether Hearth is installed
 * @param settings lines for hbase-site.xml and hdfs-site.xml, over all others
 */
public record ClusterSpec(
        int hosts,
        int racks,
        int masters,
        int nameNodes,
        NetworkMode networkMode,
        double latencyMs,
        int nicMegabits,
        int diskMegabytes,
        int ssdMegabytes,
        boolean ownClocks,
        boolean hbaseUser,
        boolean hearth,
        Map<String, String> settings) {

    /** The most that one machine is asked for, those that are added later among them. */
    public static final int MOST_HOSTS = 12;

    private static final int MOST_MASTERS = 3;
    private static final int MOST_NAMENODES = 2;
    private static final double MOST_LATENCY_MS = 1_000;
    private static final int LEAST_MEGABITS = 10;
    private static final int MOST_MEGABITS = 100_000;
    private static final int LEAST_DISK = 128;
    private static final int MOST_DISK = 100_000;
    private static final int LEAST_SSD = 16;

    public ClusterSpec {
        settings = new TreeMap<>(settings);
    }

    /** With one NameNode, on the machine's disk, by its clock, and with one user for HDFS and HBase. */
    public ClusterSpec(
            int hosts,
            int racks,
            int masters,
            NetworkMode networkMode,
            double latencyMs,
            int nicMegabits,
            boolean hearth,
            Map<String, String> settings) {
        this(hosts, racks, masters, 1, networkMode, latencyMs, nicMegabits, 0, 0, false, false, hearth, settings);
    }

    /** One line for each value that makes no sense, in the words of the command's options. */
    public List<String> problems() {
        List<String> problems = new ArrayList<>();
        range(problems, "--hosts", hosts, 1, MOST_HOSTS);
        range(problems, "--racks", racks, 1, Math.max(1, Math.min(hosts, MOST_HOSTS)));
        range(problems, "--masters", masters, 1, MOST_MASTERS);
        range(problems, "--namenodes", nameNodes, 1, MOST_NAMENODES);
        if (latencyMs < 0 || latencyMs > MOST_LATENCY_MS) {
            problems.add("--latency-ms is " + latencyMs + "; allowed are 0 to " + (int) MOST_LATENCY_MS);
        }
        if (nicMegabits != 0) {
            range(problems, "--nic-mbit", nicMegabits, LEAST_MEGABITS, MOST_MEGABITS);
        }
        if (diskMegabytes != 0) {
            range(problems, "--disk-mb", diskMegabytes, LEAST_DISK, MOST_DISK);
        }
        if (ssdMegabytes != 0) {
            range(problems, "--ssd-mb", ssdMegabytes, LEAST_SSD, MOST_DISK);
        }
        if (ssdMegabytes != 0 && !hearth) {
            problems.add("--ssd-mb is for Hearth's read cache, which a cluster with --stock does not have");
        }
        if (networkMode == NetworkMode.LOOPBACK && (latencyMs != 0 || nicMegabits != 0)) {
            problems.add("--latency-ms and --nic-mbit need network namespaces, which this cluster does not have;"
                    + " start it as root with iproute2 installed, or leave them out");
        }
        return problems;
    }

    private static void range(List<String> problems, String option, int value, int least, int most) {
        if (value < least || value > most) {
            problems.add(option + " is " + value + "; allowed are " + least + " to " + most);
        }
    }

    /** Whether the NameNode is a pair, of which one takes over when the other dies. */
    public boolean isHighlyAvailable() {
        return nameNodes > 1;
    }

    /** HDFS's replication here: 3, or as many as there are hosts. */
    public int replication() {
        return Math.min(3, hosts);
    }

    /** How the hosts of a process cluster get addresses of their own. */
    public enum NetworkMode {
        /** A network namespace for each host, joined by bridges; only root can make them. */
        NAMESPACES("network namespaces of their own", "10.77."),

        /** An address of the loopback device for each host; every user can take one. */
        LOOPBACK("addresses of the loopback device", "127.0.");

        private final String words;
        private final String prefix;

        NetworkMode(String words, String prefix) {
            this.words = words;
            this.prefix = prefix;
        }

        /** What a person calls it. */
        public String words() {
            return words;
        }

        /** The first two bytes of every address, with their dots. */
        public String prefix() {
            return prefix;
        }
    }
}
