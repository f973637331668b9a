// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.heal;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;

/**
 * Whether this machine knows an address of the hosts that a configuration names. ZooKeeper's client does not say that it does not: it tries
 * for long, and ends with a timeout. Stateless.
 */
public final class ZooKeeperHostCheck {

    private static final String REGISTRY = "hbase.client.registry.impl";
    private static final String ZOOKEEPER = "ZKConnectionRegistry";

    private ZooKeeperHostCheck() {}

    /**
     * Looks up the hosts of ZooKeeper.
     *
     * @throws IOException if none of them has an address, with what to do
     */
    public static void check(Configuration site) throws IOException {
        if (!site.get(REGISTRY, ZOOKEEPER).contains(ZOOKEEPER)) {
            return;
        }
        List<String> hosts = Arrays.stream(site.get(HConstants.ZOOKEEPER_QUORUM, HConstants.LOCALHOST)
                        .split(","))
                .map(host -> host.strip().replaceFirst(":\\d+$", ""))
                .filter(host -> !host.isEmpty())
                .toList();
        if (!hosts.isEmpty() && hosts.stream().noneMatch(ZooKeeperHostCheck::hasAddress)) {
            throw new IOException("no address is known for the host "
                    + String.join(", ", hosts) + ", of " + HConstants.ZOOKEEPER_QUORUM
                    + ". Ask from a machine that resolves the cluster's names, or add them to /etc/hosts");
        }
    }

    private static boolean hasAddress(String host) {
        try {
            return InetAddress.getAllByName(host).length > 0;
        } catch (UnknownHostException unknown) {
            return false;
        }
    }
}
