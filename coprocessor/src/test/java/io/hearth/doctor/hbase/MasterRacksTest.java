// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the page answers is recorded; that it still does is seen by the integration test of the doctor. */
class MasterRacksTest {

    private static final String RECORDED =
            "{\"format\":\"hearth-cluster-state\",\"version\":3,\"atMs\":1000000,\"source\":\"a test\",\"hbaseVersion\":\"2.6.4\","
                    + "\"servers\":[{\"host\":\"a\",\"port\":16020,\"startCode\":1,\"rack\":\"/r1\",\"capacity\":1.0,"
                    + "\"mayReceiveRegions\":true,\"draining\":false,\"totals\":{\"regions\":2,\"reported\":{\"storeBytes\":7}},"
                    + "\"name\":\"a:16020\",\"readShare\":2.0},{\"host\":\"b\",\"port\":16020,\"startCode\":1,\"rack\":\"\","
                    + "\"name\":\"b:16020\"}]}";

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

    private ProbeResult<Map<String, String>> answering(String path, String body) {
        server.createContext(path, exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        return MasterRacks.of(
                InfoServerClient.at("http", "127.0.0.1", server.getAddress().getPort()));
    }

    @Test
    void theRackOfEachHostIsOnThePage() {
        ProbeResult<Map<String, String>> racks = answering("/hearth/api/state", RECORDED);

        assertThat(racks.ifKnown()).hasValue(Map.of("a", "/r1", "b", ""));
        assertThat(MasterRacks.of("a", racks).ifKnown()).hasValue("/r1");
        assertThat(MasterRacks.of("b", racks).whyUnknown()).hasValue("the HMaster can't resolve it");
    }

    @Test
    void whereThePageIsNotItSaysWhatTheWebUiAnswers() {
        ProbeResult<Map<String, String>> racks = answering("/master-status", "no page");

        assertThat(MasterRacks.of("a", racks).whyUnknown().orElseThrow())
                .startsWith("the HMaster's racks are told by Hearth's page alone (docs/install.md): its web UI ")
                .contains("404");
    }

    @Test
    void anotherAnswerIsNoRack() {
        ProbeResult<Map<String, String>> racks = answering("/hearth/api/state", "{\"servants\":[]}");

        assertThat(MasterRacks.of("a", racks).whyUnknown().orElseThrow()).endsWith("/hearth/api/state has no servers");
    }
}
