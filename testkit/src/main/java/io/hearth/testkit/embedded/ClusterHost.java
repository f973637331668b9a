// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One host of a test cluster: the servers on it share one name and one address.
 *
 * @param name host name as HDFS and HBase report it, for example {@code host1}
 * @param address IPv4 address of that name, for example {@code 127.0.0.11}
 * @param rack network location as HDFS writes it, for example {@code /rack1}
 */
public record ClusterHost(String name, String address, String rack) {

    /** How many hosts the hosts file names. */
    static final int MAX_HOSTS = 16;

    /** The JVM flag without which no host name resolves. */
    static final String FLAG = "-Djdk.net.hosts.file=testkit/src/main/conf/embedded-hosts";

    private static final int FIRST_ADDRESS = 11;

    /**
     * The hosts of the embedded cluster, which fill the racks in order: 6 hosts in 3 racks are two in each.
     *
     * <p>The JVM learns the names from the file that {@code -Djdk.net.hosts.file} names:
     * {@code testkit/src/main/conf/embedded-hosts}. That file replaces DNS for the whole JVM; it need not hold the
     * machine's own name.
     */
    static List<ClusterHost> layOut(int hosts, int racks) {
        return IntStream.range(0, hosts)
                .mapToObj(i -> new ClusterHost(
                        "host" + (i + 1), "127.0.0." + (FIRST_ADDRESS + i), "/rack" + (i * racks / hosts + 1)))
                .toList();
    }

    /**
     * Checks that each host's name resolves to its address, the address to the name, and that the machine lets a
     * server listen there.
     *
     * @throws IllegalStateException with the JVM flag to add
     */
    static void check(List<ClusterHost> hosts) {
        for (ClusterHost host : hosts) {
            if (!resolves(host)) {
                throw new IllegalStateException("The embedded cluster's " + host.name() + " does not resolve to "
                        + host.address() + " in this JVM: start it with " + FLAG
                        + " (the path as seen from the working directory)");
            }
            checkBindable(host);
        }
    }

    private static boolean resolves(ClusterHost host) {
        try {
            InetAddress address = InetAddress.getByName(host.name());
            return address.getHostAddress().equals(host.address())
                    && address.getCanonicalHostName().equals(host.name());
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private static void checkBindable(ClusterHost host) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(host.address(), 0));
        } catch (IOException e) {
            throw new IllegalStateException(
                    "Cannot listen on " + host.address() + " (" + e.getMessage()
                            + "): give the loopback device that address, for example with: ip addr add "
                            + host.address() + "/8 dev lo",
                    e);
        }
    }
}
