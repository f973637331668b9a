// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.throttle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole clusters on simulated time, whose reads {@link HostReadLatency} compares. */
class ReadTurnsTest {

    private static final long QUICK_MS = 5;

    private record Read(String host, long startMs, long endMs) {}

    private final ReadTurns turns = new ReadTurns();
    private final HostReadLatency latency = new HostReadLatency(20_000);
    private final Queue<Read> underWay = new PriorityQueue<>(Comparator.comparingLong(Read::endMs));
    private final Set<String> hostsUnderWay = new HashSet<>();
    private long nowMs = 10_000_000;
    private long turnMs = 250;
    private long started;
    private int most;

    /** Below 1,920 hosts 16 reads a turn are enough; a rack is slow. */
    @ParameterizedTest
    @CsvSource({"40, 100", "1900, 100", "2000, 100", "2000, 2000", "5000, 100", "5000, 2000", "7000, 2000"})
    void aSlowGroupIsFoundWithinAMinuteAndNobodyElse(int count, long slowMs) {
        List<String> hosts = hosts(count);
        Set<String> rack = Set.copyOf(hosts.subList(count / 2, count / 2 + 20));
        run(hosts, host -> QUICK_MS, 120_000);
        assertThat(slow(hosts)).isEmpty();

        run(hosts, host -> rack.contains(host) ? slowMs : QUICK_MS, 60_000);
        assertThat(slow(hosts)).isEqualTo(rack);
        run(hosts, host -> QUICK_MS, 60_000);
        assertThat(slow(hosts)).as("after a minute without").isEmpty();
    }

    /** With 16 at a time these were 8 reads a second, and of 240 hosts or more each had one in 30 seconds. */
    @ParameterizedTest
    @ValueSource(ints = {15, 159, 240, 2_000, 3_500})
    void whereEveryReadTakesTwoSecondsAllAreFoundSlow(int count) {
        List<String> hosts = hosts(count);
        run(hosts, host -> QUICK_MS, 120_000);
        run(hosts, host -> 2_000, 90_000);
        assertThat(slow(hosts)).hasSize(count);
    }

    /** A turn of the healing loop may take long itself. */
    @Test
    void slowTurnsStartMoreReadsEach() {
        turnMs = 2_000;
        List<String> hosts = hosts(3_500);
        run(hosts, host -> QUICK_MS, 240_000);
        run(hosts, host -> 100, 90_000);
        assertThat(slow(hosts)).hasSize(3_500);
    }

    @ParameterizedTest
    @CsvSource({"10, 10", "64, 64", "512, 64", "5000, 625", "7000, 875"})
    void aHostIsReadOnceASecondAtMostAndAllOfThemOnceInEightWhereTheyAreMany(int count, int perSecond) {
        List<String> hosts = hosts(count);
        run(hosts, host -> QUICK_MS, 10_000);
        started = 0;
        run(hosts, host -> QUICK_MS, 80_000);
        assertThat(started).isBetween(79L * perSecond, 80L * perSecond);
    }

    @Test
    void aThreadWaitsForAReadOfEachTenthHostAtMost() {
        run(hosts(5_000), host -> 60_000, 50_000);
        assertThat(most).as("of 500, not more than 256").isEqualTo(256);
        run(List.of(), host -> 0, 60_000);
        most = 0;
        run(hosts(2_000), host -> 60_000, 50_000);
        assertThat(most).isEqualTo(200);
        run(List.of(), host -> 0, 60_000);
        most = 0;
        run(hosts(20), host -> 60_000, 50_000);
        assertThat(most).isEqualTo(16);
    }

    @Test
    void aHostThatIsNotReadForAnHourIsForgotten() {
        assertThat(turns.start(List.of("a", "b"), nowMs)).containsExactly("a", "b");
        turns.ended("a");
        turns.ended("a");
        turns.ended("nobody");
        nowMs += 3_600_001;
        assertThat(turns.start(List.of("b"), nowMs)).as("still under way").isEmpty();
        assertThat(turns.isKnown("a")).isFalse();
        assertThat(turns.isKnown("b")).isTrue();
    }

    private void run(List<String> hosts, ToLongFunction<String> tookMs, long ms) {
        for (long untilMs = nowMs + ms; nowMs < untilMs; nowMs += turnMs) {
            while (!underWay.isEmpty() && underWay.element().endMs() <= nowMs) {
                Read read = underWay.remove();
                turns.ended(read.host());
                hostsUnderWay.remove(read.host());
                latency.add(read.host(), 1_000 * (read.endMs() - read.startMs()), read.endMs());
            }
            for (String host : turns.start(hosts, nowMs)) {
                underWay.add(new Read(host, nowMs, nowMs + tookMs.applyAsLong(host)));
                hostsUnderWay.add(host);
                started++;
            }
            most = Math.max(most, underWay.size());
            assertThat(hostsUnderWay).as("one of each host").hasSameSizeAs(underWay);
        }
    }

    private Set<String> slow(List<String> hosts) {
        return hosts.stream().filter(host -> latency.isSlow(host, nowMs)).collect(Collectors.toSet());
    }

    private static List<String> hosts(int count) {
        return IntStream.range(0, count).mapToObj(host -> "h" + host).toList();
    }
}
