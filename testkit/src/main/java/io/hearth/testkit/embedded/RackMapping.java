// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.embedded;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.NetworkTopology;

/**
 * The map from host names and addresses to racks, read from the configuration, for HDFS and HBase alike.
 *
 * <p>HDFS makes one by the constructor without arguments and {@link #setConf}; HBase's {@code RackManager} needs the
 * constructor with a configuration.
 */
public final class RackMapping implements DNSToSwitchMapping, Configurable {
    private static final String RACKS_KEY = "embedded.cluster.racks";

    private Configuration conf = new Configuration(false);
    private Map<String, String> rackByHost = Map.of();

    /** For HDFS. */
    public RackMapping() {}

    /** For HBase. */
    public RackMapping(Configuration conf) {
        read(conf);
    }

    /** Names this class as HDFS's and HBase's rack mapping, with these hosts. */
    static void install(Configuration conf, List<ClusterHost> hosts) {
        conf.set(
                RACKS_KEY,
                hosts.stream()
                        .map(host -> host.name() + "=" + host.rack() + "," + host.address() + "=" + host.rack())
                        .collect(Collectors.joining(",")));
        conf.set("net.topology.node.switch.mapping.impl", RackMapping.class.getName());
        conf.set("hbase.util.ip.to.rack.determiner", RackMapping.class.getName());
    }

    @Override
    public List<String> resolve(List<String> names) {
        return names.stream()
                .map(name -> rackByHost.getOrDefault(name, NetworkTopology.DEFAULT_RACK))
                .collect(Collectors.toList());
    }

    @Override
    public void setConf(Configuration conf) {
        read(conf);
    }

    @Override
    public Configuration getConf() {
        return conf;
    }

    @Override
    public void reloadCachedMappings() {
        // Nothing is cached: the configuration is the whole truth.
    }

    @Override
    public void reloadCachedMappings(List<String> names) {
        // Nothing is cached.
    }

    private void read(Configuration conf) {
        Map<String, String> racks = new HashMap<>();
        for (String pair : conf.getTrimmedStrings(RACKS_KEY)) {
            int equals = pair.indexOf('=');
            racks.put(pair.substring(0, equals), pair.substring(equals + 1));
        }
        this.conf = conf;
        this.rackByHost = Map.copyOf(racks);
    }
}
