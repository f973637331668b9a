// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DataNodeQuotaTest {

    private static final String KEY = "dfs.datanode.balance.max.concurrent.moves";

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private HttpServer webUi;
    private int status = 200;
    private String body = property("50");
    private Optional<String> reconfigured = Optional.empty();
    private boolean isRefused;
    private boolean timesOut;
    private int askedForReconfiguration;
    private long nowMs;

    private final DataNodeQuota quota = new DataNodeQuota(
            node -> {
                askedForReconfiguration++;
                if (isRefused) {
                    throw new AccessControlException("Access denied for user hbase. Superuser privilege is required");
                }
                if (timesOut) {
                    throw new SocketTimeoutException("5000 millis timeout while waiting for channel to be ready");
                }
                return reconfigured;
            },
            new Configuration(false),
            Duration.ofSeconds(30),
            () -> nowMs);

    @BeforeEach
    void start() throws IOException {
        webUi = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        webUi.createContext("/", exchange -> {
            asked.add(exchange.getRequestURI() + " "
                    + exchange.getRequestHeaders().getFirst("Accept"));
            exchange.getResponseHeaders().set("Location", "/elsewhere");
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        webUi.start();
    }

    @AfterEach
    void stop() {
        webUi.stop(0);
    }

    /** As Hadoop's {@code ConfServlet} shows one property. */
    private static String property(String value) {
        Configuration conf = new Configuration(false);
        conf.set(KEY, value);
        StringWriter page = new StringWriter();
        try {
            Configuration.dumpConfiguration(conf, KEY, page);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return page.toString();
    }

    private OptionalInt ask(int infoPort) {
        return ask(quota, infoPort);
    }

    private static OptionalInt ask(DataNodeQuota quota, int infoPort) {
        return quota.ask(new DatanodeInfo.DatanodeInfoBuilder()
                .setNodeID(new DatanodeID("127.0.0.1", "a", "uuid-a", 9866, infoPort, 9865, 9867))
                .build());
    }

    private OptionalInt ask() {
        return ask(webUi.getAddress().getPort());
    }

    @Test
    void aDataNodeSaysWhatItWasStartedWith() {
        assertThat(ask()).hasValue(50);
        assertThat(asked).containsExactly("/conf?name=" + KEY + " application/json");
    }

    @Test
    void whatItsLastReconfigurationHasSetIsInForce() {
        reconfigured = Optional.of("9");
        assertThat(ask()).hasValue(9);
        assertThat(asked).isEmpty();
        reconfigured = Optional.of("null");
        assertThat(ask()).as("no number is none").hasValue(50);
    }

    /** Broken (what it was started with instead): it seemed to say another quota than before, and its refusals did not count any more. */
    @Test
    void aQuestionThatFailsIsNoAnswerAndIsPutAgain() {
        reconfigured = Optional.of("5");
        assertThat(ask()).hasValue(5);
        timesOut = true;
        assertThat(ask()).isEmpty();
        timesOut = false;
        assertThat(ask()).hasValue(5);
        assertThat(asked).isEmpty();
    }

    /** A DataNode logs each refusal, with its stack. */
    @Test
    void aUserWhoIsNoSuperuserAsksForReconfigurationsOnce() {
        isRefused = true;
        assertThat(ask()).hasValue(50);
        assertThat(ask()).hasValue(50);
        assertThat(askedForReconfiguration).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-5", "many", "1000000", "5x"})
    void whatIsNoNumberOfMovesIsNone(String value) {
        body = property(value);
        assertThat(ask()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 401, 404, 500})
    void noAnswerIsNoneAndNobodyIsSentElsewhere(int other) {
        status = other;
        assertThat(ask()).isEmpty();
        assertThat(asked).hasSize(1);
    }

    @Test
    void noMoreIsTakenThanAPropertyHas() {
        body = " ".repeat(1 << 16) + property("50");
        assertThat(ask()).isEmpty();
    }

    /** Broken (no limit of time): a DataNode that takes connections and says nothing holds a thread for ever. */
    @Test
    void aWebUiThatDoesNotAnswerIsNotWaitedFor() throws IOException {
        DataNodeQuota impatient = new DataNodeQuota(
                node -> Optional.empty(), new Configuration(false), Duration.ofMillis(300), () -> nowMs);
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(CompletableFuture.supplyAsync(() -> ask(impatient, silent.getLocalPort())))
                    .succeedsWithin(Duration.ofSeconds(30))
                    .isEqualTo(OptionalInt.empty());
        }
    }

    @Test
    void webUisThatDoNotAnswerAreLeftAloneForTenMinutes() throws IOException {
        // Bound, so that nobody else gets the port, and not listened at.
        try (Socket socket = new Socket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            int closed = socket.getLocalPort();
            for (int silent = 1; silent < DataNodeQuota.SILENT_IN_A_ROW; silent++) {
                assertThat(ask(closed)).isEmpty();
            }
            assertThat(ask()).as("one that answers among them").hasValue(50);
            for (int silent = 1; silent <= DataNodeQuota.SILENT_IN_A_ROW; silent++) {
                assertThat(ask(closed)).isEmpty();
            }
        }
        assertThat(ask()).isEmpty();
        nowMs = 600_000;
        assertThat(ask()).hasValue(50);
        assertThat(asked).hasSize(2);
    }
}
