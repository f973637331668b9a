// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process;

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
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** The page {@code /jmx} of HDFS's and HBase's servers, asked for one bean at a time. Thread-safe. */
public final class JmxClient {

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
            HttpResponse<String> answer = answer(uri);
            JsonArray beans =
                    JsonParser.parseString(answer.body()).getAsJsonObject().getAsJsonArray("beans");
            return beans == null || beans.isEmpty()
                    ? Optional.empty()
                    : Optional.of(beans.get(0).getAsJsonObject());
        } catch (IOException | JsonParseException | IllegalStateException e) {
            return Optional.empty();
        }
    }

    private HttpResponse<String> answer(URI uri) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(uri).timeout(LIMIT).build(), HttpResponse.BodyHandlers.ofString());
    }

    /** How much the server's wall clock is ahead of this machine's, by what it dates its page; absent if it does not say. */
    Optional<Duration> clockOffset(String address, int port) {
        try {
            return answer(URI.create("http://" + address + ":" + port + "/jmx?qry=no:such=bean"))
                    .headers()
                    .firstValue("Date")
                    .map(date -> Duration.between(
                            Instant.now(),
                            ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                                    .toInstant()));
        } catch (IOException | DateTimeException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
