// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.client;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.hearth.ui.hbase.ApiResponse;
import io.hearth.ui.hbase.ReadRequestHandler;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP server on 127.0.0.1 for the one person who started it. Whoever else is on this machine can reach the address too, so a
 * request needs the random token that is in the URL which is printed; each request with it gets it as a cookie that browsers
 * send to this origin only. A page of elsewhere in the same browser is recognised, and refused, by {@code Host} (another name for this
 * address) and by {@code Origin}.
 *
 * <p>Each request has a thread of its own and {@value #REQUEST_SECONDS} s to arrive, unless {@code sun.net.httpserver.maxReqTime} is set,
 * so that one which stops halfway keeps nobody else waiting, unless {@value #MAX_THREADS} do. Thread-safe.
 */
final class LocalUiServer implements Closeable {

    private static final int REQUEST_SECONDS = 10;
    private static final int MAX_THREADS = 32;
    private static final int TOKEN_BYTES = 16;
    private static final int SEE_OTHER = 303;
    private static final int FORBIDDEN = 403;
    private static final String TOKEN = "token";
    private static final String PAGE = "/hearth";

    static {
        // Read once by the JDK's server, when its first class is loaded.
        limitUnlessSet("sun.net.httpserver.maxReqTime");
        limitUnlessSet("sun.net.httpserver.maxRspTime");
    }

    private final HttpServer server;
    private final ThreadPoolExecutor threads;
    private final String token;
    private final BiFunction<String, Map<String, String>, ApiResponse> answers;

    private LocalUiServer(
            HttpServer server, String token, BiFunction<String, Map<String, String>, ApiResponse> answers) {
        this.server = server;
        this.token = token;
        this.answers = answers;
        this.threads = new ThreadPoolExecutor(
                0, MAX_THREADS, REQUEST_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                    Thread thread = new Thread(task, "Hearth's local page");
                    thread.setDaemon(true);
                    return thread;
                });
    }

    private static void limitUnlessSet(String property) {
        System.setProperty(property, System.getProperty(property, Integer.toString(REQUEST_SECONDS)));
    }

    /**
     * Listens; answers from {@link #start} on.
     *
     * @param port 0 for any that is free
     * @param answers the answer to a GET of a path, or to a POST that asks the doctor, with a query; called by several threads
     */
    static LocalUiServer open(int port, BiFunction<String, Map<String, String>, ApiResponse> answers)
            throws IOException {
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        InetAddress here = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        HttpServer server = HttpServer.create(new InetSocketAddress(here, port), 0);
        return new LocalUiServer(server, HexFormat.of().formatHex(random), answers);
    }

    void start() {
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    /** What the person opens, once; the cookie serves from then on. */
    String url() {
        return "http://127.0.0.1:" + port() + PAGE + "?" + TOKEN + "=" + token;
    }

    int port() {
        return server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            ApiResponse answer = of(exchange);
            Headers headers = exchange.getResponseHeaders();
            ApiResponse.SECURITY_HEADERS.forEach(headers::set);
            answer.headers().forEach(headers::set);
            headers.set("Content-Type", answer.contentType());
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.status(), body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private ApiResponse of(HttpExchange exchange) {
        Headers headers = exchange.getRequestHeaders();
        Map<String, String> query = query(exchange);
        Optional<ApiResponse> foreign = foreign(headers);
        if (foreign.isPresent()) {
            return foreign.get();
        }
        String path = exchange.getRequestURI().getPath();
        String method = exchange.getRequestMethod();
        if (!method.equals("GET") && !(method.equals("POST") && ReadRequestHandler.isDoctorRun(path))) {
            return ApiResponse.problem(ApiResponse.METHOD_NOT_ALLOWED, "This page is read-only: ask with GET.");
        }
        if (isToken(query.get(TOKEN))) {
            return withCookie(path);
        }
        if (cookies(headers).stream().noneMatch(this::isToken)) {
            return ApiResponse.problem(FORBIDDEN, "Open the address that bin/hearth ui printed: it has the token.");
        }
        return answers.apply(path.equals("/") ? PAGE : path, query);
    }

    /** The same page without the token in its address, which then is in a cookie. */
    private ApiResponse withCookie(String path) {
        return new ApiResponse(
                SEE_OTHER,
                "text/plain;charset=utf-8",
                "",
                Map.of(
                        "Location",
                        path,
                        "Set-Cookie",
                        cookieName() + "=" + token + "; Path=/; HttpOnly; SameSite=Strict"));
    }

    /** The refusal of what another page, or another name of this address, asks for; empty where it is ours. */
    private Optional<ApiResponse> foreign(Headers headers) {
        Set<String> here = Set.of("127.0.0.1:" + port(), "localhost:" + port());
        if (!here.contains(String.valueOf(headers.getFirst("Host")))) {
            return Optional.of(ApiResponse.problem(
                    FORBIDDEN, "This page is for this machine only: ask for 127.0.0.1:" + port() + "."));
        }
        String origin = headers.getFirst("Origin");
        return origin == null || here.stream().anyMatch(host -> origin.equals("http://" + host))
                ? Optional.empty()
                : Optional.of(ApiResponse.problem(FORBIDDEN, "Another page may not ask for this one."));
    }

    private boolean isToken(@Nullable String offered) {
        return offered != null
                && MessageDigest.isEqual(
                        token.getBytes(StandardCharsets.UTF_8), offered.getBytes(StandardCharsets.UTF_8));
    }

    /** Cookies know no port: two pages on one machine have one each. */
    private String cookieName() {
        return "hearth-page-" + port();
    }

    private List<String> cookies(Headers headers) {
        String prefix = cookieName() + "=";
        return headers.getOrDefault("Cookie", List.of()).stream()
                .flatMap(line -> Arrays.stream(line.split(";")))
                .map(String::strip)
                .filter(cookie -> cookie.startsWith(prefix))
                .map(cookie -> cookie.substring(prefix.length()))
                .toList();
    }

    private static Map<String, String> query(HttpExchange exchange) {
        Map<String, String> query = new HashMap<>();
        String text = exchange.getRequestURI().getRawQuery();
        for (String part : text == null ? new String[0] : text.split("&")) {
            String[] pair = part.split("=", 2);
            query.put(pair[0], pair.length > 1 ? pair[1] : "");
        }
        return query;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
