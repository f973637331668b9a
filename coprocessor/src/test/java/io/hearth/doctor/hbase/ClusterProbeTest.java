// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.hearth.doctor.hbase.ClusterProbe.DoctorLimits;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs.ProbedDataNode;
import io.hearth.healer.hbase.HealerUser;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetricsBuilder;
import org.apache.hadoop.hbase.ServerMetricsBuilder;
import org.apache.hadoop.hbase.ServerName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whom the doctor asks, with a web server at one port of every loopback address in place of all web UIs. */
class ClusterProbeTest {

    private static final String MASTER = "127.0.0.1";
    private static final String BACKUP = "127.0.0.2";
    private static final String SERVER = "127.0.0.3";
    private static final String NAME_NODE = "127.0.0.4";
    private static final String DATA_NODE = "127.0.0.5";
    private static final String WITHOUT_UI = "127.0.0.6";

    /** Where every answer sends the doctor, and of which neither the HMaster nor the NameNode tells. */
    private static final String ELSEWHERE = "127.0.0.9";

    private final Set<String> asked = new ConcurrentSkipListSet<>();
    private HttpServer webUis;

    @BeforeEach
    void start() throws IOException {
        webUis = HttpServer.create(new InetSocketAddress(0), 0);
        webUis.createContext("/", exchange -> {
            asked.add(exchange.getLocalAddress().getAddress().getHostAddress());
            String page = exchange.getRequestURI().toString();
            if (page.startsWith("/conf")) {
                answer(exchange, 200, settings());
            } else if (page.contains("NameNodeInfo")) {
                answer(exchange, 200, liveNodes());
            } else {
                exchange.getResponseHeaders().set("Location", "http://" + ELSEWHERE + ":" + port() + page);
                answer(exchange, 302, "");
            }
        });
        webUis.start();
    }

    @AfterEach
    void stop() {
        webUis.stop(0);
    }

    private int port() {
        return webUis.getAddress().getPort();
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private String settings() {
        return "{\"properties\":["
                + property("dfs.namenode.http-address", ELSEWHERE + ":" + port()) + ","
                + property("dfs.datanode.http.address", ELSEWHERE + ":" + port()) + ","
                + property("hbase.master.hostname", ELSEWHERE) + ","
                + property("hbase.regionserver.hostname", ELSEWHERE) + "]}";
    }

    private static String property(String key, String value) {
        return "{\"key\":\"" + key + "\",\"value\":\"" + value + "\"}";
    }

    private String liveNodes() {
        String node = "{\"infoAddr\":\"" + DATA_NODE + ":" + port() + "\",\"location\":\"/r1\"}";
        return "{\"beans\":[{\"LiveNodes\":\"" + ("{\"dn:9866\":" + node + "}").replace("\"", "\\\"") + "\"}]}";
    }

    /** Broken (a redirect is followed): elsewhere too. */
    @Test
    void onlyThoseAreAskedWhomTheMasterOrTheNameNodeKnows() throws Exception {
        Configuration conf = new Configuration();
        conf.set("fs.defaultFS", "hdfs://" + NAME_NODE + ":" + portWhereNobodyListens());
        conf.set("hbase.rootdir", conf.get("fs.defaultFS") + "/hbase");
        conf.set("dfs.namenode.http-address", NAME_NODE + ":" + port());
        conf.setInt("ipc.client.connect.max.retries", 0);
        HBaseState state =
                new HBaseState(metrics(), ProbeResult.unknown("not asked"), ProbeResult.unknown("not asked"), 0);

        ProbedCluster cluster;
        try (ParallelProber prober = new ParallelProber(new DoctorLimits(2, Duration.ofMinutes(1), Duration.ZERO))) {
            cluster = new ClusterProbe(conf, HealerUser.login(conf), prober, false).examine(state);
        }

        assertThat(cluster.dataNodes().ifKnown().orElseThrow())
                .extracting(ProbedDataNode::host)
                .containsExactly("dn");
        assertThat(asked).containsExactly(MASTER, BACKUP, SERVER, NAME_NODE, DATA_NODE);
    }

    private ClusterMetrics metrics() {
        ServerName server = ServerName.valueOf(SERVER, 16020, 1);
        ServerName withoutUi = ServerName.valueOf(WITHOUT_UI, 16020, 1);
        return ClusterMetricsBuilder.newBuilder()
                .setHBaseVersion("2.6.4")
                .setMasterName(ServerName.valueOf(MASTER, 16000, 1))
                .setMasterInfoPort(port())
                .setBackerMasterNames(List.of(ServerName.valueOf(BACKUP, 16000, 1)))
                .setLiveServerMetrics(Map.of(
                        server,
                        ServerMetricsBuilder.newBuilder(server)
                                .setInfoServerPort(port())
                                .build(),
                        withoutUi,
                        ServerMetricsBuilder.newBuilder(withoutUi)
                                .setInfoServerPort(-1)
                                .build()))
                .build();
    }

    private static int portWhereNobodyListens() throws IOException {
        try (ServerSocket closed = new ServerSocket(0)) {
            return closed.getLocalPort();
        }
    }
}
