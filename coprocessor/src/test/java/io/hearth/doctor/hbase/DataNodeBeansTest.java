// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.hearth.doctor.model.DataNodeMetrics;
import io.hearth.doctor.model.DataNodeMetrics.PendingDeletions;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A DataNode's beans as its page has them, and as none should. */
class DataNodeBeansTest {

    private static final String INFO = "{\"name\":\"Hadoop:service=DataNode,name=DataNodeInfo\",\"modelerType\":\"x\","
            + "\"SoftwareVersion\":\"3.4.3\",\"RpcPort\":\"9867\",\"XceiverCount\":17,"
            + "\"SendPacketDownstreamAvgInfo\":null,\"DatanodeNetworkCounts\":[{\"key\":\"a\",\"value\":[]}],"
            + "\"SlowDisks\":\"[\\\"/data2\\\",\\\"/data1\\\"]\"}";
    private static final String DATASET = "{\"Capacity\":5,\"NumFailedVolumes\":1,\"LastVolumeFailureDate\":0}";
    private static final String ACTIVITY = "{\"PacketAckRoundTripTimeNanosNumOps\":1000,\"FlushNanosNumOps\":5000,"
            + "\"PacketAckRoundTripTimeNanosAvgTime\":2500000.5,\"FlushNanosAvgTime\":1000000.0}";
    private static final String DELAY = "{\"PendingReplicas\":3,\"MaxReplicas\":10000,\"DelayMs\":30000,"
            + "\"PendingBytes\":384,\"MaxBytes\":17179869184}";

    private final Map<String, String> beanByName = new HashMap<>(Map.of(
            DataNodeBeans.INFO, INFO,
            DataNodeBeans.DATASET, DATASET,
            DataNodeBeans.ACTIVITY, ACTIVITY,
            DeletionDelayBean.NAME, DELAY));

    private ProbeResult<DataNodeMetrics> read(boolean hasHearthsDataset) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/jmx", exchange -> {
            String bean =
                    beanByName.getOrDefault(exchange.getRequestURI().getQuery().replaceFirst("qry=", ""), "");
            byte[] body = ("{\"beans\":[" + bean + "]}").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            InfoServerClient ui =
                    InfoServerClient.at("http", "127.0.0.1", server.getAddress().getPort());
            return DataNodeBeans.metrics(ui, ui.bean(DataNodeBeans.INFO, DataNodeBeans.OF_INFO), hasHearthsDataset);
        } finally {
            server.stop(0);
        }
    }

    @Test
    void allOfItIsRead() throws IOException {
        assertThat(read(true))
                .isEqualTo(ProbeResult.known(new DataNodeMetrics(
                        17,
                        1,
                        OptionalDouble.of(2.5),
                        OptionalDouble.of(1),
                        List.of("/data1", "/data2"),
                        Optional.of(new PendingDeletions(3, 10_000, 384, 17_179_869_184L)))));
    }

    /** Broken (a mean of any number counts): the first slow flush after a start is a slow DataNode. */
    @Test
    void aMeanOfFewSaysNothing() throws IOException {
        beanByName.put(
                DataNodeBeans.ACTIVITY, ACTIVITY.replace(":1000,", ":999,").replace(":5000,", ":0,"));

        DataNodeMetrics metrics = read(false).ifKnown().orElseThrow();

        assertThat(metrics.packetAckMs()).isEmpty();
        assertThat(metrics.flushMs()).isEmpty();
    }

    @Test
    void withoutTheBeanOfItsActivityTheRestIsKnown() throws IOException {
        beanByName.remove(DataNodeBeans.ACTIVITY);

        assertThat(read(false).ifKnown().orElseThrow().packetAckMs()).isEmpty();
        assertThat(read(false).ifKnown().orElseThrow().xceivers()).isEqualTo(17);
    }

    @Test
    void withoutHearthsDatasetNobodyIsAskedForDeletionsThatWait() throws IOException {
        assertThat(read(false).ifKnown().orElseThrow().pendingDeletions()).isEmpty();
    }

    @Test
    void disksThatAreNotMeasuredAreNone() throws IOException {
        beanByName.put(DataNodeBeans.INFO, INFO.replaceFirst("\"SlowDisks\":.*}$", "\"SlowDisks\":null}"));

        assertThat(read(false).ifKnown().orElseThrow().slowDisks()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {DataNodeBeans.INFO, DataNodeBeans.DATASET})
    void aDataNodeWithoutOneOfThemIsUnknown(String bean) throws IOException {
        beanByName.remove(bean);

        assertThat(read(false).whyUnknown()).contains("its page /jmx has no bean " + bean);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\\"/data1\\\"", "{}", "[{}]", "[\\\"/data1\\\""})
    void aListOfDisksThatIsNoneIsNotTaken(String disks) throws IOException {
        beanByName.put(DataNodeBeans.INFO, INFO.replace("[\\\"/data2\\\",\\\"/data1\\\"]", disks));

        assertThat(read(false).whyUnknown()).contains("its web UI answers what the doctor can't read");
    }

    @Test
    void aCountThatIsNoneIsNotTaken() throws IOException {
        beanByName.put(DataNodeBeans.INFO, INFO.replace("\"XceiverCount\":17", "\"XceiverCount\":\"many\""));

        assertThat(read(false).whyUnknown()).contains("its web UI answers what the doctor can't read");
    }
}
