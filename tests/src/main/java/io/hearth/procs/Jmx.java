package io.hearth.procs;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** The page {@code /jmx} of HDFS's and HBase's servers, asked for one bean at a time. Thread-safe. */
public final class Jmx {

    private static final Duration LIMIT = Duration.ofSeconds(3);

    /** A DataNode's web page does not answer to one who would rather speak HTTP/2. */
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(LIMIT)
            .build();

    /** The bean of that name; absent if the server has none, does not answer, or not within a few seconds. */
    public Optional<JsonObject> bean(String address, int port, String name) throws InterruptedException {
        URI uri = URI.create(
                "http://" + address + ":" + port + "/jmx?qry=" + URLEncoder.encode(name, StandardCharsets.UTF_8));
        try {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(uri).timeout(LIMIT).build(), HttpResponse.BodyHandlers.ofString());
            JsonArray beans =
                    JsonParser.parseString(answer.body()).getAsJsonObject().getAsJsonArray("beans");
            return beans == null || beans.isEmpty()
                    ? Optional.empty()
                    : Optional.of(beans.get(0).getAsJsonObject());
        } catch (IOException | JsonParseException | IllegalStateException e) {
            return Optional.empty();
        }
    }
}
