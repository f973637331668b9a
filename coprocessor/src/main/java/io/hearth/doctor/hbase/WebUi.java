package io.hearth.doctor.hbase;

import io.hearth.doctor.model.Answer;
import io.hearth.doctor.model.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParseException;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/**
 * The web UI of one process of HBase or HDFS: its pages {@code /conf} and {@code /jmx}, which all of them have. It asks without Kerberos, so that a
 * UI that wants a ticket is an unknown. Thread-safe.
 *
 * @param address {@code http://host:port}
 */
public record WebUi(String address) {

    private static final int LIMIT_MS = 5_000;

    public static WebUi at(String scheme, String host, int port) {
        return new WebUi(scheme + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port);
    }

    /** The configuration that the process was started with, or has read since. */
    public Answer<Settings> settings() {
        return ask("/conf?format=json", answer -> {
            Map<String, String> values = new TreeMap<>();
            for (JsonElement each : answer.getAsJsonObject().getAsJsonArray("properties")) {
                JsonObject property = each.getAsJsonObject();
                String key = property.get("key").getAsString();
                JsonElement value = property.get("value");
                if (Settings.isOfUse(key) && value != null && !value.isJsonNull()) {
                    values.put(key, value.getAsString());
                }
            }
            return Answer.known(new Settings(values));
        });
    }

    /** One bean of the process. */
    public Answer<JsonObject> bean(String name) {
        return ask("/jmx?qry=" + URLEncoder.encode(name, StandardCharsets.UTF_8), answer -> {
            JsonArray beans = answer.getAsJsonObject().getAsJsonArray("beans");
            return beans == null || beans.isEmpty()
                    ? Answer.unknown("its page /jmx has no bean " + name)
                    : Answer.known(beans.get(0).getAsJsonObject());
        });
    }

    /** What a page says. */
    public <T> Answer<T> ask(String page, Function<JsonElement, Answer<T>> reading) {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) URI.create(address + page).toURL().openConnection();
            connection.setConnectTimeout(LIMIT_MS);
            connection.setReadTimeout(LIMIT_MS);
            connection.setRequestProperty("Accept", "application/json");
            int status = connection.getResponseCode();
            return status == HttpURLConnection.HTTP_OK
                    ? reading.apply(parsed(connection))
                    : Answer.unknown("its web UI answers " + status
                            + (status == HttpURLConnection.HTTP_UNAUTHORIZED
                                    ? ": it asks for Kerberos, which the doctor does not offer to web UIs"
                                    : ""));
        } catch (IOException noAnswer) {
            return Answer.unknown("its web UI does not answer: " + words(noAnswer));
        } catch (JsonParseException | IllegalStateException | NullPointerException notWhatWeKnow) {
            return Answer.unknown("its web UI answers what the doctor can't read");
        }
    }

    /** Without the address, so that the same trouble of many processes is one. */
    private static String words(IOException failure) {
        return failure.getClass()
                .getSimpleName()
                .replaceAll("([a-z])([A-Z])", "$1 $2")
                .replace(" Exception", "");
    }

    private static JsonElement parsed(HttpURLConnection connection) throws IOException {
        try (InputStream in = connection.getInputStream();
                Reader reader = new InputStreamReader(in, StandardCharsets.UTF_8)) {
            return JsonParser.parseReader(reader);
        }
    }
}
