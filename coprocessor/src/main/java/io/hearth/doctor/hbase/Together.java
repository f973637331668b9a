package io.hearth.doctor.hbase;

import io.hearth.healing.hbase.HealerUser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** Asks many processes at a time, as one user. Thread-safe. */
final class Together implements AutoCloseable {

    private static final int THREADS = 16;

    private final HealerUser user;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS, task -> {
        Thread thread = new Thread(task, "hearth-doctor");
        thread.setDaemon(true);
        return thread;
    });

    Together(HealerUser user) {
        this.user = user;
    }

    /** The answers, in the order of those who were asked. Each question has to end by itself. */
    <A, B> List<B> each(List<A> asked, Function<A, B> question) {
        List<CompletableFuture<B>> answers = asked.stream()
                .map(one -> CompletableFuture.supplyAsync(() -> asUser(() -> question.apply(one)), threads))
                .toList();
        return answers.stream().map(CompletableFuture::join).toList();
    }

    private <B> B asUser(java.security.PrivilegedExceptionAction<B> question) {
        try {
            return user.doAs(question);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
