// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.hbase;

import io.hearth.slo.probe.ProbeSender.Answer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * Sends requests to a region on the server where it is said to be, and to no other. Where that server does not serve the region, because
 * it is being moved, opened or split, the request is sent again until it does, the region is found to be elsewhere, or the time limit is
 * over. So is one at once that looked for the region while the connection was told to forget where regions are: that says nothing of the
 * server. Thread-safe.
 */
final class PinnedRequests {

    /** What HBase's client says of the region that it looks for when its cache of locations is cleared. */
    private static final String CACHE_CLEARED = "Cache cleared";

    private static final long FIRST_PAUSE_MS = 200;
    private static final long MAX_PAUSE_MS = 2_000;

    private final Duration limit;
    private final BiPredicate<String, RegionInfo> isThere;
    private final Runnable onWrongServer;

    /**
     * @param limit how long a request is tried
     * @param isThere whether the server has the region as far as is known now
     * @param onWrongServer is run where a region is not on the server on which it was looked for; it returns at once
     */
    PinnedRequests(Duration limit, BiPredicate<String, RegionInfo> isThere, Runnable onWrongServer) {
        this.limit = limit;
        this.isThere = isThere;
        this.onWrongServer = onWrongServer;
    }

    /**
     * Sends one.
     *
     * @param locator of the region's table
     * @param row a row of the region
     * @param request sends it to where the connection has the row; whether the answer is right
     */
    CompletableFuture<Answer> send(
            String server,
            RegionInfo region,
            AsyncTableRegionLocator locator,
            byte[] row,
            Supplier<CompletableFuture<Boolean>> request) {
        Attempts attempts = new Attempts(server, region, locator, row, request, System.nanoTime() + limit.toNanos());
        attempts.next();
        return attempts.answer;
    }

    /** One request, as often as it is sent. */
    private final class Attempts {

        private final String server;
        private final RegionInfo region;
        private final AsyncTableRegionLocator locator;
        private final byte[] row;
        private final Supplier<CompletableFuture<Boolean>> request;
        private final long endNanos;
        private final CompletableFuture<Answer> answer = new CompletableFuture<>();
        private long pauseMs = FIRST_PAUSE_MS;

        Attempts(
                String server,
                RegionInfo region,
                AsyncTableRegionLocator locator,
                byte[] row,
                Supplier<CompletableFuture<Boolean>> request,
                long endNanos) {
            this.server = server;
            this.region = region;
            this.locator = locator;
            this.row = row;
            this.request = request;
            this.endNanos = endNanos;
        }

        void next() {
            if (!isThere.test(server, region)) {
                answer.complete(Answer.NOT_ON_TARGET);
                return;
            }
            var unused = locator.getRegionLocation(row).whenComplete((location, failure) -> {
                if (failure != null) {
                    failed(failure);
                } else if (isElsewhere(location)) {
                    onWrongServer.run();
                    answer.complete(Answer.NOT_ON_TARGET);
                } else {
                    ask();
                }
            });
        }

        private boolean isElsewhere(HRegionLocation location) {
            return location.getServerName() != null
                    && !RegionsByServer.target(location.getServerName()).equals(server);
        }

        private void ask() {
            var unused = request.get().whenComplete((right, failure) -> {
                if (failure == null) {
                    answer.complete(right ? Answer.RIGHT : Answer.WRONG);
                } else {
                    failed(failure);
                }
            });
        }

        private void failed(Throwable failure) {
            if (isBy(failure, cause -> CACHE_CLEARED.equals(cause.getMessage()))) {
                next();
                return;
            }
            if (!isBy(failure, NotServingRegionException.class::isInstance)) {
                answer.completeExceptionally(failure);
                return;
            }
            onWrongServer.run();
            if (System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMs) - endNanos > 0) {
                answer.completeExceptionally(failure);
                return;
            }
            Executor later = CompletableFuture.delayedExecutor(pauseMs, TimeUnit.MILLISECONDS);
            pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
            later.execute(this::next);
        }
    }

    private static boolean isBy(Throwable failure, Predicate<Throwable> is) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (is.test(cause)) {
                return true;
            }
        }
        return false;
    }
}
