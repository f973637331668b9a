// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.hearth.balancer.heat.ServerRpcStats;
import io.hearth.common.model.ServerId;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A suspect's word on its calls, and what becomes of answers that are not as they should be. */
class SuspectProbeTest {

    private static final String PAGE = "{\"beans\":[{\"name\":\"Hadoop:service=HBase,name=RegionServer,sub=IPC\","
            + "\"numCallsInGeneralQueue\":312,\"TotalCallTime_mean\":480.5}]}";
    private static final ServerId SERVER = new ServerId("rs1", 16020, 1);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final BlockingQueue<ServerRpcStats> rpcStatsReceived = new LinkedBlockingQueue<>();
    private final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
    private final SuspectProbe probe =
            new SuspectProbe((server, rpcStats) -> rpcStatsReceived.add(rpcStats), failures::add, 60_000);
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.start();
    }

    @AfterEach
    void stop() {
        probe.close();
        server.stop(0);
        threads.shutdownNow();
    }

    private String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void answers(int status, String body) {
        server.createContext("/jmx", exchange -> {
            assertThat(exchange.getRequestURI().getQuery())
                    .isEqualTo("qry=Hadoop:service=HBase,name=RegionServer,sub=IPC");
            send(exchange, status, body);
        });
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Test
    void readsTheQueueAndTheTimeOfACall() {
        answers(200, PAGE);

        assertThat(probe.rpcStats(address())).contains(new ServerRpcStats(312, 480.5));
    }

    /** Broken (a client for each question): each leaves a thread of its own, until somebody collects garbage. */
    @Test
    void allQuestionsHaveOneClient() {
        answers(200, PAGE);
        assertThat(probe.rpcStats(address())).isPresent();
        Set<String> before = threadsOfClients();

        for (int question = 0; question < 5; question++) {
            assertThat(probe.rpcStats(address())).isPresent();
        }

        assertThat(before).containsAll(threadsOfClients());
    }

    private static Set<String> threadsOfClients() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.matches("HttpClient-\\d+-SelectorManager"))
                .collect(Collectors.toSet());
    }

    @Test
    void whatIsNotThePageSaysNothing() {
        answers(200, "{\"beans\":[]}");
        assertThat(probe.rpcStats(address())).isEmpty();
        server.removeContext("/jmx");
        answers(200, "<html>");
        assertThat(probe.rpcStats(address())).isEmpty();
        server.removeContext("/jmx");
        answers(200, "{\"beans\":[{\"numCallsInGeneralQueue\":{},\"TotalCallTime_mean\":[]}]}");
        assertThat(probe.rpcStats(address())).isEmpty();
        server.removeContext("/jmx");
        answers(401, PAGE);
        assertThat(probe.rpcStats(address())).isEmpty();
        assertThat(probe.rpcStats("http://127.0.0.1:1")).isEmpty();
    }

    @Test
    void aRedirectIsNotFollowed() {
        server.createContext("/jmx", exchange -> {
            exchange.getResponseHeaders().add("Location", address() + "/elsewhere");
            send(exchange, 302, "");
        });
        server.createContext("/elsewhere", exchange -> {
            rpcStatsReceived.add(new ServerRpcStats(0, 0));
            send(exchange, 200, PAGE);
        });

        assertThat(probe.rpcStats(address())).isEmpty();
        assertThat(rpcStatsReceived).isEmpty();
    }

    @Test
    void anAnswerWithoutAnEndIsCutOff() throws InterruptedException {
        BlockingQueue<Long> sentUntilCutOff = new LinkedBlockingQueue<>();
        server.createContext("/jmx", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            long sent = 0;
            try (OutputStream body = exchange.getResponseBody()) {
                byte[] part = " ".repeat(1 << 16).getBytes(StandardCharsets.UTF_8);
                for (; sent < 1L << 32; sent += part.length) {
                    body.write(part);
                }
            } catch (IOException cutOff) {
                sentUntilCutOff.add(sent);
            }
        });

        assertThat(probe.rpcStats(address())).isEmpty();
        assertThat(sentUntilCutOff.poll(30, TimeUnit.SECONDS))
                .as("bytes, of which the network's buffers hold some more than the limit")
                .isNotNull()
                .isLessThan(64L * SuspectProbe.LIMIT_BYTES);
    }

    @Test
    void anAnswerThatDoesNotComeIsNotWaitedFor() {
        server.createContext("/jmx", exchange -> {
            try {
                rpcStatsReceived.take();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        });

        try (SuspectProbe impatient =
                new SuspectProbe((server, rpcStats) -> rpcStatsReceived.add(rpcStats), failures::add, 300)) {
            assertThat(CompletableFuture.supplyAsync(() -> impatient.rpcStats(address()), threads))
                    .succeedsWithin(Duration.ofSeconds(30))
                    .isEqualTo(Optional.empty());
        }
    }

    /** Broken (its thread dies of it): nobody would count it. */
    @Test
    void whatGoesWrongHereIsTold() throws InterruptedException {
        answers(200, PAGE);
        Error broken = new NoClassDefFoundError("heat");
        try (SuspectProbe breaking = new SuspectProbe(
                (server, rpcStats) -> {
                    throw broken;
                },
                failures::add,
                60_000)) {
            List<SuspectProbe.WebUi> suspects = List.of(new SuspectProbe.WebUi(SERVER, address()));
            breaking.ask(suspects, 0);
            breaking.ask(suspects, SuspectProbe.PERIOD_MS);

            assertThat(failures.poll(30, TimeUnit.SECONDS)).isSameAs(broken);
        }
    }

    /**
     * The call times of a first answer are those since anybody looked, which may be days. Questions are put one after the other, so what
     * another server answers comes after all that the first one does.
     */
    @Test
    void theFirstAnswerOnlySetsTheCallTimesBackAndWhoWasAskedOfLateIsNotAsked() throws InterruptedException {
        AtomicInteger asked = new AtomicInteger();
        server.createContext(
                "/jmx", exchange -> send(exchange, 200, PAGE.replace("312", String.valueOf(asked.incrementAndGet()))));
        ServerId other = new ServerId("rs2", 16020, 1);
        List<SuspectProbe.WebUi> suspects = List.of(new SuspectProbe.WebUi(SERVER, address()));
        List<SuspectProbe.WebUi> others = List.of(new SuspectProbe.WebUi(other, address()));

        probe.ask(suspects, 0);
        probe.ask(suspects, 1_000);
        probe.ask(suspects, SuspectProbe.PERIOD_MS);
        probe.ask(others, SuspectProbe.PERIOD_MS);
        probe.ask(others, 2 * SuspectProbe.PERIOD_MS);

        assertThat(nextTold()).as("the first answer is not told").isEqualTo(new ServerRpcStats(2, 480.5));
        assertThat(nextTold())
                .as("the third question is the other server's, whose second answer is told")
                .isEqualTo(new ServerRpcStats(4, 480.5));
        assertThat(asked).hasValue(4);
    }

    private ServerRpcStats nextTold() throws InterruptedException {
        return rpcStatsReceived.poll(30, TimeUnit.SECONDS);
    }
}
