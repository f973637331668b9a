// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.balancer.engine.CpuBudget;
import io.hearth.balancer.engine.MasterWork;
import io.hearth.balancer.hbase.MasterMeter.ThreadTime;
import io.hearth.balancer.hbase.MasterMeter.ThreadTimes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class MasterMeterTest {

    private static final long SECOND = 1_000_000_000L;

    /** The one of this process shows itself when it is made: from then on the tests' own are shown. */
    @BeforeAll
    static void makeTheSharedOne() {
        assertThat(MasterMeter.shared()).isNotNull();
    }

    private final FakeThreads threads = new FakeThreads();
    private final List<String> lines = new ArrayList<>();
    private final MasterMeterMetrics metrics = MasterMeterMetrics.register();
    private long nanos = 77 * SECOND;
    private final MasterMeter meter = new MasterMeter(threads, () -> nanos, lines::add, metrics);

    /** Threads whose processor time a test sets. */
    private static final class FakeThreads implements ThreadTimes {

        private final List<ThreadTime> live = new ArrayList<>();
        private long ofCaller;
        private boolean isHearths;

        @Override
        public long ofThisThread() {
            return ofCaller;
        }

        @Override
        public List<ThreadTime> ofHearth() {
            return List.copyOf(live);
        }

        @Override
        public boolean isHearths() {
            return isHearths;
        }

        void set(long id, String name, long nanos) {
            live.removeIf(thread -> thread.id() == id);
            live.add(new ThreadTime(id, name, nanos));
        }
    }

    private void takes(long cpuNanos, long clockNanos) {
        threads.ofCaller += cpuNanos;
        nanos += clockNanos;
    }

    @Test
    void theTimeOfHearthsThreadsIsCountedByTheirWork() {
        threads.set(1, "hearth-page", 3 * SECOND);
        threads.set(2, "hearth-healer-a", 5 * SECOND);
        assertThat(meter.nanosByWork())
                .containsEntry(MasterWork.PAGE, 3 * SECOND)
                .containsEntry(MasterWork.HEALING, 5 * SECOND)
                .hasSize(2);

        threads.set(1, "hearth-page", 4 * SECOND);
        threads.set(3, "hearth-healer-a-move-1", SECOND);
        assertThat(meter.nanosByWork())
                .containsEntry(MasterWork.PAGE, 4 * SECOND)
                .containsEntry(MasterWork.HEALING, 6 * SECOND);
    }

    @Test
    void whatAThreadUsedStaysCountedWhenItHasEnded() {
        threads.set(1, "hearth-page-doctor", 3 * SECOND);
        assertThat(meter.nanosByWork()).containsEntry(MasterWork.DOCTOR, 3 * SECOND);
        // It ends while it is looked at, then another one begins.
        threads.set(1, "hearth-page-doctor", -1);
        assertThat(meter.nanosByWork()).containsEntry(MasterWork.DOCTOR, 3 * SECOND);
        threads.live.clear();
        threads.set(2, "hearth-page-doctor", 2 * SECOND);
        assertThat(meter.nanosByWork()).containsEntry(MasterWork.DOCTOR, 5 * SECOND);
    }

    @Test
    void onAThreadOfHBasesTheOutermostCallCounts() {
        meter.onHBasesThread(MasterWork.REQUESTS, () -> {
            takes(2 * SECOND, 0);
            meter.underLock(MasterWork.PLANS, () -> takes(3 * SECOND, 0));
            return "answer";
        });

        assertThat(meter.nanosByWork())
                .containsEntry(MasterWork.REQUESTS, 5 * SECOND)
                .hasSize(1);
    }

    /** A dry run that somebody asked for, and a placement. Broken (all of it is Hearth's): 15 s of requests. */
    @Test
    void whatHBaseDoesOfItsOwnInACallIsNotCounted() {
        meter.onHBasesThread(MasterWork.REQUESTS, () -> {
            takes(SECOND, 0);
            meter.notOurs(() -> {
                takes(4 * SECOND, 0);
                meter.underLock(MasterWork.PLANS, () -> {
                    takes(2 * SECOND, 0);
                    return meter.notOurs(() -> {
                        takes(7 * SECOND, 0);
                        return "";
                    });
                });
                return "";
            });
            takes(SECOND, 0);
            return "";
        });
        assertThat(meter.nanosByWork())
                .containsEntry(MasterWork.REQUESTS, 2 * SECOND)
                .containsEntry(MasterWork.PLANS, 2 * SECOND)
                .hasSize(2);

        meter.notOurs(() -> {
            takes(SECOND, 0);
            return "";
        });
        meter.underLock(MasterWork.PLANS, () -> takes(SECOND, 0));
        assertThat(meter.nanosByWork()).containsEntry(MasterWork.PLANS, 3 * SECOND);
    }

    /** Broken (what was HBase's is forgotten): 3 s. */
    @Test
    void whatHBaseDoesOfItsOwnIsNotCountedWhereItFailsEither() {
        assertThatThrownBy(() -> meter.onHBasesThread(MasterWork.PLACEMENT, () -> {
                    takes(SECOND, 0);
                    return meter.notOurs(() -> {
                        takes(2 * SECOND, 0);
                        throw new IOException("no server");
                    });
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("no server");

        assertThat(meter.nanosByWork()).containsEntry(MasterWork.PLACEMENT, SECOND);
    }

    @Test
    void onAThreadOfHearthsACallIsNotCountedTwice() {
        threads.isHearths = true;
        meter.underLock(MasterWork.REPORTS, () -> takes(2 * SECOND, SECOND));

        assertThat(meter.nanosByWork()).isEmpty();
        assertThat(metrics.last().longestLockMs()).isEqualTo(1_000);
    }

    @Test
    void aCallThatFailsIsCountedAndItsFailurePasses() {
        assertThatThrownBy(() -> meter.onHBasesThread(MasterWork.PLACEMENT, () -> {
                    takes(SECOND, 0);
                    throw new IOException("no place");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("no place");
        String unused = meter.onHBasesThread(MasterWork.PLANS, () -> {
            takes(SECOND, 0);
            return "";
        });

        assertThat(meter.nanosByWork())
                .containsEntry(MasterWork.PLACEMENT, SECOND)
                .containsEntry(MasterWork.PLANS, SECOND);
    }

    @Test
    void thePartsOfACallUnderTheLockAreOneStretch() {
        meter.lockedCallBegins();
        meter.underLock(MasterWork.PLANS, () -> takes(0, SECOND));
        nanos += 20 * SECOND; // HBase's own search
        meter.underLock(MasterWork.PLANS, () -> takes(0, SECOND));
        assertThat(longestLockMs()).isEqualTo(2_000);

        meter.lockedCallBegins();
        meter.underLock(MasterWork.REPORTS, () -> takes(0, SECOND));
        assertThat(longestLockMs()).isEqualTo(2_000);
    }

    /** A client asks for a balance, and then for a move: the second call of its handler keeps no lock. Broken (it counts): 5 s. */
    @Test
    void aCallWithoutTheLockIsNoStretchOfIt() {
        stretchUnderLock(2);

        String unused = meter.withoutLock(MasterWork.PLACEMENT, () -> {
            takes(SECOND, SECOND);
            return meter.notOurs(() -> meter.underLockIfHeld(MasterWork.LOCALITY, () -> {
                takes(SECOND, 3 * SECOND);
                return "";
            }));
        });

        assertThat(longestLockMs()).isEqualTo(2_000);
        assertThat(meter.nanosByWork())
                .containsEntry(MasterWork.PLACEMENT, SECOND)
                .containsEntry(MasterWork.LOCALITY, SECOND);
        unused = meter.underLockIfHeld(MasterWork.LOCALITY, () -> {
            takes(0, 3 * SECOND);
            return "";
        });
        assertThat(longestLockMs()).as("the search of that balance goes on").isEqualTo(5_000);
    }

    @Test
    void aLongStretchIsForgottenAfterTenMinutesAndTheLongestSinceIsShown() {
        stretchUnderLock(3);
        nanos += 400 * SECOND;
        stretchUnderLock(1);
        stretchUnderLock(2);
        assertThat(longestLockMs()).isEqualTo(3_000);

        nanos += 200 * SECOND;
        assertThat(longestLockMs()).isEqualTo(2_000);
        nanos += CpuBudget.WINDOW_MS / 1_000 * SECOND;
        assertThat(longestLockMs()).isZero();
    }

    private void stretchUnderLock(long seconds) {
        meter.lockedCallBegins();
        meter.underLock(MasterWork.REPORTS, () -> takes(0, seconds * SECOND));
    }

    private long longestLockMs() {
        assertThat(meter.nanosByWork()).isNotNull();
        return metrics.last().longestLockMs();
    }

    @Test
    void aboveTheShareLoopsRunLessOftenAndThatIsShownAndSaid() {
        Configuration site = new Configuration(false);
        site.set("hearth.master.cpu.share", "0.2");
        meter.configure(site);
        for (int minute = 0; minute <= 60; minute++) {
            threads.set(1, "hearth-healer-a", minute * 60 * SECOND);
            nanos += 60 * SECOND;
            assertThat(meter.stretch(MasterWork.HEALING)).isPositive();
        }

        assertThat(meter.stretch(MasterWork.HEALING)).isEqualTo(16);
        assertThat(meter.stretch(MasterWork.STATE)).isEqualTo(4);
        assertThat(meter.stretch(MasterWork.PLANS)).isEqualTo(1);
        assertThat(lines).hasSize(4).allSatisfy(line -> assertThat(line)
                .startsWith("Hearth has used 100.0 % of one core in ")
                .contains("more than hearth.master.cpu.share = 0.2 allows (healing 100.0 %)"));
        assertThat(shown("cpuShare")).isEqualTo(1.0);
        assertThat(shown("stretch")).isEqualTo(16);
        assertThat(shown("timesStretched")).isEqualTo(4L);
        assertThat(shown("threads")).isEqualTo(1);
        assertThat(shown("cpuMs")).isEqualTo(3_600_000L);
    }

    /** A plan that waits for what is slow keeps HBase waiting as well. Broken (processor time alone counts): a stretch of 1. */
    @Test
    void waitsUnderTheLockAreTakenFromTheSameBudget() {
        meter.configure(0.2);
        for (int minute = 0; minute <= 60; minute++) {
            meter.lockedCallBegins();
            meter.underLock(MasterWork.PLANS, () -> {
                takes(SECOND, 16 * SECOND);
                meter.underLock(MasterWork.REPORTS, () -> takes(SECOND, 14 * SECOND));
            });
            nanos += 30 * SECOND;
            assertThat(meter.stretch(MasterWork.PAGE)).isPositive();
        }

        assertThat(meter.stretch(MasterWork.PAGE)).isEqualTo(16);
        assertThat(meter.nanosByWork())
                .containsEntry(MasterWork.PLANS, 61 * 2 * SECOND)
                .containsEntry(MasterWork.WAITS_UNDER_LOCK, 61 * 28 * SECOND);
        assertThat(lines)
                .first()
                .asString()
                .contains("more than hearth.master.cpu.share = 0.2 allows"
                        + " (waits under the balancer's lock 46.7 %, plans 3.3 %)");
    }

    @Test
    void theEstimateOfTheHeapIsShown() {
        meter.showHeap(() -> 123);

        assertThat(shown("heapBytes")).isEqualTo(123L);
    }

    private static Object shown(String name) {
        return ((Gauge<?>) MetricRegistries.global()
                        .get(MasterMeterMetrics.INFO)
                        .orElseThrow()
                        .get(name)
                        .orElseThrow())
                .getValue();
    }

    @Test
    void theThreadsOfThisProcessCanBeMeasured() throws InterruptedException {
        Thread thread = new Thread(
                () -> {
                    while (MasterMeter.shared().nanosByWork().getOrDefault(MasterWork.OTHER, 0L) == 0) {
                        Thread.onSpinWait();
                    }
                },
                "hearth-test");
        thread.start();
        thread.join();

        assertThat(MasterMeter.shared().nanosByWork().get(MasterWork.OTHER)).isPositive();
    }
}
