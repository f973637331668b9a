// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.healer.config.HealingSettings;
import io.hearth.healer.core.HealerServices;
import io.hearth.healer.core.HealingLoop;
import io.hearth.healer.fakes.CountedMetrics;
import io.hearth.healer.fakes.FakeHdfs;
import io.hearth.healer.fakes.HealerStates;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.queue.PollHints;
import io.hearth.healer.spi.Assignments.AssignmentSnapshot;
import io.hearth.healer.spi.Observed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The runner's body on the test's own thread; its pauses pass at once. */
class HealingRunnerTest {

    private final CountedMetrics metrics = new CountedMetrics();
    private final List<Long> pausesMs = new ArrayList<>();
    private final AtomicInteger loopsMade = new AtomicInteger();
    private int turnsLeft = 5;
    private int ends;
    private @Nullable Throwable pollFailure;

    @Test
    void turnsUntilTheMasterNoLongerLeads() {
        runner(this::loop).run();

        assertThat(loopsMade).hasValue(1);
        assertThat(pausesMs).containsExactly(20L, 250L, 250L, 250L, 250L);
        assertThat(metrics.get(HealingCounter.LOOP_FAILURES)).isZero();
        assertThat(ends).isEqualTo(1);
    }

    /** Idle turns are 250 ms apart: without being woken a hundred take 25 s. */
    @Test
    void aWokenThreadTurnsAtOnce() throws Exception {
        CountDownLatch turns = new CountDownLatch(100);
        AtomicReference<HealingRunner> self = new AtomicReference<>();
        HealingRunner runner = new HealingRunner(
                "test",
                this::loop,
                () -> {
                    turns.countDown();
                    self.get().wake();
                    return true;
                },
                () -> 0,
                ms -> HealingRunner.park(ms, 1),
                () -> ends++,
                metrics);
        self.set(runner);
        runner.start();

        assertThat(turns.await(10, TimeUnit.SECONDS)).isTrue();
        runner.stop();
        assertThat(runner.awaitEnd(10_000)).isTrue();
    }

    /** It pauses until somebody wakes it. */
    @Test
    void aStopWakesAThreadThatPauses() throws Exception {
        CountDownLatch pausing = new CountDownLatch(1);
        HealingRunner runner = new HealingRunner(
                "test",
                this::loop,
                () -> true,
                () -> 0,
                ms -> {
                    pausing.countDown();
                    LockSupport.park();
                },
                () -> ends++,
                metrics);
        runner.start();
        pausing.await();

        runner.stop();
        assertThat(runner.awaitEnd(30_000)).isTrue();
    }

    @Test
    void aLoopThatFailsIsCountedAndMadeAnewAfterAWhile() {
        pollFailure = new IllegalStateException("changed by an upgrade");
        runner(this::loop).run();

        assertThat(metrics.get(HealingCounter.LOOP_FAILURES)).isEqualTo(5);
        assertThat(loopsMade).hasValue(5);
        assertThat(pausesMs).containsOnly(10_000L);
    }

    @Test
    void aLoopThatCanNotBeMadeIsCounted() {
        runner(() -> {
                    throw new IllegalStateException("no HDFS");
                })
                .run();

        assertThat(metrics.get(HealingCounter.LOOP_FAILURES)).isEqualTo(5);
    }

    /** It would be missing in the next loop too, and half a loop might move blocks that nobody verifies. */
    @Test
    void whereHBaseOrHadoopLacksSomethingHealingRests() {
        runner(() -> {
                    throw new NoClassDefFoundError("org/apache/hadoop/hdfs/DFSClient");
                })
                .run();

        assertThat(metrics.get(HealingCounter.LOOP_FAILURES)).isEqualTo(1);
        assertThat(pausesMs).isEmpty();
        assertThat(ends).isEqualTo(1);

        pollFailure = new NoSuchMethodError("changed by an upgrade");
        runner(this::loop).run();

        assertThat(loopsMade).hasValue(1);
        assertThat(metrics.get(HealingCounter.LOOP_FAILURES)).isEqualTo(2);
        assertThat(ends).isEqualTo(2);
    }

    /** As where {@code Sender.replaceBlock} takes other arguments: every move would fail, and be planned again for ever. */
    @Test
    void whatAThreadOfMovesMissesMakesHealingRestToo() {
        HealingRunner runner = runner(this::loop);
        runner.rest(new NoSuchMethodError("org.apache.hadoop.hdfs.protocol.datatransfer.Sender.replaceBlock"));
        runner.run();

        assertThat(loopsMade).hasValue(0);
        assertThat(metrics.get(HealingCounter.LOOP_FAILURES)).isEqualTo(1);
        assertThat(pausesMs).isEmpty();
        assertThat(ends).isEqualTo(1);
    }

    @Test
    void aMasterThatCanNotBeAskedEndsTheThread() {
        HealingRunner runner = new HealingRunner(
                "test",
                this::loop,
                () -> {
                    throw new IllegalStateException("stopped");
                },
                () -> 0,
                pausesMs::add,
                () -> ends++,
                metrics);
        runner.run();

        assertThat(pausesMs).isEmpty();
        assertThat(ends).isEqualTo(1);
    }

    @Test
    void aStopDoesNotWaitForATurnAndNoInterruptSpoilsTheEnd() throws Exception {
        CountDownLatch inTurn = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        AtomicBoolean wasInterrupted = new AtomicBoolean(true);
        AtomicReference<HealingRunner> self = new AtomicReference<>();
        HealingRunner runner = new HealingRunner(
                "test",
                () -> {
                    inTurn.countDown();
                    Uninterruptibly.await(answer);
                    throw new IllegalStateException("the NameNode has hung up");
                },
                () -> true,
                () -> 0,
                ms -> {},
                () -> {
                    self.get().interrupt();
                    wasInterrupted.set(Thread.currentThread().isInterrupted());
                },
                metrics);
        self.set(runner);
        runner.start();
        inTurn.await();

        runner.stop();
        runner.interrupt();
        assertThat(runner.awaitEnd(1)).as("it still waits for HDFS").isFalse();
        answer.countDown();
        assertThat(runner.awaitEnd(10_000)).isTrue();
        assertThat(wasInterrupted).isFalse();
    }

    private static final class Uninterruptibly {

        static void await(CountDownLatch latch) {
            boolean interrupted = false;
            while (latch.getCount() > 0) {
                try {
                    latch.await();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private HealingRunner runner(Callable<HealingLoop> newLoop) {
        return new HealingRunner("test", newLoop, () -> turnsLeft-- > 0, () -> 0, pausesMs::add, () -> ends++, metrics);
    }

    private HealingLoop loop() {
        loopsMade.incrementAndGet();
        FakeHdfs hdfs = new FakeHdfs();
        HealerServices services = hdfs.services(
                () -> {
                    if (pollFailure instanceof RuntimeException failure) {
                        throw failure;
                    }
                    if (pollFailure instanceof Error failure) {
                        throw failure;
                    }
                    return Observed.known(AssignmentSnapshot.EMPTY);
                },
                hdfs,
                regions -> {});
        return new HealingLoop(
                services,
                Runnable::run,
                new PollHints(() -> {}),
                () -> HealingSettings.read("test", new MapSettings(Map.of())).config(),
                metrics,
                HealerStates.alone());
    }
}
