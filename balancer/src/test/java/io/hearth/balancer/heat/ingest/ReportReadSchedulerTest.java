// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReportReadSchedulerTest {

    private static final long INTERVAL_MS = 30_000;

    private final ReportReadScheduler<Integer> readScheduler = new ReportReadScheduler<>();

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 30L * Integer.getInteger("hearth.test.repetitions", 1));
    }

    /** Every server's report is of this time. */
    private static Map<Integer, Long> reports(int servers, long reportMs) {
        Map<Integer, Long> reports = new LinkedHashMap<>();
        for (int server = 0; server < servers; server++) {
            reports.put(server, reportMs);
        }
        return reports;
    }

    private int due(int servers, long nowMs) {
        return readScheduler.due(reports(servers, nowMs), INTERVAL_MS, nowMs).size();
    }

    @Test
    void looksWithinTheIntervalReadNoneAndTheFirstAfterItReadsAll() {
        assertThat(due(1_000, 60_000)).isEqualTo(1_000);
        for (long nowMs = 61_000; nowMs < 90_000; nowMs += 1_000) {
            assertThat(due(1_000, nowMs)).as("at %d", nowMs).isZero();
        }
        assertThat(due(1_000, 90_000)).isEqualTo(1_000);
        assertThat(due(1_000, 150_000)).as("after a pause").isEqualTo(1_000);
    }

    @Test
    void whatARunHasReadIsLeftOutByTheNextLook() {
        due(3, 0);
        assertThat(readScheduler.rest(reports(3, 20_000))).hasSize(3);
        assertThat(readScheduler.due(reports(3, 20_000), INTERVAL_MS, 30_000)).isEmpty();
        assertThat(due(3, 60_000)).isEqualTo(3);
    }

    @Test
    void whatWasReadIsNotReadAgain() {
        assertThat(readScheduler.due(reports(3, 1), INTERVAL_MS, 0)).hasSize(3);
        assertThat(readScheduler.due(reports(3, 1), INTERVAL_MS, 60_000)).isEmpty();
        assertThat(readScheduler.rest(reports(3, 1))).isEmpty();
    }

    @Test
    void aServerThatIsNewIsReadAtOnceAndOneThatComesBackIsNew() {
        due(2, 0);
        assertThat(readScheduler.due(reports(3, 0), INTERVAL_MS, 1)).containsExactly(2);
        assertThat(readScheduler.due(reports(2, 0), INTERVAL_MS, 2)).isEmpty();
        assertThat(readScheduler.due(reports(3, 0), INTERVAL_MS, 3)).containsExactly(2);
    }

    @Test
    void aRunReadsWhatIsLeftAndOlderTimesToo() {
        due(4, 100_000);
        assertThat(readScheduler.rest(reports(4, 50_000))).hasSize(4);
    }

    @Test
    void aClockThatWasSetBackGivesEverybodyATurn() {
        due(4, 100_000);
        assertThat(due(4, 50_000)).isEqualTo(4);
    }

    @Test
    void withoutAnIntervalEverybodyIsReadEachTime() {
        assertThat(readScheduler.due(reports(4, 7), 0, 0)).hasSize(4);
        assertThat(readScheduler.due(reports(4, 7), 0, 0)).hasSize(4);
    }

    /** However often it is asked: no new report is left for longer than an interval, and none is read twice. */
    @ParameterizedTest
    @MethodSource("seeds")
    void nobodyWaitsForLong(long seed) {
        Random random = new Random(seed);
        int servers = 1 + random.nextInt(200);
        Map<Integer, Long> reportMs = reports(servers, 0);
        Map<Integer, Long> readReportMs = new HashMap<>(reportMs);
        Map<Integer, Long> newSinceMs = new HashMap<>();
        readScheduler.due(reportMs, INTERVAL_MS, 0);
        long nowMs = 0;
        for (int look = 1; look <= 300; look++) {
            nowMs += random.nextInt(5_000);
            for (int server = 0; server < servers; server++) {
                reportMs.merge(server, nowMs - random.nextInt(3_000), Math::max);
                if (!reportMs.get(server).equals(readReportMs.get(server))) {
                    newSinceMs.putIfAbsent(server, nowMs);
                }
            }
            Set<Integer> due = random.nextInt(50) == 0
                    ? readScheduler.rest(reportMs)
                    : readScheduler.due(reportMs, INTERVAL_MS, nowMs);
            assertThat(newSinceMs.keySet()).as("seed %d look %d", seed, look).containsAll(due);
            for (int server : due) {
                readReportMs.put(server, reportMs.get(server));
                newSinceMs.remove(server);
            }
            long oldestMs =
                    newSinceMs.values().stream().mapToLong(each -> each).min().orElse(nowMs);
            assertThat(nowMs - oldestMs).as("seed %d look %d", seed, look).isLessThan(INTERVAL_MS);
        }
    }
}
