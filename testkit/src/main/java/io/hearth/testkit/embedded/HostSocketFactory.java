// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.embedded;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Map;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.StandardSocketFactory;

/**
 * A socket factory of Hadoop's clients that binds each socket to one host's address, so that the NameNode sees which
 * of the hosts in this JVM is calling.
 *
 * <p>Hadoop pools connections by factory: two factories are equal if they bind to the same address.
 */
public final class HostSocketFactory extends StandardSocketFactory implements Configurable {
    private static final String ADDRESS_KEY = "embedded.cluster.local.address";

    private Configuration conf = new Configuration(false);
    private String address = "127.0.0.1";

    /** Has every Hadoop client that is made with this configuration call from that host. */
    static void install(Configuration conf, ClusterHost host) {
        settings(host.address()).forEach(conf::set);
    }

    /** The lines of a configuration whose Hadoop clients call from that address. */
    public static Map<String, String> settings(String address) {
        return Map.of(
                ADDRESS_KEY, address, "hadoop.rpc.socket.factory.class.default", HostSocketFactory.class.getName());
    }

    @Override
    public void setConf(Configuration conf) {
        this.conf = conf;
        this.address = conf.get(ADDRESS_KEY, address);
    }

    @Override
    public Configuration getConf() {
        return conf;
    }

    @Override
    public Socket createSocket() throws IOException {
        Socket socket = super.createSocket();
        socket.bind(new InetSocketAddress(address, 0));
        return socket;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof HostSocketFactory that && that.address.equals(address);
    }

    @Override
    public int hashCode() {
        return address.hashCode();
    }
}
