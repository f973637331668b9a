// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.hearth.ui.hbase.ApiResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LocalUiServerTest {

    private static final String REQUEST_TIME = "sun.net.httpserver.maxReqTime";

    /** What the server sets where nobody else has. */
    private static final String OWN_REQUEST_TIME;

    static {
        try {
            MethodHandles.lookup().ensureInitialized(LocalUiServer.class);
        } catch (IllegalAccessException notOfThisPackage) {
            throw new ExceptionInInitializerError(notOfThisPackage);
        }
        OWN_REQUEST_TIME = System.getProperty(REQUEST_TIME);
        // Ten seconds are long to wait for; a server that another test opened before in this JVM may have them.
        System.setProperty(REQUEST_TIME, "2");
    }

    private final Queue<String> threads = new ConcurrentLinkedQueue<>();
    private LocalUiServer server;

    @BeforeEach
    void start() throws Exception {
        server = LocalUiServer.open(0, (path, query) -> {
            threads.add(Thread.currentThread().getName());
            return ApiResponse.json(ApiResponse.OK, "{\"path\":\"" + path + "\"}");
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** The status line, the headers and the body of what is answered to these lines of a request. */
    private List<String> ask(String... lines) throws Exception {
        try (Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), server.port())) {
            socket.getOutputStream()
                    .write((String.join("\r\n", lines) + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.UTF_8));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                    .lines()
                    .toList();
        }
    }

    private String host() {
        return "Host: 127.0.0.1:" + server.port();
    }

    private String cookie() {
        return "Cookie: other=1; hearth-page-" + server.port() + "=" + token();
    }

    private String token() {
        return URI.create(server.url()).getQuery().substring("token=".length());
    }

    @Test
    void theAddressThatIsPrintedOpensThePage() throws Exception {
        List<String> first = ask("GET /hearth?token=" + token() + " HTTP/1.1", host());

        assertThat(first.get(0)).contains("303");
        assertThat(first)
                .contains("Location: /hearth")
                .contains("Set-cookie: hearth-page-" + server.port() + "=" + token()
                        + "; Path=/; HttpOnly; SameSite=Strict");
        List<String> page = ask("GET /hearth HTTP/1.1", host(), cookie());
        assertThat(page.get(0)).contains("200");
        assertThat(page).contains("{\"path\":\"/hearth\"}", "X-frame-options: DENY");
    }

    /** It is on no other address of this machine, which the loopback device shows by another of its own. */
    @Test
    void itListensOnOneAddress() {
        assertThatExceptionOfType(ConnectException.class)
                .isThrownBy(() -> new Socket(InetAddress.getByName("127.0.0.2"), server.port()).close());
    }

    @Test
    void nobodyElseOnThisMachineSeesIt() throws Exception {
        String refusal = "{\"problem\":\"Open the address that bin/hearth ui printed: it has the token.\"}";

        assertThat(ask("GET /hearth HTTP/1.1", host()))
                .contains(refusal)
                .first()
                .asString()
                .contains("403");
        assertThat(ask("GET /hearth?token=" + "0".repeat(32) + " HTTP/1.1", host()))
                .contains(refusal);
        assertThat(ask("GET /hearth HTTP/1.1", host(), "Cookie: hearth-page-1=" + token()))
                .contains(refusal);
    }

    @Test
    void aPageOfElsewhereIsRefused() throws Exception {
        assertThat(ask("GET /hearth HTTP/1.1", "Host: evil.example:" + server.port(), cookie()))
                .contains("{\"problem\":\"This page is for this machine only: ask for 127.0.0.1:" + server.port()
                        + ".\"}");
        assertThat(ask("GET /hearth HTTP/1.1", "Host: 127.0.0.1", cookie()).get(0))
                .contains("403");
        assertThat(ask("GET /hearth HTTP/1.1", host(), cookie(), "Origin: http://evil.example"))
                .contains("{\"problem\":\"Another page may not ask for this one.\"}");
        assertThat(ask("GET /hearth HTTP/1.1", host(), cookie(), "Origin: http://127.0.0.1:" + server.port())
                        .get(0))
                .contains("200");
    }

    @Test
    void itOnlyShows() throws Exception {
        assertThat(ask("POST /hearth HTTP/1.1", host(), cookie(), "Content-Length: 0")
                        .get(0))
                .contains("405");
    }

    @Test
    void aRequestHasTenSecondsToArriveUnlessTheJvmSaysOtherwise() {
        assertThat(OWN_REQUEST_TIME).isEqualTo("10");
    }

    /** Broken (the thread that takes connections answers too): half a request keeps everybody waiting until its time is up. */
    @Test
    void aRequestHasAThreadOfItsOwn() throws Exception {
        assertThat(ask("GET /hearth HTTP/1.1", host(), cookie()).get(0)).contains("200");
        assertThat(threads).containsExactly("Hearth's local page");
    }

    @Test
    void requestsThatStopHalfwayKeepNobodyWaiting() throws Exception {
        List<Socket> halves = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                halves.add(halfRequest());
            }

            assertThat(ask("GET /hearth HTTP/1.1", host(), cookie()).get(0)).contains("200");
        } finally {
            for (Socket half : halves) {
                half.close();
            }
        }
    }

    /** More than there are threads: the server ends those that hold one when their time is up, and the others at once. */
    @Test
    void halfRequestsThatHoldEveryThreadAreEnded() throws Exception {
        List<Socket> halves = new ArrayList<>();
        try {
            for (int i = 0; i < 40; i++) {
                halves.add(halfRequest());
            }
            for (Socket half : halves) {
                assertThat(isEndedByTheServer(half)).isTrue();
            }
            assertThat(askOnceThreadsAreBack("GET /hearth HTTP/1.1", host(), cookie()))
                    .first()
                    .asString()
                    .contains("200");
        } finally {
            for (Socket half : halves) {
                half.close();
            }
        }
    }

    /** The threads of requests that were ended are back a moment later; until then a request is refused as one too many. */
    private List<String> askOnceThreadsAreBack(String... lines) throws Exception {
        for (int attempt = 0; attempt < 10_000; attempt++) {
            try {
                List<String> answer = ask(lines);
                if (!answer.isEmpty()) {
                    return answer;
                }
            } catch (IOException | UncheckedIOException refused) {
                Thread.onSpinWait();
            }
        }
        return ask(lines);
    }

    private Socket halfRequest() throws IOException {
        Socket half = new Socket(InetAddress.getByName("127.0.0.1"), server.port());
        half.setSoTimeout(60_000);
        half.getOutputStream().write("GET /hearth HTTP/1.1\r\nHo".getBytes(StandardCharsets.UTF_8));
        half.getOutputStream().flush();
        return half;
    }

    /** Waits for it, for as long as the socket does. */
    private static boolean isEndedByTheServer(Socket half) throws IOException {
        try {
            return half.getInputStream().read() < 0;
        } catch (SocketException reset) {
            return true;
        }
    }
}
