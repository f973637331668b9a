// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProcessConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The deletion delay's bean as a DataNode's page has it, and as none should. */
class DeletionDelayBeanTest {

    private static final String MS = "hearth.datanode.deletion.delay.ms";
    private static final String ENABLED = "hearth.datanode.deletion.delay.enabled";

    private static final ProcessConfig STARTED = new ProcessConfig(Map.of(
            "dfs.datanode.fsdataset.factory",
            "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.HearthDatasetFactory",
            MS,
            "15s",
            ENABLED,
            "false"));

    private static ProbeResult<ProcessConfig> now(ProcessConfig started, String beans) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/jmx", exchange -> {
            assertThat(exchange.getRequestURI().getQuery()).isEqualTo("qry=" + DeletionDelayBean.NAME);
            byte[] body = ("{\"beans\":[" + beans + "]}").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            return DeletionDelayBean.asItIsNow(
                    InfoServerClient.at("http", "127.0.0.1", server.getAddress().getPort()),
                    ProbeResult.known(started));
        } finally {
            server.stop(0);
        }
    }

    private static String bean(long delayMs) {
        return "{\"name\":\"" + DeletionDelayBean.NAME + "\",\"PendingReplicas\":3,\"DelayMs\":" + delayMs + "}";
    }

    @Test
    void theDelayThatTheDataNodeHasReadSinceItsStartCounts() throws IOException {
        assertThat(now(STARTED, bean(30_000)))
                .isEqualTo(ProbeResult.known(STARTED.with(MS, "30000").with(ENABLED, "true")));
    }

    @Test
    void aDelayOfZeroIsNotSwitchedOn() throws IOException {
        assertThat(now(STARTED, bean(0))).isEqualTo(ProbeResult.known(STARTED.with(MS, "0")));
    }

    @Test
    void whatTheDataNodeDoesNotTellIsAsItWasStarted() throws IOException {
        assertThat(now(STARTED, "")).isEqualTo(ProbeResult.known(STARTED));
        assertThat(now(STARTED, bean(1).replace("DelayMs", "Other"))).isEqualTo(ProbeResult.known(STARTED));
    }

    @Test
    void aDataNodeWithoutHearthsDatasetIsNotAsked() throws IOException {
        ProcessConfig stock = new ProcessConfig(Map.of(MS, "15s"));
        assertThat(now(stock, bean(30_000))).isEqualTo(ProbeResult.known(stock));
        assertThat(DeletionDelayBean.asItIsNow(InfoServerClient.at("http://127.0.0.1:1"), ProbeResult.unknown("no")))
                .isEqualTo(ProbeResult.unknown("no"));
    }
}
