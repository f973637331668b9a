// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.hearth.healer.hdfs.ActiveNameNode.ObserverSync;
import io.hearth.healer.spi.NameNodeUsage;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
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

    @Test
    void observersAreSyncedOnceASecondAndTheCallIsCounted() throws Exception {
        NameNodeUsage usage = new NameNodeUsage();
        AtomicLong nanos = new AtomicLong(5);
        AtomicInteger calls = new AtomicInteger();
        ObserverSync sync = new ObserverSync(
                () -> {
                    nanos.addAndGet(3_000_000);
                    if (calls.incrementAndGet() == 2) {
                        throw new IOException("no active NameNode");
                    }
                },
                () -> nanos.addAndGet(500_000_000),
                usage,
                nanos::get);

        sync.prepare();
        nanos.set(999_000_000);
        sync.prepare();
        assertThat(calls).hasValue(1);
        nanos.set(1_000_000_005);
        assertThatIOException().isThrownBy(sync::prepare).withMessage("no active NameNode");
        sync.prepare();
        assertThat(calls).as("what failed is due still").hasValue(3);
        sync.prepare();
        assertThat(calls).hasValue(3);
        assertThat(usage.calls()).isEqualTo(3);
        assertThat(usage.micros()).isEqualTo(9_000);
    }
}
