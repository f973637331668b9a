// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.heal;

import io.hearth.ui.hbase.ApiResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Why an SLO watch has healing rest, as the HMaster says, which is asked every ten seconds at most, on another thread: whoever heals
 * does not wait for an HMaster that is away. What it has said holds for a minute without another answer, no longer than a watch's lease.
 * Used by one thread.
 */
final class BrakeOfMaster implements Supplier<Optional<String>> {

    private static final long EVERY_MS = 10_000;
    private static final long HOLDS_MS = 60_000;

    private static final Logger LOG = LoggerFactory.getLogger(BrakeOfMaster.class);

    private final Master master;
    private final LongSupplier clockMs;
    private final Executor thread;
    private @Nullable CompletableFuture<Optional<String>> answer;
    private volatile boolean isRefusalTold;
    private Optional<String> why = Optional.empty();
    private long askedMs;
    private long saidMs;

    /** The HMaster, whose answer is that to a lease of 0 seconds; empty where it has no Hearth. */
    @FunctionalInterface
    interface Master {
        Optional<ApiResponse> ask() throws IOException;
    }

    /**
     * @param thread asks
     * @param clockMs a clock that does not go back
     */
    BrakeOfMaster(Master master, Executor thread, LongSupplier clockMs) {
        this.master = master;
        this.thread = thread;
        this.clockMs = clockMs;
        askedMs = clockMs.getAsLong() - EVERY_MS;
        saidMs = askedMs;
    }

    /** As the end of a sentence; empty where nobody brakes. */
    @Override
    public Optional<String> get() {
        long nowMs = clockMs.getAsLong();
        if (answer == null && nowMs - askedMs >= EVERY_MS) {
            askedMs = nowMs;
            answer = CompletableFuture.supplyAsync(this::ask, thread);
        }
        if (answer != null && answer.isDone()) {
            // What it said before holds for a while where it can't be asked.
            if (!answer.isCompletedExceptionally()) {
                why = answer.join();
                saidMs = askedMs;
            }
            answer = null;
        }
        return nowMs - saidMs < HOLDS_MS ? why : Optional.empty();
    }

    private Optional<String> ask() {
        try {
            return master.ask().filter(said -> said.status() == ApiResponse.OK).flatMap(BrakeOfMaster::why);
        } catch (AccessDeniedException refused) {
            if (!isRefusalTold) {
                isRefusalTold = true;
                LOG.warn(
                        "Healing does not rest for an SLO watch: to ask the HMaster who brakes takes HBase's ADMIN"
                                + " permission. {}",
                        String.valueOf(refused.getMessage()).lines().findFirst().orElse(""));
            }
            throw new UncheckedIOException(refused);
        } catch (IOException silent) {
            throw new UncheckedIOException(silent);
        }
    }

    private static Optional<String> why(ApiResponse answer) {
        JsonObject json = JsonParser.parseString(answer.body()).getAsJsonObject();
        return json.has("why") ? Optional.of(json.get("why").getAsString()) : Optional.empty();
    }
}
