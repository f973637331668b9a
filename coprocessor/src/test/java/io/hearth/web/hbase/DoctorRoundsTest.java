package io.hearth.web.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Severity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** When the doctor makes his round, on a clock of the test's own, and what is said meanwhile. */
class DoctorRoundsTest {

    private static final Configuration CONF = new Configuration(false);
    private static final Finding FINDING =
            new Finding("slop", Severity.COST, List.of(), "It is.", "Something.", List.of(), "somebody");

    private final AtomicInteger rounds = new AtomicInteger();
    private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());

    private DoctorRounds counting() {
        return new DoctorRounds(
                conf -> {
                    rounds.incrementAndGet();
                    return List.of(FINDING);
                },
                failures::add);
    }

    private static void go(DoctorRounds doctor, long nowMs) {
        doctor.goIfDue(CONF, nowMs);
        awaitEnd(doctor);
    }

    /** The round is on a thread of its own. */
    private static void awaitEnd(DoctorRounds doctor) {
        while (doctor.word().isAsking()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void itIsEveryTenMinutesAndWhenItIsAskedForOnceAMinuteAtMost() {
        DoctorRounds doctor = counting();
        assertThat(doctor.word().askedAtMs()).isEmpty();
        go(doctor, 0);
        go(doctor, 599_000);
        assertThat(rounds).hasValue(1);
        go(doctor, 600_000);
        assertThat(rounds).hasValue(2);

        doctor.askNow();
        go(doctor, 659_000);
        assertThat(rounds).hasValue(2);
        go(doctor, 660_000);
        assertThat(rounds).hasValue(3);
        go(doctor, 721_000);
        assertThat(rounds).hasValue(3);
        assertThat(doctor.word().askedAtMs()).isPresent();
        assertThat(doctor.word().atMs()).isPresent();
        assertThat(doctor.word().findings()).containsExactly(FINDING);
    }

    @Test
    void aRoundThatIsBeingMadeIsSaidAndIsTheOnlyOne() {
        CountDownLatch goesOn = new CountDownLatch(1);
        DoctorRounds doctor = new DoctorRounds(
                conf -> {
                    rounds.incrementAndGet();
                    goesOn.await();
                    return List.of(FINDING);
                },
                failures::add);
        doctor.goIfDue(CONF, 0);
        doctor.askNow();
        doctor.goIfDue(CONF, 700_000);
        assertThat(doctor.word().isAsking()).isTrue();
        assertThat(doctor.word().atMs()).isEmpty();
        goesOn.countDown();
        awaitEnd(doctor);
        assertThat(rounds).hasValue(1);
    }

    @Test
    void ofARoundThatCameToNothingWhatWasFoundBeforeStays() {
        boolean[] fails = {false};
        DoctorRounds doctor = new DoctorRounds(
                conf -> {
                    if (fails[0]) {
                        throw new IOException("no HBase");
                    }
                    return List.of(FINDING);
                },
                failures::add);
        go(doctor, 0);
        long foundAtMs = doctor.word().atMs().orElseThrow();
        fails[0] = true;
        go(doctor, 600_000);

        assertThat(failures).hasSize(1);
        assertThat(doctor.word().findings()).containsExactly(FINDING);
        assertThat(doctor.word().atMs()).hasValue(foundAtMs);
    }
}
