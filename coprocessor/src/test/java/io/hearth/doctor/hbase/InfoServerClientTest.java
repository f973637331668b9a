// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.hearth.doctor.hbase.ClusterProbe.DoctorLimits;
import io.hearth.doctor.model.HadoopKey;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProcessConfig;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Authenticator;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PasswordAuthentication;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages of a process, and what becomes of those that are not as they should be. */
class InfoServerClientTest {

    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
        }));
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private InfoServerClient answering(String path, int status, String body) {
        server.createContext(path, exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        return ui();
    }

    private InfoServerClient ui() {
        return InfoServerClient.at("http", "127.0.0.1", server.getAddress().getPort());
    }

    @Test
    void ofAConfigurationItKeepsWhatTheDoctorReads() {
        InfoServerClient ui = answering(
                "/conf",
                200,
                "{\"properties\":[{\"key\":\"dfs.blocksize\",\"value\":\"1m\",\"isFinal\":false,\"resource\":\"hdfs-site.xml\"},"
                        + "{\"key\":\"hearth.heal.enabled\",\"value\":\"false\"},{\"key\":\"io.file.buffer.size\",\"value\":\"4096\"},"
                        + "{\"key\":\"dfs.domain.socket.path\",\"value\":null}]}");

        ProcessConfig settings = ui.settings().ifKnown().orElseThrow();

        assertThat(settings.values()).isEqualTo(Map.of("dfs.blocksize", "1m", "hearth.heal.enabled", "false"));
        assertThat(settings.number(HadoopKey.BLOCK_BYTES)).isEqualTo(1 << 20);
        assertThat(settings.text(HadoopKey.PEER_CACHE)).isEqualTo("16");
    }

    /** As the JDK's own connection would answer by itself where a ticket is at hand, whoever asks for it. */
    @Test
    void whoAsksForATicketGetsNone() {
        List<String> sent = new CopyOnWriteArrayList<>();
        server.createContext("/conf", exchange -> {
            sent.add(String.valueOf(exchange.getRequestHeaders().get("Authorization")));
            exchange.getResponseHeaders().set("WWW-Authenticate", "Negotiate");
            exchange.sendResponseHeaders(401, -1);
            exchange.close();
        });

        assertThat(ui().settings().whyUnknown())
                .get(InstanceOfAssertFactories.STRING)
                .contains("it asks for Kerberos");
        assertThat(sent).as("asked once, and nothing shown").containsExactly("null");
    }

    /** The JDK's old client is asked first, and shows what is at hand. */
    @Test
    void whoAsksForCredentialsThatAreAtHandGetsNone() throws Exception {
        List<String> sent = new CopyOnWriteArrayList<>();
        server.createContext("/conf", exchange -> {
            String credentials = exchange.getRequestHeaders().getFirst("Authorization");
            sent.add(String.valueOf(credentials));
            exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"any\"");
            exchange.sendResponseHeaders(credentials == null ? 401 : 200, -1);
            exchange.close();
        });
        Authenticator.setDefault(new Authenticator() {
            @Override
            protected PasswordAuthentication getPasswordAuthentication() {
                return new PasswordAuthentication("hbase", "secret".toCharArray());
            }
        });
        try {
            HttpURLConnection old = (HttpURLConnection)
                    URI.create(ui().address() + "/conf").toURL().openConnection();
            assertThat(old.getResponseCode()).isEqualTo(200);
            assertThat(sent).as("by the old client").containsExactly("null", "Basic aGJhc2U6c2VjcmV0");
            sent.clear();

            assertThat(ui().settings().whyUnknown())
                    .get(InstanceOfAssertFactories.STRING)
                    .startsWith("its web UI answers 401: ");
            assertThat(sent).as("asked once, and nothing shown").containsExactly("null");
        } finally {
            Authenticator.setDefault(null);
        }
    }

    @Test
    void noMoreIsTakenThanAProcessHas() {
        assertThat(InfoServerClient.Limits.DEFAULT)
                .isEqualTo(new InfoServerClient.Limits(Duration.ofSeconds(5), 8 << 20, 20_000));
    }

    @Test
    void whatItSaysIsOneLineThatSteersNoTerminal() {
        answering(
                "/conf",
                200,
                "{\"properties\":[{\"key\":\"dfs.blocksize\",\"value\":\"1\\n2\\u009b3\\u202e4\\u20285\"}]}");

        assertThat(ui().settings().ifKnown().orElseThrow().values()).containsEntry("dfs.blocksize", "1 2?3?4?5");
    }

    /** The JDK's server has the date of its answers from this machine's clock. */
    @Test
    void theClockOfOneThatIsRightIsNearOurs() {
        answering("/jmx", 200, "{}");

        assertThat(ui().clockSkewMs().ifKnown().orElseThrow()).isBetween(-5_000L, 5_000L);
    }

    /** A minute ahead, to a second, and half a minute for a machine that stands still. */
    @ParameterizedTest
    @ValueSource(longs = {3_600, -3_600})
    void aClockThatIsAheadIsAboveZeroAndOneBehindBelow(long seconds) throws Exception {
        String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(
                ZonedDateTime.now(ZoneOffset.UTC).plusSeconds(seconds));

        assertThat(answeringRaw("HTTP/1.1 200 OK\r\nDate: " + date + "\r\nContent-Length: 0\r\n\r\n")
                        .clockSkewMs()
                        .ifKnown()
                        .orElseThrow())
                .isBetween((seconds - 30) * 1_000, (seconds + 30) * 1_000);
    }

    @Test
    void oneThatDoesNotSayWhatTimeItIsIsUnknown() throws Exception {
        assertThat(answeringRaw("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").clockSkewMs())
                .isEqualTo(ProbeResult.unknown("its web UI does not say what time it is"));
        assertThat(answeringRaw("HTTP/1.1 200 OK\r\nDate: noon\r\nContent-Length: 0\r\n\r\n")
                        .clockSkewMs())
                .isEqualTo(ProbeResult.unknown("its web UI answers what the doctor can't read"));
    }

    /** One that gives this to whoever asks first. */
    private static InfoServerClient answeringRaw(String answer) throws IOException {
        ServerSocket raw = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Thread talker = new Thread(() -> {
            try (raw;
                    Socket asked = raw.accept()) {
                asked.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
                asked.getOutputStream().flush();
                asked.shutdownOutput();
                asked.getInputStream().readAllBytes();
            } catch (IOException gone) {
                // Whoever asked has hung up.
            }
        });
        talker.setDaemon(true);
        talker.start();
        return InfoServerClient.at("http", "127.0.0.1", raw.getLocalPort());
    }

    @Test
    void aTicketThatIsAskedForIsAnUnknown() {
        assertThat(answering("/conf", 401, "").settings())
                .isEqualTo(ProbeResult.unknown(
                        "its web UI answers 401: it asks for Kerberos, which the doctor does not offer to web UIs"));
    }

    @Test
    void whatIsNoJsonIsAnUnknown() {
        assertThat(answering("/conf", 200, "<html>").settings())
                .isEqualTo(ProbeResult.unknown("its web UI answers what the doctor can't read"));
    }

    @Test
    void aBeanThatIsNotThereIsAnUnknown() {
        InfoServerClient ui = answering("/jmx", 200, "{\"beans\":[]}");

        assertThat(ui.bean("a:b=c", Set.of("d"))).isEqualTo(ProbeResult.unknown("its page /jmx has no bean a:b=c"));
    }

    @Test
    void whoDoesNotAnswerIsAnUnknownThatIsTheSameForAll() {
        InfoServerClient ui = ui();
        server.stop(0);

        assertThat(ui.settings()).isEqualTo(ProbeResult.unknown("its web UI does not answer: Connect"));
    }

    private InfoServerClient uiThatTakes(InfoServerClient.Limits limits) {
        return new InfoServerClient("http://127.0.0.1:" + server.getAddress().getPort(), limits);
    }

    private static final Duration LONG = Duration.ofMinutes(1);

    /** Goes on until whoever asked has gone. */
    private void repeating(String path, String start, String again, boolean isSlow) {
        server.createContext(path, exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(start.getBytes(StandardCharsets.UTF_8));
                while (true) {
                    out.write(again.getBytes(StandardCharsets.UTF_8));
                    out.flush();
                    LockSupport.parkNanos(isSlow ? 10_000_000 : 1);
                }
            }
        });
    }

    @Test
    void anAnswerWithoutEndIsCutAtTheLimitOfBytes() {
        repeating("/conf", "{\"properties\":[", "{\"key\":\"x\",\"value\":\"yyyyyyyyyyyyyyyyyyyyyyyy\"},", false);

        assertThat(uiThatTakes(new InfoServerClient.Limits(LONG, 10_000, 10)).settings())
                .isEqualTo(ProbeResult.unknown("its web UI answers more than 10000 bytes"));
    }

    @Test
    void anAnswerThatTricklesIsCutAtTheLimitOfTime() {
        repeating("/conf", "", " ", true);

        assertThat(uiThatTakes(new InfoServerClient.Limits(Duration.ofMillis(300), 1 << 20, 10))
                        .settings())
                .isEqualTo(ProbeResult.unknown("its web UI has not answered within 300 ms"));
    }

    /** The thread of a read of a page dies with the deadline of whoever asked for it, long before the read's own. */
    @Test
    void aReadThatTricklesEndsWhenNobodyWaitsForIt() throws Exception {
        repeating("/conf", "", " ", true);
        InfoServerClient ui = uiThatTakes(new InfoServerClient.Limits(Duration.ofMinutes(30), 1 << 20, 10));
        Thread reader;
        try (ParallelProber prober = new ParallelProber(new DoctorLimits(1, Duration.ofMinutes(5), Duration.ZERO))) {
            reader = prober.within("it", LONG, Thread::currentThread);
            assertThatThrownBy(() -> prober.within("it", Duration.ofMillis(300), ui::settings))
                    .hasMessage("it has not answered within 0.3 s");
        }
        reader.join(60_000);
        assertThat(reader.isAlive()).isFalse();
    }

    @Test
    void headersWithoutEndAreNoAnswer() throws Exception {
        try (ServerSocket raw = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread talker = new Thread(() -> {
                try (Socket asked = raw.accept()) {
                    OutputStream out = asked.getOutputStream();
                    out.write("HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.UTF_8));
                    while (true) {
                        out.write("X-More: and more\r\n".repeat(1_000).getBytes(StandardCharsets.UTF_8));
                    }
                } catch (IOException gone) {
                    // Whoever asked has hung up.
                }
            });
            talker.setDaemon(true);
            talker.start();

            assertThat(InfoServerClient.at("http", "127.0.0.1", raw.getLocalPort())
                            .settings()
                            .whyUnknown())
                    .get(InstanceOfAssertFactories.STRING)
                    .startsWith("its web UI ");
        }
    }

    @Test
    void anAnswerWithTooManyPropertiesIsNone() {
        String properties = "{\"key\":\"x\",\"value\":\"y\"},".repeat(10) + "{}";
        answering("/conf", 200, "{\"properties\":[" + properties + "]}");

        assertThat(uiThatTakes(new InfoServerClient.Limits(LONG, 10_000, 10)).settings())
                .isEqualTo(ProbeResult.unknown("its page /conf has more than 10 properties"));
    }

    @Test
    void whereItIsSentElsewhereItDoesNotGo() {
        AtomicInteger asked = new AtomicInteger();
        server.createContext("/elsewhere", exchange -> {
            asked.incrementAndGet();
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.createContext("/conf", exchange -> {
            exchange.getResponseHeaders().set("Location", ui().address() + "/elsewhere");
            exchange.sendResponseHeaders(302, -1);
            exchange.close();
        });

        assertThat(ui().settings())
                .isEqualTo(ProbeResult.unknown(
                        "its web UI answers 302: it sends the doctor elsewhere, where he does not go"));
        assertThat(asked).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"properties\":{}}",
                "{\"properties\":5}",
                "{\"properties\":null}",
                "{\"properties\":[5]}",
                "{\"properties\":[{\"key\":{},\"value\":\"1\"}]}",
                "{\"properties\":[{\"key\":\"dfs.blocksize\",\"value\":[1]}]}",
                "[]",
                "5",
                "",
                "\"",
                "{\"properties\":["
            })
    void aWrongAnswerIsTheFindingOfWhoGaveIt(String wrong) {
        assertThat(answering("/conf", 200, wrong).settings())
                .isEqualTo(ProbeResult.unknown("its web UI answers what the doctor can't read"));
    }

    @Test
    void anAnswerThatIsDeeperThanAnyPageIsNone() {
        answering("/conf", 200, "{\"a\":" + "[".repeat(1_000_000));

        assertThat(ui().settings()).isEqualTo(ProbeResult.unknown("its web UI answers what the doctor can't read"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e999999999", "-1e999999999", "{}", "\"many\"", "NaN"})
    void aCounterThatNobodyCanCountToIsTheFindingOfWhoGaveIt(String count) {
        InfoServerClient ui = answering("/jmx", 200, "{\"beans\":[{\"localBytesRead\":" + count + "}]}");

        assertThat(RegionServers.counters(ui))
                .isEqualTo(ProbeResult.unknown("its web UI answers what the doctor can't read"));
    }

    @Test
    void whatWouldForgeALineIsOneLine() {
        InfoServerClient ui =
                answering("/conf", 200, "{\"properties\":[{\"key\":\"hearth.a\",\"value\":\"b\\n\\u001b[2Jc\"}]}");

        assertThat(ui.settings().ifKnown().orElseThrow().values()).isEqualTo(Map.of("hearth.a", "b [2Jc"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "{\"host1:9866\":5}",
                "{\"host1:9866\":{}}",
                "{\"host1\":{\"infoAddr\":\"127.0.0.1:9864\"}}",
                "{\"host1:9866\":{\"infoAddr\":\"127.0.0.1:many\"}}"
            })
    void aListOfDataNodesThatIsNoneIsAnUnknown(String live) {
        assertThat(NameNodes.live(ProbeResult.known(Map.of("LiveNodes", live))))
                .isEqualTo(ProbeResult.unknown("the NameNode's list of DataNodes can't be read"));
    }

    @Test
    void aCounterThatIsMissingIsAnUnknownAndNotZero() {
        InfoServerClient ui = answering("/jmx", 200, "{\"beans\":[{\"localBytesRead\":5}]}");

        assertThat(RegionServers.counters(ui))
                .isEqualTo(ProbeResult.unknown("its page /jmx has no shortCircuitBytesRead"));
    }
}
