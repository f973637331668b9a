package io.hearth.operate.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.hearth.web.hbase.Answer;
import io.hearth.web.hbase.DoctorRounds;
import io.hearth.web.hbase.PageAnswers;
import io.hearth.web.hbase.Published;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hearth's page of a cluster as a process sees it from outside, served on the loopback address, to names of this machine only so
 * that no page of elsewhere reaches it by a name of its own.
 */
public final class LocalPage implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(LocalPage.class);

    private static final Set<String> NAMES = Set.of("127.0.0.1", "localhost");
    private static final long EVERY_MS = 5_000;

    private final Connection connection;
    private final LiveCluster cluster;
    private final HttpServer server;
    private final DoctorRounds doctor;
    private volatile Published published;

    private LocalPage(
            Connection connection, LiveCluster cluster, HttpServer server, DoctorRounds doctor, Published published) {
        this.connection = connection;
        this.cluster = cluster;
        this.server = server;
        this.doctor = doctor;
        this.published = published;
    }

    /** Looks for the first time and begins to answer. */
    public static LocalPage open(Configuration site, int port) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        Connection connection = ConnectionFactory.createConnection(site);
        LiveCluster cluster = LiveCluster.forAnEye(connection, site);
        cluster.look(2);
        DoctorRounds doctor = new DoctorRounds(
                failure -> LOG.warn("The doctor could not examine the cluster; what he found last is shown.", failure));
        LocalPage page = new LocalPage(connection, cluster, server, doctor, LivePage.of(cluster, doctor.word()));
        server.createContext("/", page::answer);
        server.start();
        return page;
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** Looks again and again; ends with the process, or when the cluster can't be looked at. */
    public void serve() throws IOException {
        while (true) {
            LiveCluster.pause(EVERY_MS);
            doctor.goIfDue(cluster.connection().getConfiguration(), System.currentTimeMillis());
            cluster.look();
            published = LivePage.of(cluster, doctor.word());
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            Answer answer = of(exchange);
            Answer.SECURITY_HEADERS.forEach(exchange.getResponseHeaders()::set);
            answer.headers().forEach(exchange.getResponseHeaders()::set);
            exchange.getResponseHeaders().set("Content-Type", answer.contentType());
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.status(), body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private Answer of(HttpExchange exchange) {
        String host =
                String.valueOf(exchange.getRequestHeaders().getFirst("Host")).replaceFirst(":\\d+$", "");
        if (!NAMES.contains(host)) {
            return Answer.problem(Answer.NOT_FOUND, "This page is for this machine only: ask for 127.0.0.1.");
        }
        String path = exchange.getRequestURI().getPath();
        if (!exchange.getRequestMethod().equals("GET")) {
            return Answer.problem(Answer.METHOD_NOT_ALLOWED, "This page only shows: ask with GET.");
        }
        if (path.equals("/hearth/api/actions")) {
            return Answer.json(
                    Answer.OK,
                    "{\"allowed\":false,\"why\":\"This page looks at the cluster from outside and only shows.\"}");
        }
        return PageAnswers.get(path.equals("/") ? "/hearth" : path, query(exchange), published);
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
    public void close() throws IOException {
        server.stop(0);
        cluster.close();
        connection.close();
    }
}
