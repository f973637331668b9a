// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * {@code /metrics} of a daemon, for Prometheus: read-only, and on an address that the operator names. At most four requests are answered at
 * once, and one that is not whole within ten seconds is ended. Thread-safe.
 */
final class SloMetricsServer implements AutoCloseable {

    private static final String PATH = "/metrics";
    private static final int MAX_THREADS = 4;
    private static final int REQUEST_SECONDS = 10;
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;

    static {
        // Read once, by the first server of this JVM.
        for (String limit : new String[] {"sun.net.httpserver.maxReqTime", "sun.net.httpserver.maxRspTime"}) {
            System.setProperty(limit, System.getProperty(limit, Integer.toString(REQUEST_SECONDS)));
        }
    }

    private final HttpServer server;
    private final ThreadPoolExecutor threads;

    private SloMetricsServer(HttpServer server) {
        this.server = server;
        this.threads = new ThreadPoolExecutor(
                0, MAX_THREADS, REQUEST_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                    Thread thread = new Thread(task, "hearth-slo-metrics");
                    thread.setDaemon(true);
                    return thread;
                });
    }

    /**
     * Answers from now on.
     *
     * @throws IOException if the address can't be listened on
     */
    static SloMetricsServer start(InetSocketAddress address, Supplier<String> metrics) throws IOException {
        SloMetricsServer started = new SloMetricsServer(HttpServer.create(address, 0));
        started.server.setExecutor(started.threads);
        started.server.createContext("/", exchange -> answer(exchange, metrics));
        started.server.start();
        return started;
    }

    private static void answer(HttpExchange exchange, Supplier<String> metrics) throws IOException {
        try (exchange) {
            boolean isThis = exchange.getRequestURI().getPath().equals(PATH);
            boolean isGet = exchange.getRequestMethod().equals("GET");
            String text = isThis && isGet ? metrics.get() : "Metrics are at " + PATH + ", by GET.\n";
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
            exchange.sendResponseHeaders(isThis ? isGet ? OK : METHOD_NOT_ALLOWED : NOT_FOUND, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
