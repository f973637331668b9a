// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.doctor.hbase.ClusterProbe.DoctorLimits;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** One process that never answers, or answers nonsense, is one unknown: it holds neither the others nor the round. */
class ParallelProberTest {

    private static final DoctorLimits SHORT = new DoctorLimits(2, Duration.ofMillis(500), Duration.ZERO);
    private static final DoctorLimits LONG = new DoctorLimits(2, Duration.ofMinutes(5), Duration.ZERO);
    private static final DoctorLimits ONE_AT_A_TIME = new DoctorLimits(1, Duration.ofMinutes(5), Duration.ZERO);

    /** As a read that does not hear of interrupts. */
    private static String never() {
        CountDownLatch never = new CountDownLatch(1);
        while (true) {
            try {
                never.await();
            } catch (InterruptedException goesOn) {
                Thread.currentThread().isInterrupted();
            }
        }
    }

    @Test
    void whoNeverAnswersHoldsNobodyElse() {
        try (ParallelProber prober = new ParallelProber(SHORT)) {
            assertThat(prober.each(
                            List.of("a", "slow", "b", "c"),
                            name -> name.equals("slow") ? never() : name + "!",
                            (name, why) -> name + ": " + why))
                    .containsExactly("a!", "slow: the doctor's 0.5 s were over before it had answered", "b!", "c!");
        }
    }

    /** Broken (the answer is no longer waited for, and nobody is interrupted): it reads on. */
    @Test
    void aReadThatIsStuckIsInterruptedAtItsDeadlineAndItsThreadEndsWithTheRound() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        Thread reader;
        try (ParallelProber prober = new ParallelProber(ONE_AT_A_TIME)) {
            reader = prober.within("it", Duration.ofMinutes(1), Thread::currentThread);
            assertThatThrownBy(() -> prober.within("the NameNode", Duration.ofMillis(300), () -> stuck(interrupted)))
                    .hasMessage("the NameNode has not answered within 0.3 s");
            assertThat(interrupted.await(1, TimeUnit.MINUTES))
                    .as("interrupted while the round goes on")
                    .isTrue();
        }
        reader.join(60_000);
        assertThat(reader.isAlive()).isFalse();
    }

    /** As a read of what never comes. */
    private static String stuck(CountDownLatch interrupted) throws InterruptedException {
        try {
            new CountDownLatch(1).await();
            return "an answer";
        } catch (InterruptedException ended) {
            interrupted.countDown();
            throw ended;
        }
    }

    @Test
    void whereAllThreadsAreHeldTheRoundEndsAllTheSame() {
        try (ParallelProber prober = new ParallelProber(SHORT)) {
            assertThat(prober.each(List.of(1, 2, 3), number -> never(), (number, why) -> "none"))
                    .containsExactly("none", "none", "none");
        }
    }

    @Test
    void aFailureIsThatOfOne() {
        try (ParallelProber prober = new ParallelProber(LONG)) {
            assertThat(prober.each(
                            List.of("a", "b"),
                            name -> {
                                if (name.equals("a")) {
                                    throw new ClassCastException("no array");
                                }
                                return name;
                            },
                            (name, why) -> name + ": " + why))
                    .containsExactly("a: the doctor could not ask it: java.lang.ClassCastException: no array", "b");
        }
    }

    /** Two are asked at a time, each of which waits a while for a third. Broken (a thread for each): eight. */
    @Test
    void noMoreAreAskedAtATimeThanMay() {
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch third = new CountDownLatch(3);
        try (ParallelProber prober = new ParallelProber(LONG)) {
            assertThat(prober.each(
                            List.of(1, 2, 3, 4, 5, 6, 7, 8),
                            number -> {
                                most.accumulateAndGet(now.incrementAndGet(), Math::max);
                                if (number <= 3) {
                                    third.countDown();
                                    waitAWhileFor(third);
                                }
                                now.decrementAndGet();
                                return number;
                            },
                            (number, why) -> 0))
                    .containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
        }
        assertThat(most.get()).isEqualTo(2);
    }

    private static void waitAWhileFor(CountDownLatch latch) {
        try {
            boolean unused = latch.await(300, TimeUnit.MILLISECONDS);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    @Test
    void inTheMasterTwoAreAskedAtATimeOnThreadsThatHoldNoProcessUp() throws Exception {
        assertThat(DoctorLimits.IN_MASTER.maxConcurrent()).isEqualTo(2);
        assertThat(DoctorLimits.IN_MASTER.time()).isEqualTo(Duration.ofMinutes(5));
        try (ParallelProber prober = new ParallelProber(DoctorLimits.IN_MASTER)) {
            assertThat(prober.within("it", Duration.ofMinutes(1), () -> Thread.currentThread()
                            .isDaemon()))
                    .isTrue();
        }
    }

    /** Broken (as long as the whole round): five minutes. */
    @Test
    void allAnswersOfAQuestionHaveALimitTogether() {
        try (ParallelProber prober = new ParallelProber(LONG)) {
            assertThat(prober.each(
                            List.of("a", "b"),
                            Duration.ofMillis(100),
                            name -> never(),
                            (name, why) -> name + ": " + why))
                    .containsExactly("a: it has not answered within 0.1 s", "b: it has not answered within 0.1 s");
        }
    }

    @Test
    void oneAnswerHasItsOwnLimit() {
        try (ParallelProber prober = new ParallelProber(LONG)) {
            assertThatThrownBy(() -> prober.within("the NameNode", Duration.ofMillis(100), ParallelProberTest::never))
                    .isInstanceOf(IOException.class)
                    .hasMessage("the NameNode has not answered within 0.1 s");
            assertThatThrownBy(() -> prober.within("the NameNode", Duration.ofSeconds(60), () -> {
                        throw new IOException("in safe mode");
                    }))
                    .hasMessage("in safe mode");
        }
    }
}
