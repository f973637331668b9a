// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which DataNodes the NameNode called live and dead, as it is stored and read again. */
class DataNodeStoreTest {

    /** 15 November 2026, 00:00 UTC. */
    private static final long START_MS = 1_794_700_800_000L;

    private static final long MINUTE_MS = 60_000;

    @TempDir
    private Path folder;

    private final List<String> problems = new ArrayList<>();

    private SloStore open(String instance) throws IOException {
        return SloStore.open(folder, instance, Limits.NONE, problems::add);
    }

    private List<DataNodeMinute> stored() throws IOException {
        List<DataNodeMinute> stored = new ArrayList<>();
        SloReader.of(folder, SloReader.instances(folder), problems::add)
                .dataNodeMinutes(START_MS, START_MS + 10 * MINUTE_MS, stored::add);
        return stored;
    }

    @Test
    void whatWasStoredIsReadAgainPartByPart() throws IOException {
        DataNodeMinute first = DataNodeMinute.at(START_MS + 1, Set.of("a:9866", "b:9866", "c:9866"), Set.of());
        DataNodeMinute second = DataNodeMinute.at(START_MS + 59_999, Set.of("c:9866"), Set.of("b:9866", "a:9866"));
        DataNodeMinute next = DataNodeMinute.at(START_MS + MINUTE_MS, Set.of(), Set.of("z:9866", "b:9866"));
        try (SloStore store = open("west")) {
            store.add(first);
            assertThat(store.flush(START_MS + MINUTE_MS)).isTrue();
            store.add(second);
        }
        try (SloStore again = open("west")) {
            again.add(next);
            again.add(DataNodeMinute.at(START_MS - 1, Set.of("early:9866"), Set.of()));
            again.add(DataNodeMinute.at(START_MS + 10 * MINUTE_MS, Set.of("late:9866"), Set.of()));
        }
        try (SloStore other = open("east")) {
            other.add(first);
        }

        assertThat(stored()).containsExactly(first, first, second, next);
        assertThat(second.startMs()).isEqualTo(START_MS);
        assertThat(second.dead()).containsExactly("a:9866", "b:9866");
        assertThat(problems).isEmpty();
    }

    /** As those of their probes are, or one DataNode would be two. */
    @Test
    void namesArePrintable() throws IOException {
        try (SloStore store = open("west")) {
            store.add(DataNodeMinute.at(START_MS, Set.of("a\nb:9866"), Set.of("c\u0007:9866")));
        }

        assertThat(stored())
                .containsExactly(new DataNodeMinute(
                        START_MS, new TreeSet<>(Set.of("a?b:9866")), new TreeSet<>(Set.of("c?:9866"))));
    }

    @Test
    void aMinuteOfAThousandIsSmallAndIsKeptFor35Days() throws IOException {
        Set<String> live = IntStream.range(0, 1_000)
                .mapToObj("datanode-%04d.example.org:9866"::formatted)
                .collect(Collectors.toSet());
        Path file = folder.resolve("west/datanodes-2026-11-15.slo");
        try (SloStore store = open("west")) {
            store.add(DataNodeMinute.at(START_MS, live, Set.of("dead-1:9866")));
            store.flush(START_MS);
            long names = Files.size(file);
            store.add(DataNodeMinute.at(START_MS + MINUTE_MS, live, Set.of("dead-1:9866")));
            store.flush(START_MS);
            assertThat(Files.size(file) - names).isBetween(1L, 60L);

            store.flush(START_MS + Duration.ofDays(36).toMillis() - 1);
            assertThat(file).exists();
            store.flush(START_MS + Duration.ofDays(36).toMillis());
            assertThat(file).doesNotExist();
        }
        assertThat(problems).isEmpty();
    }
}
