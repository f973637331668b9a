// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** The body of an answer up to a number of bytes; where more come the connection is closed, and there is no body. For one answer. */
final class BoundedBodySubscriber implements BodySubscriber<byte[]> {

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
