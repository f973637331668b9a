// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProcessConfig;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonReader;
import org.jspecify.annotations.Nullable;

/**
 * The web UI of one process of HBase or HDFS: its pages {@code /conf} and {@code /jmx}, which all of them have. What answers there may be anything, so a
 * whole answer has a limit of time, of bytes and of properties. It is asked without a ticket and without a password, and where it sends the
 * doctor elsewhere he does not go: nobody learns or gets anything by asking to be asked. Thread-safe.
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

    private static final Set<String> PROPERTY = Set.of("key", "value");
    private static final int OK = 200;
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
                answer -> answer.statusCode() == OK ? read(answer.body(), reading) : refused(answer.statusCode()));
    }

    private <T> ProbeResult<T> send(String page, Function<HttpResponse<byte[]>, ProbeResult<T>> reading) {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create(address + page))
                    .header("Accept", "application/json")
                    .build();
            return reading.apply(whole(Http.CLIENT.sendAsync(
                    request,
                    head -> new BoundedBodySubscriber(
                            head.statusCode() == OK ? limits.bytes() : BoundedBodySubscriber.NOT_WANTED))));
        } catch (BoundedBodySubscriber.TooLong tooLong) {
            return ProbeResult.unknown("its web UI answers more than " + limits.bytes() + " bytes");
        } catch (TimeoutException tooLate) {
            return ProbeResult.unknown(
                    "its web UI has not answered within " + limits.time().toMillis() + " ms");
        } catch (IOException noAnswer) {
            return ProbeResult.unknown("its web UI does not answer: " + words(noAnswer));
        } catch (DateTimeParseException noDate) {
            return ProbeResult.unknown("its web UI answers what the doctor can't read");
        } catch (IllegalArgumentException noAddress) {
            return ProbeResult.unknown("it has no address that can be asked");
        }
    }

    /** The whole answer within the time, or none at all: an answer that is not waited for any more is not read on. */
    private HttpResponse<byte[]> whole(CompletableFuture<HttpResponse<byte[]>> asked)
            throws IOException, TimeoutException {
        try {
            return asked.get(limits.time().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof IOException failure ? failure : new IOException(failed.getCause());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new TimeoutException();
        } finally {
            asked.cancel(true);
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

    /** Made when the first page is asked for, with few threads, which end when nobody asks. */
    private static final class Http {

        /** For the bytes of answers, and for the names of hosts; whoever asks waits on a thread of his own. */
        private static final int THREADS = 4;

        private static final int IDLE_S = 30;

        static final HttpClient CLIENT = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(Limits.DEFAULT.time())
                .executor(threads())
                .build();

        private static ThreadPoolExecutor threads() {
            ThreadPoolExecutor threads = new ThreadPoolExecutor(
                    THREADS, THREADS, IDLE_S, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                        Thread thread = new Thread(task, "hearth-doctor-http");
                        thread.setDaemon(true);
                        return thread;
                    });
            threads.allowCoreThreadTimeOut(true);
            return threads;
        }
    }

    /** The body of an answer up to a number of bytes; where more come the connection is closed, and there is no body. For one answer. */
    private static final class BoundedBodySubscriber implements BodySubscriber<byte[]> {

        /** The limit of a body that nobody reads: it is empty, and the connection is closed at once. */
        static final int NOT_WANTED = 0;

        /** More bytes came. */
        static final class TooLong extends IOException {
            private static final long serialVersionUID = 1;
        }

        private final int most;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final CompletableFuture<byte[]> body = new CompletableFuture<>();
        private Flow.@Nullable Subscription subscription;

        BoundedBodySubscriber(int most) {
            this.most = most;
        }

        @Override
        public CompletionStage<byte[]> getBody() {
            return body;
        }

        @Override
        public void onSubscribe(Flow.Subscription begun) {
            subscription = begun;
            if (most == NOT_WANTED) {
                body.complete(new byte[0]);
                begun.cancel();
            } else {
                begun.request(1);
            }
        }

        @Override
        public void onNext(List<ByteBuffer> more) {
            Flow.Subscription begun = Objects.requireNonNull(subscription);
            for (ByteBuffer buffer : more) {
                if (bytes.size() + buffer.remaining() > most) {
                    body.completeExceptionally(new TooLong());
                    begun.cancel();
                    return;
                }
                byte[] copy = new byte[buffer.remaining()];
                buffer.get(copy);
                bytes.write(copy, 0, copy.length);
            }
            begun.request(1);
        }

        @Override
        public void onError(Throwable failure) {
            body.completeExceptionally(failure);
        }

        @Override
        public void onComplete() {
            body.complete(bytes.toByteArray());
        }
    }
}
