// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
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
    void aTenthOfTheIntervalIsATenthOfTheServersAndAPauseIsAll() {
        assertThat(due(1_000, 60_000)).isEqualTo(1_000);
        for (long nowMs = 63_000; nowMs <= 120_000; nowMs += 3_000) {
            assertThat(due(1_000, nowMs)).as("at %d", nowMs).isEqualTo(100);
        }
        assertThat(due(1_000, 160_000)).isEqualTo(1_000);
        assertThat(due(1_000, 160_000)).as("no time went by").isZero();
    }

    @Test
    void whatWasReadIsNotReadAgain() {
        assertThat(readScheduler.due(reports(3, 1), INTERVAL_MS, 0)).hasSize(3);
        assertThat(readScheduler.due(reports(3, 1), INTERVAL_MS, 60_000)).isEmpty();
        assertThat(readScheduler.rest(reports(3, 1), 60_000)).isEmpty();
    }

    @Test
    void aServerThatIsNewIsReadAtOnceAndOneThatComesBackIsNew() {
        due(2, 0);
        assertThat(readScheduler.due(reports(3, 1), INTERVAL_MS, 1)).containsExactly(2);
        assertThat(due(2, 2)).isZero();
        assertThat(readScheduler.due(reports(3, 1), INTERVAL_MS, 3)).containsExactly(2);
    }

    @Test
    void aRunReadsWhatIsLeftAndOlderTimesToo() {
        due(4, 100_000);
        assertThat(readScheduler.rest(reports(4, 50_000), 100_001)).hasSize(4);
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

    /** However often it is asked: nobody waits for longer than an interval and a pause, and no look reads more than its share. */
    @ParameterizedTest
    @MethodSource("seeds")
    void nobodyWaitsForLongAndNoLookReadsMuch(long seed) {
        Random random = new Random(seed);
        int servers = 1 + random.nextInt(200);
        Map<Integer, Long> readMs = new HashMap<>();
        due(servers, 0);
        reports(servers, 0).keySet().forEach(server -> readMs.put(server, 0L));
        double share = 0;
        long nowMs = 0;
        for (int look = 0; look < 300; look++) {
            long passedMs = random.nextInt(5_000);
            nowMs += passedMs;
            share = Math.min(servers, share + (double) servers * passedMs / INTERVAL_MS);
            Set<Integer> due = new HashSet<>(readScheduler.due(reports(servers, nowMs), INTERVAL_MS, nowMs));
            assertThat((double) due.size()).as("seed %d look %d", seed, look).isLessThanOrEqualTo(share + 1e-6);
            share -= due.size();
            for (int server : due) {
                readMs.put(server, nowMs);
            }
            long oldestMs =
                    readMs.values().stream().mapToLong(read -> read).min().orElseThrow();
            assertThat(nowMs - oldestMs)
                    .as("seed %d look %d", seed, look)
                    .isLessThanOrEqualTo(INTERVAL_MS + 10_000 + INTERVAL_MS / servers);
        }
    }
}
