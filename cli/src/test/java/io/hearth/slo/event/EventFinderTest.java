// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.slo.event.ClusterEvent.Amount;
import io.hearth.slo.event.ClusterEvent.By;
import io.hearth.slo.event.ClusterReading.HearthReading;
import io.hearth.slo.event.ClusterReading.PlannedMove;
import io.hearth.slo.event.ClusterReading.Region;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventFinderTest {

    private static final long MINUTE_MS = 60_000;

    /** 29 November 2026, 12:00 UTC. */
    private static final long NOON = 1_795_953_600_000L;

    private final EventFinder finder = new EventFinder();
    private final Map<String, Long> servers = new TreeMap<>(Map.of("a:1", 1L, "b:1", 2L, "c:1", 3L));
    private final Map<String, Region> regions = new TreeMap<>();
    private final Map<String, PlannedMove> planned = new HashMap<>();
    private String master = "m,1,1";
    private boolean canAskHearth = true;
    private Optional<String> braked = Optional.empty();
    private Optional<Long> unlisted = Optional.empty();
    private long blocks;
    private long bytes;
    private long compactions;
    private long nowMs = NOON;

    private List<String> next() {
        nowMs += MINUTE_MS;
        Optional<HearthReading> hearth = canAskHearth
                ? Optional.of(
                        new HearthReading(true, braked, Map.copyOf(planned), unlisted, blocks, bytes, compactions))
                : Optional.empty();
        return finder.next(new ClusterReading(nowMs, master, Map.copyOf(servers), Map.copyOf(regions), hearth)).stream()
                .map(ClusterEvent::text)
                .toList();
    }

    private void put(String region, String server) {
        regions.put(region, new Region(server, servers.getOrDefault(server, -1L), 10, 4, 0, 50));
    }

    @Test
    void theFirstReadingAndOneWithoutAChangeTellNothing() {
        put("r1", "a:1");
        blocks = 5;

        assertThat(next()).isEmpty();
        assertThat(next()).isEmpty();
    }

    @Test
    void serversThatCrashRestartAndJoinAreToldByTheirStartCodes() {
        put("r1", "a:1");
        put("r2", "a:1");
        put("r3", "b:1");
        next();
        servers.remove("a:1");
        servers.put("b:1", 20L);
        servers.put("d:1", 4L);
        put("r1", "c:1");
        put("r2", "d:1");
        put("r3", "b:1");

        assertThat(next())
                .containsExactly(
                        "RegionServer crashed or stopped: a:1",
                        "RegionServer restarted: b:1",
                        "2 regions of a:1 assigned elsewhere",
                        "RegionServer joined: d:1");
    }

    @Test
    void aRestartIsWhenItsStartCodeSaysIfThatCanBe() {
        ClusterReading before =
                new ClusterReading(NOON, master, Map.of("a:1", 1L, "b:1", 1L), Map.of(), Optional.empty());
        finder.next(before);

        assertThat(finder.next(new ClusterReading(
                        NOON + MINUTE_MS,
                        master,
                        Map.of("a:1", NOON + 7_000, "b:1", NOON - 1),
                        Map.of(),
                        Optional.empty())))
                .containsExactlyInAnyOrder(
                        ClusterEvent.of(NOON + 7_000, EventKind.SERVER_RESTARTED, "a:1", By.OTHERS),
                        ClusterEvent.of(NOON + MINUTE_MS, EventKind.SERVER_RESTARTED, "b:1", By.OTHERS));
    }

    @Test
    void aMoveIsHearthsIfItsLatestPlansHaveIt() {
        put("planned", "a:1");
        put("elsewhere", "a:1");
        put("long ago", "a:1");
        put("by hand", "a:1");
        next();
        planned.put("planned", new PlannedMove("b:1", NOON - 10 * MINUTE_MS));
        planned.put("elsewhere", new PlannedMove("c:1", NOON));
        planned.put("long ago", new PlannedMove("b:1", NOON - 20 * MINUTE_MS));
        regions.replaceAll((name, region) -> new Region("b:1", 2, 10, 4, 0, 50));

        assertThat(next())
                .containsExactly("1 region moved to b:1 (by Hearth)", "3 regions moved to b:1 (not by Hearth)");
    }

    @Test
    void whoseAMoveIsMayBeUnknown() {
        put("r", "a:1");
        next();
        put("r", "b:1");
        unlisted = Optional.of(NOON - 5 * MINUTE_MS);
        assertThat(next())
                .as("the plan has more moves than are listed")
                .containsExactly("1 region moved to b:1 (perhaps by Hearth)");

        put("r", "c:1");
        unlisted = Optional.of(NOON - 60 * MINUTE_MS);
        assertThat(next()).as("that plan is over").containsExactly("1 region moved to c:1 (not by Hearth)");

        put("r", "a:1");
        canAskHearth = false;
        assertThat(next()).containsExactly("1 region moved to a:1 (perhaps by Hearth)");
    }

    @Test
    void aRegionOnItsWayIsLookedForInTheNextReadingToo() {
        put("moved", "a:1");
        put("dropped", "a:1");
        next();
        regions.clear();
        assertThat(next()).isEmpty();
        put("moved", "b:1");
        assertThat(next()).containsExactly("1 region moved to b:1 (not by Hearth)");
        put("dropped", "c:1");
        assertThat(next()).as("missing twice: a new one").isEmpty();
    }

    @Test
    void healingIsWhatItsCountersGrowBy() {
        next();
        blocks = 3;
        bytes = 300 << 20;
        compactions = 1;
        assertThat(next())
                .containsExactly(
                        "3 blocks, 300.0 MB, moved in HDFS (by Hearth)",
                        "1 major compaction of a column family requested (by Hearth)");

        canAskHearth = false;
        blocks = 4;
        assertThat(next()).isEmpty();
        canAskHearth = true;
        assertThat(next())
                .as("what was not seen is told later")
                .containsExactly("1 block, 0 B, moved in HDFS (by Hearth)");

        master = "n,1,2";
        blocks = 2;
        bytes = 5;
        compactions = 0;
        assertThat(next())
                .as("a new master counts from 0")
                .containsExactly("n,1,2 is the active HMaster now", "2 blocks, 5 B, moved in HDFS (by Hearth)");
    }

    @Test
    void theBrakeIsToldInEachMinute() {
        braked = Optional.of("west: gets burn 15 times");

        assertThat(next()).containsExactly("healing and balancing rest: west: gets burn 15 times");
        assertThat(next()).containsExactly("healing and balancing rest: west: gets burn 15 times");
        braked = Optional.empty();
        assertThat(next()).isEmpty();
    }

    @Test
    void flushesAndCompactionsAreThoseOfTheSameServer() {
        for (String region : List.of("flushed", "fewer files", "major", "running", "same", "moved")) {
            put(region, "a:1");
        }
        next();
        regions.put("flushed", new Region("a:1", 1, 11, 5, 0, 50));
        regions.put("fewer files", new Region("a:1", 1, 10, 3, 0, 50));
        regions.put("major", new Region("a:1", 1, 10, 4, 0, 51));
        regions.put("running", new Region("a:1", 1, 10, 4, 1, 50));
        regions.put("moved", new Region("b:1", 2, 99, 1, 1, 99));
        assertThat(next())
                .containsExactly(
                        "1 region moved to b:1 (not by Hearth)",
                        "3 regions compacted on a:1 (not by Hearth)",
                        "1 region flushed on a:1");

        regions.put("fewer files", new Region("a:1", 1, 10, 1, 0, 50));
        regions.put("running", new Region("a:1", 1, 10, 4, 0, 50));
        regions.put("moved", new Region("b:1", 2, 99, 1, 0, 99));
        compactions = 1;
        assertThat(next())
                .as("Hearth has requested some")
                .containsExactly(
                        "1 major compaction of a column family requested (by Hearth)",
                        "1 region compacted on a:1 (perhaps by Hearth)");
    }

    @Test
    void aMinuteThatIsNotKnownIsSaidAndLosesNothing() {
        put("r", "a:1");
        next();
        assertThat(finder.notAnswered(nowMs + MINUTE_MS))
                .containsExactly(ClusterEvent.of(nowMs + MINUTE_MS, EventKind.NOT_KNOWN, "the HMaster", By.UNKNOWN));
        put("r", "b:1");
        assertThat(next()).containsExactly("1 region moved to b:1 (not by Hearth)");
    }

    /** Whatever happens, a minute names five places of a kind and counts the others. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aMinuteIsBoundedAndLosesNoCount(long seed) {
        Random random = new Random(seed);
        int moved = 0;
        for (int server = 0; server < 500; server++) {
            servers.put("s" + server + ":1", 7L);
        }
        for (int region = 0; region < 5_000; region++) {
            put("r" + region, "s" + random.nextInt(500) + ":1");
        }
        next();
        for (int region = 0; region < 5_000; region++) {
            String to = "s" + random.nextInt(500) + ":1";
            moved += to.equals(regions.get("r" + region).server()) ? 0 : 1;
            put("r" + region, to);
        }
        nowMs += MINUTE_MS;

        List<ClusterEvent> events = finder.next(new ClusterReading(
                nowMs, master, Map.copyOf(servers), Map.copyOf(regions), Optional.of(HearthReading.NOT_INSTALLED)));

        assertThat(events).as("seed %d", seed).hasSize(EventFinder.MOST_NAMED + 1);
        assertThat(events.stream().map(ClusterEvent::amount).reduce(Amount.NONE, Amount::plus))
                .as("seed %d", seed)
                .isEqualTo(new Amount(moved, 0));
        assertThat(events.get(5).where()).as("seed %d", seed).matches("4\\d\\d others");
    }
}
