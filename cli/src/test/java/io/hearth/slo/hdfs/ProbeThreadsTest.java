// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.slo.probe.ProbeSender.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ProbeThreadsTest {

    private static final Duration LONG = Duration.ofHours(1);

    private final ProbeThreads threads = new ProbeThreads("probe", 2);

    @AfterEach
    void close() {
        threads.close();
    }

    @Test
    void anAnswerAndAnErrorComeThrough() throws Exception {
        assertThat(threads.run(() -> Answer.RIGHT, LONG).get()).isEqualTo(Answer.RIGHT);
        assertThatThrownBy(() -> threads.run(
                                () -> {
                                    throw new IOException("reset");
                                },
                                LONG)
                        .get())
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("reset");
    }

    @Test
    void whileAllThreadsWaitNoProbeIsTakenAndThoseThatAreOverTheirLimitAreInterrupted() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        CompletableFuture<Answer> patient = threads.run(() -> await(never), LONG);
        // The time of some is over before their thread begins.
        for (int probe = 0; probe < 200; probe++) {
            CompletableFuture<Answer> hasty = threads.run(() -> await(never), Duration.ZERO);
            assertThatThrownBy(hasty::get).hasCauseInstanceOf(InterruptedException.class);
        }
        assertThat(threads.run(() -> Answer.RIGHT, LONG).get()).isEqualTo(Answer.RIGHT);

        CompletableFuture<Answer> second = threads.run(() -> await(never), LONG);
        assertThatThrownBy(() -> threads.run(() -> Answer.RIGHT, LONG)).isInstanceOf(RejectedExecutionException.class);

        never.countDown();
        assertThat(patient.get()).isEqualTo(Answer.RIGHT);
        assertThat(second.get()).isEqualTo(Answer.RIGHT);
    }

    private static Answer await(CountDownLatch latch) throws InterruptedException {
        latch.await();
        return Answer.RIGHT;
    }
}
