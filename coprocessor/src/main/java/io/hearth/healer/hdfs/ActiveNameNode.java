// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import java.net.URI;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys.Failover;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;

/**
 * How a client asks the active NameNode alone, where its configuration has it read from observers. An observer answers once it has
 * replayed what the client has seen of the edit log; where replicas are is not in that log, and DataNodes tell each NameNode apart.
 */
final class ActiveNameNode {

    private ActiveNameNode() {}

    /** The configuration to ask it with; empty if a client with this one asks no observer. */
    static Optional<Configuration> configuration(Configuration conf, URI fileSystem) {
        String key = Failover.PROXY_PROVIDER_KEY_PREFIX + "." + fileSystem.getHost();
        Class<?> provider = conf.getClassByNameOrNull(conf.getTrimmed(key, ""));
        if (provider == null || !ObserverReadProxyProvider.class.isAssignableFrom(provider)) {
            return Optional.empty();
        }
        Configuration active = new Configuration(conf);
        active.set(key, ConfiguredFailoverProxyProvider.class.getName());
        return Optional.of(active);
    }
}
