// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the HMaster answers is recorded; that it still does is seen on a cluster of processes. */
class BalancerViewBeanTest {

    private static final String BEAN =
            "{\"beans\":[{\"name\":\"Hadoop:service=HBase,name=Master,sub=HearthBalancerView\","
                    + "\"modelerType\":\"io.hearth.balancer.hbase.BalancerView\",\"LastPlan\":[\"a line\"],\"Mode\":\"act\"";

    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private ProbeResult<List<String>> answering(String body) {
        server.createContext("/jmx", exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        return BalancerViewBean.flapping(
                InfoServerClient.at("http", "127.0.0.1", server.getAddress().getPort()));
    }

    @Test
    void thoseThatWereRestartedAgainAndAgainAreNamed() {
        assertThat(answering(BEAN + ",\"FlappingServers\":[\"a:16020\",\"b:16020\"],\"PinsJson\":\"[]\"}]}")
                        .ifKnown())
                .hasValue(List.of("a:16020", "b:16020"));
    }

    @Test
    void thereMayBeNone() {
        assertThat(answering(BEAN + ",\"FlappingServers\":[]}]}").ifKnown()).hasValue(List.of());
    }

    @Test
    void anotherBalancerCountsNone() {
        assertThat(answering("{\"beans\":[]}").whyUnknown())
                .hasValue(
                        "its page /jmx has no FlappingServers of the bean Hadoop:service=HBase,name=Master,sub=HearthBalancerView");
    }

    @Test
    void anEarlierHearthDoesNotNameThem() {
        assertThat(answering(BEAN + "}]}").whyUnknown())
                .hasValue(
                        "its page /jmx has no FlappingServers of the bean Hadoop:service=HBase,name=Master,sub=HearthBalancerView");
    }
}
