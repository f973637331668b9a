// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import static io.hearth.datanode.cache.LastDay.DAY_MS;
import static io.hearth.datanode.cache.LastDay.HOUR_MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.datanode.cache.LastDay.Activity;
import io.hearth.datanode.cache.ReadCacheCounts.Counter;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LastDayTest {

    private static final long START_MS = 7_000;
    private static final long MINUTE_MS = 60_000;

    private final ReadCacheCounts counts = new ReadCacheCounts();
    private final LastDay day = new LastDay(counts, START_MS);

    private void count(long hits, long fills, long writtenBytes) {
        counts.add(Counter.HITS, hits);
        counts.add(Counter.FILLS, fills);
        counts.add(Counter.WRITTEN_BYTES, writtenBytes);
    }

    @Test
    void beforeADayIsOverItIsWhatWasDoneSinceTheStart() {
        assertThat(day.activity(START_MS)).isEqualTo(new Activity(0, 0, 0, 0));
        count(9, 1, 100);
        day.turn(START_MS + 5 * HOUR_MS);
        count(1, 2, 30);
        assertThat(day.activity(START_MS + 6 * HOUR_MS)).isEqualTo(new Activity(6 * HOUR_MS, 10, 3, 130));
    }

    @Test
    void whatWasCountedBeforeItBeganIsNoPartOfIt() {
        count(9, 1, 100);
        LastDay later = new LastDay(counts, START_MS + HOUR_MS);
        count(2, 1, 10);
        assertThat(later.activity(START_MS + 2 * HOUR_MS)).isEqualTo(new Activity(HOUR_MS, 2, 1, 10));
    }

    @Test
    void aWriteIsForgottenAfterADay() {
        count(0, 1, 4_096);
        for (long ms = 0; ms <= DAY_MS; ms += MINUTE_MS) {
            day.turn(START_MS + ms);
            assertThat(day.activity(START_MS + ms).writtenBytes()).isEqualTo(4_096);
        }
        day.turn(START_MS + DAY_MS + HOUR_MS);
        assertThat(day.activity(START_MS + DAY_MS + HOUR_MS)).isEqualTo(new Activity(DAY_MS, 0, 0, 0));
    }

    /** As if every single write were remembered; turns come late and irregularly. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void itIsWhatAListOfAllWritesSays(long seed) {
        Random random = new Random(seed);
        NavigableMap<Long, Long> bytesByMs = new TreeMap<>();
        long nowMs = START_MS;
        long turnedMs = START_MS;
        for (int step = 0; step < 3_000; step++) {
            nowMs += 1 + random.nextInt(2 * (int) MINUTE_MS);
            if (nowMs - turnedMs > random.nextInt(5 * (int) MINUTE_MS)) {
                day.turn(nowMs);
                turnedMs = nowMs;
            }
            Activity activity = day.activity(nowMs);
            assertThat(activity.writtenBytes())
                    .as("seed %s, step %s", seed, step)
                    .isEqualTo(bytesByMs.tailMap(nowMs - activity.overMs(), true).values().stream()
                            .mapToLong(bytes -> bytes)
                            .sum());
            assertThat(activity.overMs())
                    .as("seed %s, step %s", seed, step)
                    .isBetween(Math.min(DAY_MS, nowMs - START_MS), DAY_MS + HOUR_MS + 15 * MINUTE_MS);
            // After the reading of this moment, as it would be in the next one.
            long bytes = random.nextInt(1_000);
            bytesByMs.put(nowMs, bytes);
            count(0, 1, bytes);
        }
    }
}
