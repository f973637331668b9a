// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.bench.opentsdb.stream.MetricStream;
import io.hearth.bench.opentsdb.stream.MetricStream.DataPoint;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

class PutLoadTest {

    private final MetricStream stream = new MetricStream(System.currentTimeMillis(), 1_000, 8, List.of(1.0));
    private final Queue<DataPoint> stored = new ConcurrentLinkedQueue<>();
    private final Set<DataPoint> refusedOnce = ConcurrentHashMap.newKeySet();

    private CompletableFuture<Void> store(List<DataPoint> points) {
        stored.addAll(points);
        return CompletableFuture.completedFuture(null);
    }

    /** Refuses each request the first time. */
    private CompletableFuture<Void> refuseOnce(List<DataPoint> points) {
        return refusedOnce.addAll(points)
                ? CompletableFuture.failedFuture(new IOException("Please throttle"))
                : store(points);
    }

    @Test
    void allThatIsDueIsSentAndRememberedOnceItIsStored() throws Exception {
        try (PutLoad load = PutLoad.start(this::store, stream)) {
            await().atMost(Duration.ofSeconds(30)).until(() -> load.sent() >= 300);
            load.stop();

            assertThat(load.acknowledged().count()).isEqualTo(load.sent());
            assertThat(stored)
                    .containsExactlyElementsOf(
                            load.acknowledged().all().mapToObj(stream::point).toList());
            assertThat(load.refusals().summary()).isEqualTo("0");
            assertThat(load.unacknowledged()).isZero();
        }
    }

    @Test
    void whatIsRefusedIsCountedAndSentAgain() throws Exception {
        try (PutLoad load = PutLoad.start(this::refuseOnce, stream)) {
            await().atMost(Duration.ofSeconds(30)).until(() -> load.sent() >= 300);
            load.stop();

            assertThat(load.acknowledged().count()).isEqualTo(load.sent());
            assertThat(stored)
                    .containsExactlyInAnyOrderElementsOf(
                            load.acknowledged().all().mapToObj(stream::point).toList());
            assertThat(load.refusals().count()).isPositive();
            assertThat(load.refusals().summary()).endsWith(", the first: java.io.IOException: Please throttle");
        }
    }
}
