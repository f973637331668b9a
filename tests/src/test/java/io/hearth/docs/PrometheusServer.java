// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hearth.docs.GrafanaBoard.Variable;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import org.yaml.snakeyaml.Yaml;

/**
 * Prometheus with the jobs of {@code conf/prometheus/scrape.yml} and both files of rules, as a process of its own. It asks other targets
 * than the file names, and more often. To be closed; of one thread.
 */
final class PrometheusServer implements AutoCloseable {

    static final Path SLO_ALERTS = MonitoringFiles.ALERTS.resolveSibling("hearth-slo-alerts.yml");

    private static final String PROGRAM = "prometheus";
    private static final int STEP_SECONDS = 5;
    private static final int START_SECONDS = 60;
    private static final int END_SECONDS = 30;

    private final HttpClient http = HttpClient.newHttpClient();
    private final Instant start = Instant.now();
    private final Process process;
    private final String address;

    /**
     * One line of a panel.
     *
     * @param seconds since Prometheus was started, for each value
     */
    record Series(Map<String, String> labels, double[] seconds, double[] values) {

        /** Without the times that have no number. */
        Series finite() {
            double[] times = new double[values.length];
            double[] numbers = new double[values.length];
            int count = 0;
            for (int place = 0; place < values.length; place++) {
                if (Double.isFinite(values[place])) {
                    times[count] = seconds[place];
                    numbers[count++] = values[place];
                }
            }
            return new Series(labels, Arrays.copyOf(times, count), Arrays.copyOf(numbers, count));
        }
    }

    private PrometheusServer(Process process, String address) {
        this.process = process;
        this.address = address;
    }

    /** A test that needs it says that it is skipped where this machine has none. */
    static void assumeInstalled() {
        assumeTrue(
                Stream.of(System.getenv("PATH").split(":"))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, PROGRAM))),
                "Skipped: no prometheus is on the PATH. On Debian and Ubuntu: sudo apt-get install -y prometheus");
    }

    /**
     * Starts it; returns when it answers.
     *
     * @param folder for its configuration, its log and what it collects
     * @param targetsByJob addresses, for each job of the file
     */
    static PrometheusServer start(Path folder, Map<String, List<String>> targetsByJob) throws IOException {
        Path config = Files.writeString(folder.resolve("prometheus.yml"), new Yaml().dump(config(targetsByJob)));
        Path log = folder.resolve("prometheus.log");
        String address = "127.0.0.1:" + freePort();
        PrometheusServer server = new PrometheusServer(
                new ProcessBuilder(
                                PROGRAM,
                                "--config.file=" + config,
                                "--storage.tsdb.path=" + folder.resolve("data"),
                                "--web.listen-address=" + address,
                                "--log.level=warn")
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start(),
                address);
        try {
            await().atMost(Duration.ofSeconds(START_SECONDS))
                    .ignoreExceptions()
                    .until(() -> server.get("/-/ready").statusCode() == 200);
            return server;
        } catch (ConditionTimeoutException silent) {
            server.close();
            throw new IOException("Prometheus does not answer: " + Files.readString(log), silent);
        }
    }

    private static Map<String, Object> config(Map<String, List<String>> targetsByJob) {
        List<Map<String, Object>> jobs = MonitoringFiles.maps(
                MonitoringFiles.yaml(MonitoringFiles.SCRAPE).get("scrape_configs"));
        assertThat(jobs.stream().map(job -> (String) job.get("job_name")))
                .containsExactlyInAnyOrderElementsOf(targetsByJob.keySet());
        jobs.forEach(
                job -> MonitoringFiles.maps(job.get("static_configs")).get(0).put("targets", targetsByJob.get((String)
                        job.get("job_name"))));
        return Map.of(
                "global",
                Map.of("scrape_interval", STEP_SECONDS + "s", "evaluation_interval", STEP_SECONDS + "s"),
                "rule_files",
                List.of(MonitoringFiles.ALERTS.toString(), SLO_ALERTS.toString()),
                "scrape_configs",
                jobs);
    }

    /** A port that nobody listens at just now. */
    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /**
     * What a panel with this expression has drawn since Prometheus was started.
     *
     * @throws IOException with what Prometheus has against it
     */
    List<Series> drawn(String expression) throws IOException, InterruptedException {
        JsonObject data = ask(
                        "query_range",
                        Map.of(
                                "query", expression,
                                "start", "" + start.getEpochSecond(),
                                "end", "" + Instant.now().getEpochSecond(),
                                "step", "" + STEP_SECONDS))
                .getAsJsonObject();
        List<Series> all = new ArrayList<>();
        for (JsonElement element : data.getAsJsonArray("result")) {
            JsonObject series = element.getAsJsonObject();
            List<JsonElement> samples = series.getAsJsonArray("values").asList();
            all.add(new Series(
                    labels(series.getAsJsonObject("metric")),
                    samples.stream().mapToDouble(this::secondsOf).toArray(),
                    samples.stream().mapToDouble(PrometheusServer::valueOf).toArray()));
        }
        return all;
    }

    private static Map<String, String> labels(JsonObject metric) {
        Map<String, String> labels = new TreeMap<>();
        metric.asMap().forEach((label, value) -> labels.put(label, value.getAsString()));
        return labels;
    }

    private double secondsOf(JsonElement sample) {
        return sample.getAsJsonArray().get(0).getAsDouble() - start.getEpochSecond();
    }

    /** As Prometheus writes numbers: +Inf, -Inf and NaN among them. */
    private static double valueOf(JsonElement sample) {
        return Double.parseDouble(sample.getAsJsonArray().get(1).getAsString().replace("Inf", "Infinity"));
    }

    /** What a dashboard offers for this variable. */
    List<String> values(Variable variable) throws IOException, InterruptedException {
        Map<String, String> match =
                variable.selector().map(selector -> Map.of("match[]", selector)).orElse(Map.of());
        return ask("label/" + variable.label() + "/values", match).getAsJsonArray().asList().stream()
                .map(JsonElement::getAsString)
                .toList();
    }

    /** Every rule of every group. */
    List<JsonObject> rules() throws IOException, InterruptedException {
        return ask("rules", Map.of()).getAsJsonObject().getAsJsonArray("groups").asList().stream()
                .flatMap(group -> group.getAsJsonObject().getAsJsonArray("rules").asList().stream())
                .map(JsonElement::getAsJsonObject)
                .toList();
    }

    /** Every target that it asks. */
    List<JsonObject> targets() throws IOException, InterruptedException {
        return ask("targets", Map.of("state", "active"))
                .getAsJsonObject()
                .getAsJsonArray("activeTargets")
                .asList()
                .stream()
                .map(JsonElement::getAsJsonObject)
                .toList();
    }

    private JsonElement ask(String what, Map<String, String> parameters) throws IOException, InterruptedException {
        StringBuilder query = new StringBuilder("/api/v1/").append(what).append('?');
        parameters.forEach((name, value) ->
                query.append(encoded(name)).append('=').append(encoded(value)).append('&'));
        JsonObject answer = JsonParser.parseString(get(query.toString()).body()).getAsJsonObject();
        if (!answer.get("status").getAsString().equals("success") || answer.has("warnings")) {
            answer.remove("data");
            throw new IOException(answer.toString());
        }
        return answer.get("data");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create("http://" + address + path)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException hurry) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
