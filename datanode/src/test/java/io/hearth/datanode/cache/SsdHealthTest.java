// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.datanode.cache.SsdHealth.Trouble;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SsdHealthTest {

    private final SsdHealth health = new SsdHealth();

    @Test
    void tenErrorsInTenMinutesSwitchItOffForAnHour() {
        for (int error = 0; error < 9; error++) {
            assertThat(health.failed(error * 1_000L)).isFalse();
        }
        assertThat(health.isUsable(9_000)).isTrue();
        assertThat(health.failed(600_000)).isTrue();
        assertThat(health.isUsable(600_000)).isFalse();
        assertThat(health.isWritable(600_000)).isFalse();
        assertThat(health.isUsable(600_000 + 3_599_999)).isFalse();
        assertThat(health.isUsable(600_000 + 3_600_000)).isTrue();
        assertThat(health.trips()).isEqualTo(1);
    }

    @Test
    void errorsThatAreFarApartDoNot() {
        for (int error = 0; error < 100; error++) {
            assertThat(health.failed(error * 66_668L)).isFalse();
        }
        assertThat(health.failed(99 * 66_668L + 1)).isTrue();
    }

    @Test
    void errorsWhileItIsOffAndBeforeDoNotCountAfterwards() {
        for (int error = 0; error < 10; error++) {
            health.failed(0);
        }
        for (int error = 0; error < 5; error++) {
            assertThat(health.failed(3_599_000)).isFalse();
        }
        long onMs = SsdHealth.PAUSE_MS;
        for (int error = 0; error < 4; error++) {
            assertThat(health.failed(onMs)).isFalse();
        }
        assertThat(health.isUsable(onMs)).isTrue();
        for (int error = 0; error < 5; error++) {
            assertThat(health.failed(onMs)).isFalse();
        }
        assertThat(health.failed(onMs)).isTrue();
    }

    @Test
    void anOperationThatHangsSwitchesItOff() {
        health.begin(100);
        assertThat(health.tripIfHung(10_100)).isFalse();
        assertThat(health.tripIfHung(10_101)).isTrue();
        assertThat(health.tripIfHung(10_102)).isFalse();
        assertThat(health.isUsable(10_102)).isFalse();
        assertThat(health.end(20_000)).isTrue();
        assertThat(health.tripIfHung(8_000_000)).isFalse();
    }

    /** Each hour would cost a DataNode some more of its threads. */
    @Test
    void itStaysOffAsLongAsAnOperationHangs() {
        health.begin(0);
        assertThat(health.tripIfHung(20_000)).isTrue();
        long laterMs = 20_000 + SsdHealth.PAUSE_MS;
        assertThat(health.tripIfHung(laterMs - 1)).isFalse();
        assertThat(health.isUsable(laterMs)).isFalse();
        health.end(laterMs);
        assertThat(health.tripIfHung(laterMs)).isFalse();
        assertThat(health.isUsable(laterMs - 2 + SsdHealth.PAUSE_MS)).isFalse();
        assertThat(health.isUsable(laterMs - 1 + SsdHealth.PAUSE_MS)).isTrue();
        assertThat(health.trips()).isEqualTo(1);
    }

    /** A DataNode has some thousands of threads, and a busy one would lose them before the hang is noticed. */
    @Test
    void anSsdThatHangsGetsOnlySoManyThreads() throws InterruptedException {
        for (int thread = 1; thread < 256; thread++) {
            Thread client = new Thread(() -> health.begin(0));
            client.start();
            client.join();
        }
        assertThat(health.isUsable(1)).isTrue();
        health.begin(0);
        assertThat(health.isUsable(1)).isFalse();
        assertThat(health.isWritable(1)).isFalse();
        health.end(1);
        assertThat(health.isUsable(1)).isTrue();
        health.begin(1);
        assertThat(health.tripIfHung(10_001)).isTrue();
        assertThat(health.trips()).isEqualTo(1);
    }

    @Test
    void anOperationIsSlowAboveFiveSeconds() {
        health.begin(100);
        assertThat(health.end(5_100)).isFalse();
        health.begin(100);
        assertThat(health.end(5_101)).isTrue();
        assertThat(health.end(99_999)).isFalse();
    }

    /** A garbage collection of some seconds, with the tick before or after the end of the operation. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPauseOfTheProcessIsNoTimeOfTheSsd(boolean isTickFirst) {
        health.tick(0);
        health.begin(100);
        if (isTickFirst) {
            health.tick(30_000);
            assertThat(health.tripIfHung(30_000)).isFalse();
        }
        assertThat(health.end(30_000)).isFalse();
        health.tick(30_100);

        health.begin(30_100);
        health.tick(30_600);
        assertThat(health.end(35_101)).as("the tick is late").isFalse();
        health.begin(35_101);
        for (long ms = 35_101; ms < 45_200; ms += 500) {
            health.tick(ms);
            assertThat(health.tripIfHung(ms)).isFalse();
        }
        health.tick(45_201);
        assertThat(health.tripIfHung(45_201))
                .as("it hangs, and no tick is late")
                .isTrue();
        assertThat(health.end(45_201)).isTrue();
    }

    @Test
    void aPauseTakesAHangNoMoreThanItsOwnTime() {
        health.tick(0);
        health.begin(0);
        health.tick(8_500);
        assertThat(health.tripIfHung(8_500)).isFalse();
        for (long ms = 9_000; ms <= 18_000; ms += 500) {
            health.tick(ms);
            assertThat(health.tripIfHung(ms)).isFalse();
        }
        health.tick(18_501);
        assertThat(health.tripIfHung(18_501)).isTrue();
    }

    @Test
    void aTickMayBeLateByTwoSeconds() {
        health.tick(0);
        health.begin(0);
        health.tick(2_500);
        health.tick(5_000);
        assertThat(health.end(5_001)).isTrue();
        health.tick(5_001);
        health.begin(5_001);
        health.tick(7_502);
        assertThat(health.end(10_002)).isFalse();
    }

    @Test
    void aFullSsdIsReadButNotWrittenForAMinute() {
        health.full(1_000);
        assertThat(health.isUsable(1_000)).isTrue();
        assertThat(health.isWritable(60_999)).isFalse();
        assertThat(health.isWritable(61_000)).isTrue();
    }

    @Test
    void aClockMayBeginBelowZero() {
        assertThat(health.isWritable(Long.MIN_VALUE + 5)).isTrue();
    }

    @Test
    void anInterruptIsNoErrorOfTheSsd() {
        assertThat(SsdHealth.classify(new ClosedByInterruptException())).isEqualTo(Trouble.INTERRUPTED);
        assertThat(SsdHealth.classify(new InterruptedIOException())).isEqualTo(Trouble.INTERRUPTED);
        Thread.currentThread().interrupt();
        assertThat(SsdHealth.classify(new IOException("Input/output error"))).isEqualTo(Trouble.INTERRUPTED);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void errorsAreToldApart() {
        assertThat(SsdHealth.classify(new IOException("No space left on device")))
                .isEqualTo(Trouble.FULL);
        assertThat(SsdHealth.classify(new IOException("Disk quota exceeded"))).isEqualTo(Trouble.FULL);
        assertThat(SsdHealth.classify(new FileSystemException("/ssd/x", null, "Too many open files in system")))
                .isEqualTo(Trouble.PROCESS);
        assertThat(SsdHealth.classify(new IOException("Cannot allocate memory")))
                .isEqualTo(Trouble.PROCESS);
        assertThat(SsdHealth.classify(new IOException("Input/output error"))).isEqualTo(Trouble.ERROR);
        assertThat(SsdHealth.classify(new NoSuchFileException("/ssd/x"))).isEqualTo(Trouble.ERROR);
        assertThat(SsdHealth.classify(new IOException())).isEqualTo(Trouble.ERROR);
    }
}
