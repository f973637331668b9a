// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.hearth.doctor.check.Doctor;
import io.hearth.doctor.hbase.InfoServerClient;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ProbedMaster;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs.ProbedNameNode;
import io.hearth.doctor.model.ProcessConfig;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The planted set once more, with each configuration as the doctor gets it from a live process: HBase's and Hadoop's own code writes the page {@code
 * /conf}, with every default, a web server answers it, and the doctor reads it from there.
 */
class DoctorLiveAnswersTest {

    private static final String[] HBASE = {"core-default.xml", "hdfs-default.xml", "hbase-default.xml"};
    private static final String[] HDFS = {"core-default.xml", "hdfs-default.xml"};

    private static final Map<String, ProbeResult<ProcessConfig>> ANSWERS = new ConcurrentHashMap<>();

    private static HttpServer server;
    private static byte[] page = new byte[0];

    @BeforeAll
    static void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/conf", exchange -> {
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        server.start();
    }

    @AfterAll
    static void stop() {
        server.stop(0);
    }

    static Stream<Arguments> planted() {
        return DoctorPlantedTest.injected();
    }

    @Test
    void aHealthyClusterHasNone() {
        assertThat(Doctor.findings(answered(CleanCluster.examined()))).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("planted")
    void eachIsFoundInWhatProcessesAnswer(String check, DoctorPlantedTest.InjectedFault fault) {
        List<Finding> findings = Doctor.findings(answered(fault.plant().apply(CleanCluster.examined())));

        assertThat(findings).as("%s", findings).singleElement().satisfies(finding -> {
            assertThat(finding.check()).isEqualTo(check);
            assertThat(finding.what()).contains(fault.says());
        });
    }

    /** The same cluster, with what each process's web UI answers in the place of what it is configured with. */
    private static ProbedCluster answered(ProbedCluster cluster) {
        ProbedHBase hbase = cluster.hbase();
        ProbedCluster masters = CleanCluster.withHBase(
                CleanCluster.withMaster(cluster, DoctorLiveAnswersTest::answered),
                unused -> new ProbedHBase(
                        hbase.backupMasters().stream()
                                .map(DoctorLiveAnswersTest::answered)
                                .toList(),
                        hbase.deadServers(),
                        hbase.balancerOn(),
                        hbase.replicatedTables(),
                        hbase.hotRegions(),
                        hbase.metaReplicas(),
                        hbase.flappingServers()));
        ProbedCluster servers = CleanCluster.withServers(
                masters,
                masters.regionServers().stream()
                        .map(each -> Servers.settings(each, answer(each.settings(), HBASE)))
                        .toList());
        ProbedCluster nodes = CleanCluster.withNodes(
                servers,
                ProbeResult.known(servers.dataNodes().ifKnown().orElseThrow().stream()
                        .map(each -> Nodes.settings(each, answer(each.settings(), HDFS)))
                        .toList()));
        return CleanCluster.withNameNodes(
                nodes,
                nodes.nameNodes().ifKnown().orElseThrow().stream()
                        .map(each -> new ProbedNameNode(
                                each.host(), each.version(), answer(each.settings(), HDFS), each.reports()))
                        .toList());
    }

    private static ProbedMaster answered(ProbedMaster master) {
        return new ProbedMaster(
                master.host(),
                master.version(),
                master.java(),
                answer(master.settings(), HBASE),
                master.loadedCoprocessors());
    }

    private static ProbeResult<ProcessConfig> answer(ProbeResult<ProcessConfig> settings, String[] defaults) {
        return ANSWERS.computeIfAbsent(defaults.length + " " + settings, first -> ask(settings, defaults));
    }

    private static ProbeResult<ProcessConfig> ask(ProbeResult<ProcessConfig> settings, String[] defaults) {
        Configuration conf = new Configuration(false);
        for (String file : defaults) {
            conf.addResource(file);
        }
        settings.ifKnown().orElseThrow().values().forEach(conf::set);
        StringWriter json = new StringWriter();
        try {
            // What ConfServlet of both calls.
            Configuration.dumpConfiguration(conf, json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        page = json.toString().getBytes(StandardCharsets.UTF_8);
        ProbeResult<ProcessConfig> answer = InfoServerClient.at(
                        "http", "127.0.0.1", server.getAddress().getPort())
                .settings();
        assertThat(answer.whyUnknown()).isEmpty();
        assertThat(answer.ifKnown().orElseThrow().values())
                .as("the page has every default, of which those are kept that the doctor reads")
                .hasSizeGreaterThan(20);
        return answer;
    }
}
