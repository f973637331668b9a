// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.hearth.common.log.RateLimitedLogger;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Severity;
import io.hearth.doctor.model.ProbedCluster.NodeReadCache;
import io.hearth.doctor.model.ProbedReadCache;
import io.hearth.doctor.model.ProbedReadCache.CacheDay;
import io.hearth.doctor.model.ProbedReadCache.CacheSsd;
import io.hearth.doctor.model.ProbedReadCache.Mode;
import io.hearth.ui.hbase.DoctorScheduler.Found;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.servlet.http.HttpServletRequest;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.master.HMaster;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** When the doctor makes his round, on a clock of the test's own, and what is said meanwhile. */
class DoctorSchedulerTest {

    private static final Configuration CONF = new Configuration(false);
    private static final Finding FINDING =
            new Finding("slop", Severity.WARNING, List.of(), "It is.", "Something.", List.of(), "somebody");

    private static final NodeReadCache CACHE = new NodeReadCache(
            "host1", new ProbedReadCache(Mode.ON, new CacheSsd(true, 0, 10, 10), 7, 3, new CacheDay(1_000, 9, 1, 5)));
    private static final Found FOUND = new Found(List.of(FINDING), List.of(CACHE));

    private final AtomicInteger rounds = new AtomicInteger();
    private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());

    private DoctorScheduler counting() {
        return new DoctorScheduler(
                conf -> {
                    rounds.incrementAndGet();
                    return FOUND;
                },
                failures::add);
    }

    private static void go(DoctorScheduler doctor, long nowMs) {
        doctor.runIfDue(CONF, nowMs);
        awaitEnd(doctor);
    }

    /** The round is on a thread of its own. */
    private static void awaitEnd(DoctorScheduler doctor) {
        while (doctor.report().isRunning()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void itIsEveryTenMinutesAndWhenItIsAskedForOnceAMinuteAtMost() {
        DoctorScheduler doctor = counting();
        assertThat(doctor.report().startedAtMs()).isEmpty();
        go(doctor, 0);
        go(doctor, 599_000);
        assertThat(rounds).hasValue(1);
        go(doctor, 600_000);
        assertThat(rounds).hasValue(2);

        doctor.requestRun();
        go(doctor, 659_000);
        assertThat(rounds).hasValue(2);
        go(doctor, 660_000);
        assertThat(rounds).hasValue(3);
        go(doctor, 721_000);
        assertThat(rounds).hasValue(3);
        assertThat(doctor.report().startedAtMs()).isPresent();
        assertThat(doctor.report().atMs()).isPresent();
        assertThat(doctor.report().findings()).containsExactly(FINDING);
        assertThat(doctor.report().readCaches()).containsExactly(CACHE);
    }

    @Test
    void roundsThatNobodyAsksForComeLessOftenWhereTheMasterIsSpared() {
        DoctorScheduler doctor = counting();
        go(doctor, 0);
        doctor.runIfDue(CONF, 2_399_000, 4);
        awaitEnd(doctor);
        assertThat(rounds).hasValue(1);
        doctor.runIfDue(CONF, 2_400_000, 4);
        awaitEnd(doctor);
        assertThat(rounds).hasValue(2);

        doctor.requestRun();
        doctor.runIfDue(CONF, 2_460_000, 4);
        awaitEnd(doctor);
        assertThat(rounds).hasValue(3);
    }

    /** A round takes five minutes at most. */
    @Test
    void whatARoundSawHoldsUntilTheEndOfTheOneAfterTheNext() {
        assertThat(DoctorScheduler.holdsMs(1)).isEqualTo(1_500_000);
        assertThat(DoctorScheduler.holdsMs(16)).isEqualTo(2 * 16 * 600_000 + 300_000);
    }

    /** Broken (the answer is given and nobody is asked): the page says that the doctor asks every process again, and he does not. */
    @Test
    void aPostOnThePageAsksForARound() throws Exception {
        DoctorScheduler doctor = counting();
        go(doctor, 0);
        HMaster master = mock(HMaster.class);
        Configuration conf = new Configuration(false);
        conf.setBoolean("hearth.ui.enabled", true);
        when(master.getConfiguration()).thenReturn(conf);
        PagePublisher publisher = new PagePublisher(
                Optional::empty,
                () -> false,
                UiMetrics.shared(),
                new RateLimitedLogger(LoggerFactory.getLogger(PagePublisher.class)),
                doctor,
                () -> 1);
        UiRequestHandler page = new UiRequestHandler(master, publisher, UiMetrics.shared());
        HttpServletRequest request = mock(HttpServletRequest.class);
        when(request.getMethod()).thenReturn("GET");
        when(request.getHeader(ActionAuthorizer.CSRF_HEADER)).thenReturn("any");

        assertThat(page.of(UiPaths.RUN_DOCTOR, request).orElseThrow().status()).isEqualTo(405);
        go(doctor, 60_000);
        assertThat(rounds).hasValue(1);

        when(request.getMethod()).thenReturn("POST");
        assertThat(page.of(UiPaths.RUN_DOCTOR, request).orElseThrow().status()).isEqualTo(200);
        go(doctor, 60_000);
        assertThat(rounds).hasValue(2);
    }

    @Test
    void aRoundByAClockThatWasAheadIsLongAgo() {
        DoctorScheduler doctor = counting();
        go(doctor, 7_200_000);
        go(doctor, 1_000);
        assertThat(rounds).hasValue(2);
        go(doctor, 600_000);
        assertThat(rounds).hasValue(2);
        go(doctor, 601_000);
        assertThat(rounds).hasValue(3);
    }

    @Test
    void aRoundThatIsBeingMadeIsSaidAndIsTheOnlyOne() {
        CountDownLatch continues = new CountDownLatch(1);
        DoctorScheduler doctor = new DoctorScheduler(
                conf -> {
                    rounds.incrementAndGet();
                    continues.await();
                    return FOUND;
                },
                failures::add);
        doctor.runIfDue(CONF, 0);
        doctor.requestRun();
        doctor.runIfDue(CONF, 700_000);
        assertThat(doctor.report().isRunning()).isTrue();
        assertThat(doctor.report().atMs()).isEmpty();
        continues.countDown();
        awaitEnd(doctor);
        assertThat(rounds).hasValue(1);
    }

    @Test
    void ofARoundThatCameToNothingWhatWasFoundBeforeStays() {
        boolean[] fails = {false};
        DoctorScheduler doctor = new DoctorScheduler(
                conf -> {
                    if (fails[0]) {
                        throw new IOException("no HBase");
                    }
                    return FOUND;
                },
                failures::add);
        go(doctor, 0);
        long foundAtMs = doctor.report().atMs().orElseThrow();
        fails[0] = true;
        go(doctor, 600_000);

        assertThat(failures).hasSize(1);
        assertThat(doctor.report().findings()).containsExactly(FINDING);
        assertThat(doctor.report().readCaches()).containsExactly(CACHE);
        assertThat(doctor.report().atMs()).hasValue(foundAtMs);
    }
}
