// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.slo.objective.ObjectivesFile;
import io.hearth.slo.probe.TimelineRead;
import io.hearth.slo.probe.TimelineRead.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Timeline-consistent reads, as they are stored and read again. */
class TimelineStoreTest {

    /** 15 November 2026, 00:00 UTC. */
    private static final long START_MS = 1_794_700_800_000L;

    private static final long MINUTE_MS = 60_000;

    @TempDir
    private Path folder;

    private final List<String> problems = new ArrayList<>();

    private SloStore open(String instance) throws IOException {
        return SloStore.open(folder, instance, ObjectivesFile.parse("", "none").limits(), problems::add);
    }

    private static TimelineRead read(int timeoutMs, long atMs, long micros, Answer answer) {
        return new TimelineRead(timeoutMs, START_MS + atMs, micros, answer);
    }

    private Map<Integer, TimelineLatency> sums(long fromMs, long toMs) throws IOException {
        Map<Integer, TimelineLatency> sums = new TreeMap<>();
        SloReader.of(folder, SloReader.instances(folder), problems::add)
                .timelineMinutes(fromMs, toMs, minute -> minute.byTimeoutMs()
                        .forEach((timeoutMs, reads) -> sums.computeIfAbsent(timeoutMs, any -> new TimelineLatency())
                                .add(reads)));
        return sums;
    }

    @Test
    void whatWasStoredIsReadAgainByTimeout() throws IOException {
        try (SloStore store = open("west")) {
            for (int second = 0; second < 100; second++) {
                store.accept(read(10, second * 1_000, 2_000, second % 4 == 0 ? Answer.STALE : Answer.FRESH));
                store.accept(read(1_000, second * 1_000, 900_000, Answer.FRESH));
            }
            assertThat(store.flush(START_MS + MINUTE_MS)).isTrue();
            store.accept(read(10, 500, 0, Answer.NONE));
        }
        try (SloStore again = open("west")) {
            again.accept(read(10, 700, 20_000, Answer.STALE));
        }

        Map<Integer, TimelineLatency> sums = sums(START_MS, START_MS + 2 * MINUTE_MS);

        assertThat(sums.keySet()).containsExactly(10, 1_000);
        TimelineLatency ten = sums.get(10);
        assertThat(ten.latencies().due()).isEqualTo(102);
        assertThat(ten.latencies().answered()).isEqualTo(101);
        assertThat(ten.stale()).isEqualTo(26);
        assertThat(ten.staleShare()).isEqualTo(OptionalDouble.of(26 / 101.0));
        assertThat(ten.latencies().percentileMicros(50).orElseThrow()).isBetween(2_000L, 2_020L);
        assertThat(ten.latencies().percentileMicros(99.9))
                .as("one of 102 has no answer")
                .isEqualTo(OptionalLong.empty());
        assertThat(sums.get(1_000).staleShare()).isEqualTo(OptionalDouble.of(0));
        assertThat(sums(START_MS, START_MS + MINUTE_MS).get(1_000).latencies().due())
                .as("of the first minute")
                .isEqualTo(60);
        assertThat(problems).isEmpty();
    }

    @Test
    void readsOfTwoInstancesAreAdded() throws IOException {
        for (String instance : List.of("west", "east")) {
            try (SloStore store = open(instance)) {
                store.accept(read(10, 0, 2_000, Answer.STALE));
                store.accept(read(10, 0, 2_000, Answer.FRESH));
            }
        }

        assertThat(sums(START_MS, START_MS + 1).get(10).stale()).isEqualTo(2);
        assertThat(sums(START_MS, START_MS + 1).get(10).latencies().due()).isEqualTo(4);
    }

    @Test
    void withoutAnAnswerNoShareIsKnown() {
        TimelineLatency reads = new TimelineLatency();
        reads.add(read(10, 0, 10_000_000, Answer.NONE));

        assertThat(reads.staleShare()).isEqualTo(OptionalDouble.empty());
        assertThat(reads.latencies().due()).isOne();
    }
}
