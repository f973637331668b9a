// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb;

import com.google.gson.Gson;
import io.hearth.bench.opentsdb.stream.MetricStream.DataPoint;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** OpenTSDB's HTTP interface, as collectors and dashboards use it. Thread-safe. */
final class TsdClient {

    private static final Duration PROBE_LIMIT = Duration.ofSeconds(3);

    /** HBase itself needs most of a minute to notice that a server is dead. */
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private static final int OK = 200;

    private final URI tsd;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PROBE_LIMIT)
            .build();

    TsdClient(URI tsd) {
        this.tsd = tsd;
    }

    /** Whether it answers. */
    boolean serves() throws InterruptedException {
        try {
            return http.send(request("/api/version", PROBE_LIMIT).build(), HttpResponse.BodyHandlers.ofString())
                            .statusCode()
                    == OK;
        } catch (IOException e) {
            return false;
        }
    }

    /** Gives UIDs to names, in their order; {@code metric}, {@code tagk} or {@code tagv} says of what. */
    Map<String, Integer> assignUids(String kind, List<String> names) throws IOException, InterruptedException {
        String body = new Gson().toJson(Map.of(kind, names));
        return TsdResponses.uids(
                send(request("/api/uid/assign", LIMIT).POST(HttpRequest.BodyPublishers.ofString(body))), kind);
    }

    /**
     * Stores points; completes when HBase has acknowledged every one of them, and with an {@link IOException} if it has not. As
     * {@code sync} waits for that, nothing is in the TSD's memory alone.
     */
    CompletableFuture<Void> put(List<DataPoint> points) {
        String body = points.stream().map(MetricNames::json).collect(Collectors.joining(",", "[", "]"));
        HttpRequest request = request("/api/put?sync&summary&details", LIMIT)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return http.sendAsync(request, HttpResponse.BodyHandlers.ofString()).thenCompose(answer -> {
            try {
                String refusal = TsdResponses.refusal(answer.body());
                return refusal.isEmpty()
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(new IOException(refusal));
            } catch (IOException e) {
                return CompletableFuture.failedFuture(e);
            }
        });
    }

    /** All points of a metric between two times, both included, by host and time in milliseconds. */
    List<Map<Long, Long>> query(int metric, int hosts, long fromMs, long toMs)
            throws IOException, InterruptedException {
        String what = "none:" + MetricNames.metric(metric) + "{" + MetricNames.TAG + "=*}";
        String path = "/api/query?ms=true&start=" + fromMs + "&end=" + toMs + "&m="
                + URLEncoder.encode(what, StandardCharsets.UTF_8);
        return TsdResponses.values(send(request(path, LIMIT)), hosts);
    }

    private HttpRequest.Builder request(String path, Duration limit) {
        return HttpRequest.newBuilder(tsd.resolve(path)).timeout(limit);
    }

    private String send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != OK) {
            throw new IOException("The TSD answered " + answer.statusCode() + ": "
                    + answer.body().lines().findFirst().orElse(""));
        }
        return answer.body();
    }

    /** What the metrics and hosts of the stream are called. Pure. */
    static final class MetricNames {

        /** The one tag that each series has. */
        static final String TAG = "host";

        private static final String HOST = "web";

        private MetricNames() {}

        static String metric(int metric) {
            return String.format(Locale.ROOT, "hearth.metric.%03d", metric);
        }

        static String host(int host) {
            return HOST + host;
        }

        /** The number of a host by its name. */
        static int hostOf(String name) {
            return Integer.parseInt(name.substring(HOST.length()));
        }

        /** The first so many names. */
        static List<String> list(int count, IntFunction<String> name) {
            return IntStream.range(0, count).mapToObj(name).toList();
        }

        /** A point in the form of {@code /api/put}. */
        static String json(DataPoint point) {
            return "{\"metric\":\"" + metric(point.metric()) + "\",\"timestamp\":" + point.timestampMs() + ",\"value\":"
                    + point.value() + ",\"tags\":{\"" + TAG + "\":\"" + host(point.host()) + "\"}}";
        }
    }
}
