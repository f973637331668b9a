// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OutstandingRequestsTest {

    private final OutstandingRequests requests = new OutstandingRequests();
    private final AtomicInteger timed = new AtomicInteger();

    private CompletableFuture<Void> sent() {
        CompletableFuture<Void> request = new CompletableFuture<>();
        requests.awaitPermit();
        requests.track(request, timed::incrementAndGet);
        return request;
    }

    @Test
    void answersAndErrorsAreCountedAndTheFirstErrorIsKept() {
        sent().complete(null);
        sent().completeExceptionally(new IOException("the first"));
        sent().completeExceptionally(new IOException("the second"));
        var unused = sent();

        assertThat(requests.answered()).isOne();
        assertThat(timed).hasValue(1);
        assertThat(requests.errors()).isEqualTo(2);
        assertThat(requests.firstError().orElseThrow()).hasMessage("the first");
        assertThat(requests.unanswered()).isOne();
        assertThat(LoadCommand.errors(requests))
                .isEqualTo("2 requests failed, the first: java.io.IOException: the first");
    }

    @Test
    void whatIsNeverAnsweredIsAnError() throws InterruptedException {
        var unused = List.of(sent(), sent());

        requests.drain(0);

        assertThat(requests.errors()).isEqualTo(2);
        assertThat(requests.firstError().orElseThrow()).hasMessage("2 requests were never answered.");
    }

    @Test
    void aLoopSendsAtItsRateAndSaysWhenEachWasDue() throws InterruptedException {
        List<Long> due = new ArrayList<>();
        CompletableFuture<Void> hundred = new CompletableFuture<>();
        OpenLoop loop = OpenLoop.start("test", 10_000, nanos -> {
            due.add(nanos);
            if (due.size() == 100) {
                hundred.complete(null);
            }
        });
        hundred.join();
        loop.stop();

        for (int i = 1; i < 100; i++) {
            assertThat(due.get(i) - due.get(i - 1)).isEqualTo(100_000);
        }
    }
}
