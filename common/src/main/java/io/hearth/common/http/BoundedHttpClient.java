// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A client for JSON pages of the web UIs of HBase and HDFS. What answers there may be anything, so a whole answer has a limit of time and
 * of bytes. They are asked without a ticket and without a password, and redirects are not followed. Thread-safe.
 */
public final class BoundedHttpClient {

    public static final int OK = 200;

    private BoundedHttpClient() {}

    /** More bytes came than are taken. */
    public static final class TooLongException extends IOException {
        private static final long serialVersionUID = 1;
    }

    /**
     * The whole answer within the time, or none at all: an answer that is not waited for any more is not read on. One that is not {@link
     * #OK} has no body.
     *
     * @param time for the whole answer
     * @param bytes of its body at most
     * @throws TooLongException if more bytes come
     * @throws TimeoutException if it has not ended in time, or this thread was interrupted
     * @throws IllegalArgumentException if the address can't be one
     */
    public static HttpResponse<byte[]> get(String url, Duration time, int bytes) throws IOException, TimeoutException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .header("Accept", "application/json")
                .build();
        CompletableFuture<HttpResponse<byte[]>> asked = Http.client()
                .sendAsync(
                        request,
                        head -> new BoundedBodySubscriber(
                                head.statusCode() == OK ? bytes : BoundedBodySubscriber.NOT_WANTED));
        try {
            return asked.get(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof IOException failure ? failure : new IOException(failed.getCause());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new TimeoutException();
        } finally {
            asked.cancel(true);
        }
    }

    /** Made when the first page is asked for, with few threads, which end when nobody asks. */
    private static final class Http {

        /** For the bytes of answers, and for the names of hosts; whoever asks waits on a thread of his own. */
        private static final int THREADS = 2;

        private static final int IDLE_S = 30;

        private static final int CONNECT_S = 5;

        private static @Nullable HttpClient client;

        /** Where it can't be made, as without a free file descriptor, the next one who asks tries again. */
        static synchronized HttpClient client() {
            if (client == null) {
                client = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .connectTimeout(Duration.ofSeconds(CONNECT_S))
                        .executor(threads())
                        .build();
            }
            return client;
        }

        private static ThreadPoolExecutor threads() {
            ThreadPoolExecutor threads = new ThreadPoolExecutor(
                    THREADS, THREADS, IDLE_S, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                        Thread thread = new Thread(task, "hearth-http");
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
                    body.completeExceptionally(new TooLongException());
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
