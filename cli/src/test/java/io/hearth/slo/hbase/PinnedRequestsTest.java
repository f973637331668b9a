// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.hearth.slo.probe.ProbeSender.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.junit.jupiter.api.Test;

class PinnedRequestsTest {

    private static final RegionInfo REGION =
            RegionInfoBuilder.newBuilder(TableName.valueOf("hearth_canary")).build();
    private static final byte[] ROW = {0};

    private final AsyncTableRegionLocator locator = mock(AsyncTableRegionLocator.class);
    private final AtomicInteger wrongServers = new AtomicInteger();
    private final AtomicInteger sent = new AtomicInteger();

    private static CompletableFuture<HRegionLocation> at(String host) {
        return CompletableFuture.completedFuture(new HRegionLocation(REGION, ServerName.valueOf(host, 16020, 1)));
    }

    private static <T> CompletableFuture<T> cacheCleared() {
        return CompletableFuture.failedFuture(new CompletionException(new IOException("Cache cleared")));
    }

    private CompletableFuture<Answer> send(Supplier<CompletableFuture<Boolean>> request) {
        return new PinnedRequests(Duration.ofMinutes(1), (server, region) -> true, wrongServers::incrementAndGet)
                .send("host1:16020", REGION, locator, ROW, () -> {
                    sent.incrementAndGet();
                    return request.get();
                });
    }

    /** The watch itself has the connection forget locations once a region was not where it was looked for. */
    @Test
    void aRequestThatFailedSinceTheCacheWasClearedIsSentAgain() {
        when(locator.getRegionLocation(any(byte[].class)))
                .thenReturn(cacheCleared())
                .thenReturn(at("host1"));

        assertThat(send(() -> sent.get() == 1 ? cacheCleared() : CompletableFuture.completedFuture(true)))
                .isCompletedWithValue(Answer.RIGHT);
        assertThat(sent).hasValue(2);
        assertThat(wrongServers).hasValue(0);
    }

    @Test
    void aRegionThatIsElsewhereIsNotAskedFor() {
        when(locator.getRegionLocation(any(byte[].class))).thenReturn(at("host2"));

        assertThat(send(() -> CompletableFuture.completedFuture(true))).isCompletedWithValue(Answer.NOT_ON_TARGET);
        assertThat(sent).hasValue(0);
        assertThat(wrongServers).hasValue(1);
    }

    @Test
    void anyOtherFailureIsTheServers() {
        when(locator.getRegionLocation(any(byte[].class))).thenReturn(at("host1"));

        assertThat(send(() -> CompletableFuture.failedFuture(new IOException("Connection refused"))))
                .isCompletedExceptionally();
        assertThat(sent).hasValue(1);
        assertThat(wrongServers).hasValue(0);
    }
}
