// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class ActiveNameNodeTest {

    private static final URI CLUSTER = URI.create("hdfs://cluster");
    private static final String KEY = "dfs.client.failover.proxy.provider.cluster";
    private static final String PROVIDERS = "org.apache.hadoop.hdfs.server.namenode.ha.";

    private final Configuration conf = new Configuration(false);

    @Test
    void whereObserversAreReadFromAClientOfItsOwnAsksTheActiveOne() {
        conf.set("dfs.ha.namenodes.cluster", "nn1,nn2,nn3");
        conf.set(KEY, " " + PROVIDERS + "ObserverReadProxyProvider ");
        Configuration active = ActiveNameNode.configuration(conf, CLUSTER).orElseThrow();

        assertThat(active.get(KEY)).isEqualTo(PROVIDERS + "ConfiguredFailoverProxyProvider");
        assertThat(active.get("dfs.ha.namenodes.cluster")).isEqualTo("nn1,nn2,nn3");
        assertThat(conf.getTrimmed(KEY)).as("listings go on").endsWith("ObserverReadProxyProvider");

        conf.set(KEY, PROVIDERS + "ObserverReadProxyProviderWithIPFailover");
        assertThat(ActiveNameNode.configuration(conf, CLUSTER)).isPresent();
    }

    @Test
    void elsewhereTheOneClientDoes() {
        assertThat(ActiveNameNode.configuration(conf, CLUSTER)).isEmpty();
        conf.set(KEY, PROVIDERS + "ConfiguredFailoverProxyProvider");
        assertThat(ActiveNameNode.configuration(conf, CLUSTER)).isEmpty();
        conf.set(KEY, "no.such.Provider");
        assertThat(ActiveNameNode.configuration(conf, CLUSTER)).isEmpty();
        conf.set("dfs.client.failover.proxy.provider.other", PROVIDERS + "ObserverReadProxyProvider");
        assertThat(ActiveNameNode.configuration(conf, URI.create("hdfs://10.0.0.1:8020")))
                .isEmpty();
    }
}
