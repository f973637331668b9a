// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.throttle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostReadLatencyTest {

    private static final long FLOOR_MICROS = 20_000;

    private final HostReadLatency reads = new HostReadLatency(FLOOR_MICROS);
    private long nowMs = 5_000_000;

    @Test
    void eachHostAgainstItsOwnPast() {
        read("a", 20, 2_000);
        read("b", 20, 90_000);
        assertThat(isSlow("a")).isFalse();
        assertThat(isSlow("b")).as("always was").isFalse();
        read("a", 3, 90_000);
        assertThat(isSlow("a")).isTrue();
        assertThat(isSlow("b")).isFalse();
        assertThat(isSlow("c")).isFalse();
    }

    @Test
    void whatWasSlowHalfAMinuteAgoSaysNothing() {
        read("a", 20, 2_000);
        read("a", 3, 90_000);
        nowMs += HostReadLatency.PAUSE_MS - 1_000;
        assertThat(isSlow("a")).isTrue();
        nowMs += 1_001;
        assertThat(isSlow("a")).isFalse();
        read("a", 2, 90_000);
        assertThat(isSlow("a")).as("two of a new heal").isFalse();
        read("a", 1, 90_000);
        assertThat(isSlow("a")).isTrue();
    }

    @Test
    void readsOfAHostWhoseRegionsMoveAreNotSlow() {
        read("a", 20, 2_000);
        read("a", 3, 90_000);
        reads.regionsMoved(List.of("a"), nowMs);
        assertThat(isSlow("a")).as("before it was known").isFalse();
        read("a", 9, 90_000);
        assertThat(isSlow("a")).as("9 seconds afterwards").isFalse();
        read("a", 4, 90_000);
        assertThat(isSlow("a")).isTrue();
    }

    /** Whatever moves elsewhere meanwhile. */
    @Test
    void theRegionsOfOneHostMovingDoNotEndThatOfAnother() {
        read("a", 20, 2_000);
        reads.regionsMoved(List.of("a"), nowMs);
        nowMs += 1_000;
        reads.regionsMoved(List.of("b"), nowMs);
        read("a", 9, 90_000);
        assertThat(isSlow("a")).as("10 seconds after its own").isFalse();
        read("a", 3, 90_000);
        assertThat(isSlow("a")).isTrue();
    }

    /** A DataNode may register as Host-A where the RegionServer is host-a. */
    @Test
    void hostNamesHaveNoCase() {
        read("host-a", 20, 2_000);
        read("Host-A", 3, 90_000);
        assertThat(isSlow("Host-A")).isTrue();
        reads.regionsMoved(List.of("HOST-A"), nowMs);
        assertThat(isSlow("host-a")).isFalse();
    }

    @Test
    void anHourWithoutReadsIsForgotten() {
        read("a", 20, 2_000);
        nowMs += 3_599_000;
        reads.tick(nowMs);
        read("a", 3, 90_000);
        assertThat(isSlow("a")).isTrue();
        nowMs += 3_600_001;
        reads.tick(nowMs);
        read("a", 3, 90_000);
        assertThat(isSlow("a")).as("nothing to compare with").isFalse();
    }

    private record Sample(long micros, long ms, boolean startsPeriod) {}

    /** Random reads, pauses and region moves of one host, beside a computation that goes through all of the past each time. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void asANaiveComputationHasIt(long seed) {
        Random random = new Random(seed);
        List<Sample> past = new ArrayList<>();
        long movedMs = Long.MIN_VALUE / 2;
        boolean moved = false;
        int found = 0;
        for (int step = 0; step < 1_000; step++) {
            nowMs += random.nextInt(50) == 0 ? 40_000 : 500 + random.nextInt(1_000);
            if (random.nextInt(60) == 0) {
                movedMs = nowMs;
                moved = true;
                reads.regionsMoved(List.of("a", "b"), nowMs);
            }
            long micros = (step / 20 + seed) % 3 == 0 ? 50_000 + random.nextInt(50_000) : random.nextInt(8_000);
            reads.add("a", micros, nowMs);
            if (nowMs - movedMs > 10_000) {
                boolean isFirst =
                        past.isEmpty() || nowMs - past.get(past.size() - 1).ms() > 30_000;
                past.add(new Sample(micros, nowMs, isFirst || moved));
                moved = false;
            }
            boolean isSlow = isSlow("a");
            assertThat(isSlow).as("seed %s, step %s: %s", seed, step, past).isEqualTo(!moved && naive(past));
            found += isSlow ? 1 : 0;
        }
        assertThat(found).as("seed %s", seed).isBetween(1, 999);
    }

    private boolean naive(List<Sample> past) {
        int size = past.size();
        if (size < 8 || nowMs - past.get(size - 1).ms() > 30_000) {
            return false;
        }
        List<Sample> recent = past.subList(size - 3, size);
        if (recent.get(1).startsPeriod() || recent.get(2).startsPeriod()) {
            return false;
        }
        long now = recent.stream().mapToLong(Sample::micros).sorted().toArray()[1];
        long[] last = past.subList(Math.max(0, size - 120), size).stream()
                .mapToLong(Sample::micros)
                .sorted()
                .toArray();
        long usual = last[last.length / 4];
        return now - usual > FLOOR_MICROS && now >= 3 * usual;
    }

    private boolean isSlow(String host) {
        return reads.isSlow(host, nowMs);
    }

    /** One a second. */
    private void read(String host, int times, long micros) {
        for (int time = 0; time < times; time++) {
            nowMs += 1_000;
            reads.add(host, micros, nowMs);
        }
    }
}
