// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import io.hearth.common.http.BoundedHttpClient;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProcessConfig;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonReader;

/**
 * The web UI of one process of HBase or HDFS: its pages {@code /conf} and {@code /jmx}, which all of them have, by {@link
 * BoundedHttpClient}. A whole answer has a limit of time, of bytes and of properties; nobody learns or gets anything by asking to be
 * asked. Thread-safe.
 */
public final class InfoServerClient {

    /** How much of an answer is taken. Beyond it there is no answer. */
    record Limits(Duration time, int bytes, int properties) {
        /** A stock process has some 2,000 properties in 400 KB, and gives them within a tenth of a second. */
        static final Limits DEFAULT = new Limits(Duration.ofSeconds(5), 8 << 20, 20_000);
    }

    /** Reads a page as it comes, so that no more of it is kept than is wanted. */
    @FunctionalInterface
    interface Reading<T> {
        ProbeResult<T> from(JsonReader page) throws IOException;
    }

    /** What the reason begins with where nothing came back at all. */
    private static final String NO_ANSWER = "its web UI does not answer";

    private static final String NOT_IN_TIME = "its web UI has not answered within ";

    private static final Set<String> PROPERTY = Set.of("key", "value");
    private static final int FIRST_REDIRECT = 300;
    private static final int LAST_REDIRECT = 399;
    private static final int UNAUTHORIZED = 401;

    private final String address;
    private final Limits limits;

    /** @param address {@code http://host:port} */
    InfoServerClient(String address, Limits limits) {
        this.address = address;
        this.limits = limits;
    }

    static InfoServerClient at(String address) {
        return new InfoServerClient(address, Limits.DEFAULT);
    }

    public static InfoServerClient at(String scheme, String host, int port) {
        return at(scheme + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port);
    }

    String address() {
        return address;
    }

    /** The configuration that the process was started with, or has read since. */
    public ProbeResult<ProcessConfig> settings() {
        return ask("/conf?format=json", page -> {
            Map<String, String> values = new TreeMap<>();
            if (!BoundedJsonReader.enter(page, "properties")) {
                return ProbeResult.unknown("its page /conf has no properties");
            }
            page.beginArray();
            int properties = 0;
            while (page.hasNext()) {
                Map<String, String> property = BoundedJsonReader.texts(page, PROPERTY::contains);
                String key = property.get("key");
                String value = property.get("value");
                if (key != null && value != null && ProcessConfig.isRead(key)) {
                    values.put(key, BoundedJsonReader.printable(value));
                }
                if (++properties > limits.properties()) {
                    return ProbeResult.unknown("its page /conf has more than " + limits.properties() + " properties");
                }
            }
            return ProbeResult.known(new ProcessConfig(values));
        });
    }

    /** These attributes of one bean of the process, as texts; those that it has not are missing. */
    ProbeResult<Map<String, String>> bean(String name, Set<String> attributes) {
        return ask("/jmx?qry=" + URLEncoder.encode(name, StandardCharsets.UTF_8), page -> {
            if (BoundedJsonReader.enter(page, "beans")) {
                page.beginArray();
                if (page.hasNext()) {
                    return ProbeResult.known(BoundedJsonReader.texts(page, attributes::contains));
                }
            }
            return ProbeResult.unknown("its page /jmx has no bean " + name);
        });
    }

    /** What these attributes of one bean come to, all of which are counts and have to be there. */
    <T> ProbeResult<T> counts(String name, Set<String> attributes, Function<ToLongFunction<String>, T> meaning) {
        ProbeResult<Map<String, String>> answer = bean(name, attributes);
        if (answer instanceof ProbeResult.Unknown<Map<String, String>> unknown) {
            return ProbeResult.unknown(unknown.why());
        }
        Map<String, String> bean = answer.ifKnown().orElseThrow();
        try {
            return ProbeResult.known(meaning.apply(attribute -> count(bean, attribute)));
        } catch (NoSuchElementException missing) {
            return ProbeResult.unknown("its page /jmx has no " + missing.getMessage());
        } catch (NumberFormatException none) {
            return ProbeResult.unknown("its web UI answers what the doctor can't read");
        }
    }

    private static long count(Map<String, String> bean, String attribute) {
        String value = bean.get(attribute);
        if (value == null) {
            throw new NoSuchElementException(attribute);
        }
        return BoundedJsonReader.count(value);
    }

    /** One attribute of a bean. */
    static ProbeResult<String> text(ProbeResult<Map<String, String>> bean, String attribute) {
        return bean.ifKnown()
                .map(known -> known.get(attribute))
                .map(BoundedJsonReader::printable)
                .map(ProbeResult::known)
                .orElseGet(() -> ProbeResult.unknown("its web UI does not say"));
    }

    /** How far its clock is ahead of this process's, by the date of an answer, which has seconds; below 0 behind. */
    ProbeResult<Long> clockSkewMs() {
        long askedMs = System.currentTimeMillis();
        return send("/jmx?qry=none:type=none", answer -> {
            long meanMs = askedMs + (System.currentTimeMillis() - askedMs) / 2;
            return answer.headers()
                    .firstValue("Date")
                    .map(InfoServerClient::ms)
                    // Cut to a second: it was half a second later by and large.
                    .map(theirMs -> ProbeResult.known(theirMs + 500 - meanMs))
                    .orElseGet(() -> ProbeResult.unknown("its web UI does not say what time it is"));
        });
    }

    private static long ms(String date) {
        return ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                .toInstant()
                .toEpochMilli();
    }

    /** What a page says. */
    <T> ProbeResult<T> ask(String page, Reading<T> reading) {
        return send(
                page,
                answer -> answer.statusCode() == BoundedHttpClient.OK
                        ? read(answer.body(), reading)
                        : refused(answer.statusCode()));
    }

    private <T> ProbeResult<T> send(String page, Function<HttpResponse<byte[]>, ProbeResult<T>> reading) {
        try {
            return reading.apply(BoundedHttpClient.get(address + page, limits.time(), limits.bytes()));
        } catch (BoundedHttpClient.TooLongException tooLong) {
            return ProbeResult.unknown("its web UI answers more than " + limits.bytes() + " bytes");
        } catch (TimeoutException tooLate) {
            return ProbeResult.unknown(NOT_IN_TIME + limits.time().toMillis() + " ms");
        } catch (IOException noAnswer) {
            return ProbeResult.unknown(NO_ANSWER + ": " + words(noAnswer));
        } catch (DateTimeParseException noDate) {
            return ProbeResult.unknown("its web UI answers what the doctor can't read");
        } catch (IllegalArgumentException noAddress) {
            return ProbeResult.unknown("it has no address that can be asked");
        }
    }

    private static <T> ProbeResult<T> read(byte[] body, Reading<T> reading) {
        try (JsonReader page =
                new JsonReader(new InputStreamReader(new ByteArrayInputStream(body), StandardCharsets.UTF_8))) {
            // The pages of HBase and HDFS have NaN where a number is none.
            page.setLenient(true);
            return reading.from(page);
        } catch (IOException | RuntimeException notWhatWeKnow) {
            return ProbeResult.unknown("its web UI answers what the doctor can't read");
        }
    }

    private static <T> ProbeResult<T> refused(int status) {
        if (status == UNAUTHORIZED) {
            return ProbeResult.unknown(
                    "its web UI answers 401: it asks for Kerberos, which the doctor does not offer to web UIs");
        }
        return ProbeResult.unknown("its web UI answers " + status
                + (status >= FIRST_REDIRECT && status <= LAST_REDIRECT
                        ? ": it sends the doctor elsewhere, where he does not go"
                        : ""));
    }

    /** Without the address, so that the same trouble of many processes is one. */
    private static String words(IOException failure) {
        if (failure instanceof ConnectException) {
            return "Connect";
        }
        return failure.getClass()
                .getSimpleName()
                .replaceAll("([a-z])([A-Z])", "$1 $2")
                .replace(" Exception", "");
    }

    /** Whether this is why nothing is known: that nobody answers, or not in time. */
    static boolean isNoAnswer(String why) {
        return why.startsWith(NO_ANSWER) || why.startsWith(NOT_IN_TIME);
    }
}
