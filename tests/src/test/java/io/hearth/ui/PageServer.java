// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.hearth.ui.config.UiSettings.UiConfig;
import io.hearth.ui.hbase.ApiResponse;
import io.hearth.ui.hbase.PublishedPage;
import io.hearth.ui.hbase.ReadRequestHandler;
import io.hearth.ui.model.Page;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Serves the page of the master's web UI from a page that was made up, on a port of the system's choice of this machine. */
final class PageServer implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(4);

    private PageServer(HttpServer server) {
        this.server = server;
    }

    static PageServer of(Page page) throws IOException {
        return of(page, "{\"allowed\":false,\"why\":\"Made up.\"}");
    }

    /** @param mayAct what is answered to who asks whether this user may act; an action is answered by {@code Done.} */
    static PageServer of(Page page, String mayAct) throws IOException {
        PublishedPage published = new PublishedPage(page, new UiConfig(true, false, 60_000));
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        PageServer server = new PageServer(http);
        http.createContext("/", exchange -> answer(exchange, published, mayAct));
        http.setExecutor(server.threads);
        http.start();
        return server;
    }

    URI page() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/hearth");
    }

    private static void answer(HttpExchange exchange, PublishedPage published, String mayAct) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            ApiResponse answer;
            if (path.startsWith("/hearth/api/actions")) {
                boolean isAction = exchange.getRequestMethod().equals("POST");
                answer = new ApiResponse(200, "application/json", isAction ? "{\"done\":\"Done.\"}" : mayAct, Map.of());
            } else {
                answer = ReadRequestHandler.get(
                        path, query(exchange.getRequestURI().getQuery()), published);
            }
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            ApiResponse.SECURITY_HEADERS.forEach(exchange.getResponseHeaders()::set);
            answer.headers().forEach(exchange.getResponseHeaders()::set);
            exchange.getResponseHeaders().set("Content-Type", answer.contentType());
            exchange.sendResponseHeaders(answer.status(), body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static Map<String, String> query(String query) {
        Map<String, String> values = new HashMap<>();
        for (String pair : query == null ? new String[0] : query.split("&")) {
            String[] parts = pair.split("=", 2);
            values.put(parts[0], parts.length < 2 ? "" : parts[1]);
        }
        return values;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    /** Serves one of the sample pages until the process is ended: {@code empty}, {@code hot}, {@code healing} or {@code large}. */
    public static void main(String[] args) throws Exception {
        Page page =
                switch (args[0]) {
                    case "empty" -> SamplePages.empty();
                    case "hot" -> SamplePages.hot();
                    case "healing" -> SamplePages.healing();
                    case "large" -> SamplePages.large();
                    default -> throw new IllegalArgumentException("empty, hot, healing or large, not " + args[0]);
                };
        System.out.println(of(page).page());
        Thread.currentThread().join();
    }
}
