// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.HealRank;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import io.hearth.healer.queue.HealRanking.HealPriority;
import io.hearth.healer.queue.HealRanking.HealPriority.HeatClass;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The agenda beside the plain form: a map that is searched from end to end. */
class HealSchedulePropertyTest {

    private static final int STEPS = 3_000;

    private record Entry(QueuedRegion queued, HealPriority priority) {}

    private final Map<EncodedRegionName, QueuedRegion> current = new HashMap<>();
    private final HealSchedule schedule = new HealSchedule(current);
    private final Map<EncodedRegionName, Entry> plain = new TreeMap<>();
    private long nowMs;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 60L * Integer.getInteger("hearth.test.repetitions", 1));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void itAnswersAsThePlainFormDoes(long seed) {
        Random random = new Random(seed);
        int regions = 1 + random.nextInt(3 + 40 * (int) seed);
        for (int step = 0; step < STEPS; step++) {
            String where = "seed " + seed + ", step " + step;
            switch (random.nextInt(100)) {
                case 0 -> {
                    schedule.clear(nowMs);
                    current.clear();
                    plain.clear();
                }
                case 1, 2, 3, 4 -> nowMs += random.nextInt(50);
                default -> {
                    if (random.nextInt(3) == 0) {
                        takeFromBoth(random, where);
                    } else {
                        enqueueNow(region(random.nextInt(regions)), random);
                    }
                }
            }
        }
        theRestIsTheSame("seed " + seed);
    }

    /** More than a thousand entries are removed ones, and are dropped from the heaps: those that wait, and those whose time has come. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void afterThousandsOfChangesTheRestIsStillThere(long seed) {
        Random random = new Random(seed);
        for (int step = 0; step < 5_000; step++) {
            enqueueNow(region(random.nextInt(100)), random);
            if (step % 100 == 0) {
                nowMs += 5;
                takeFromBoth(random, "seed " + seed + ", step " + step);
            }
        }
        assertThat(plain).hasSizeGreaterThan(50);
        theRestIsTheSame("seed " + seed);
    }

    private void theRestIsTheSame(String where) {
        Predicate<ServerId> all = server -> true;
        nowMs = Long.MAX_VALUE - 1;
        for (int left = plain.size(); left >= 0; left--) {
            assertThat(take(all)).as("%s, the rest", where).isEqualTo(takeFromPlain(all));
        }
    }

    private void takeFromBoth(Random random, String where) {
        int free = random.nextInt(8);
        Predicate<ServerId> hasRoom = server -> (free >> (server.port() % 3) & 1) == 1;
        assertThat(schedule.hasDue(nowMs))
                .as(where)
                .isEqualTo(plain.values().stream().anyMatch(this::isDue));
        assertThat(take(hasRoom)).as(where).isEqualTo(takeFromPlain(hasRoom));
    }

    /** The queue then holds another object of the region. */
    private Optional<QueuedRegion> take(Predicate<ServerId> hasRoom) {
        Optional<QueuedRegion> taken = schedule.take(nowMs, hasRoom);
        taken.ifPresent(queued -> remove(queued.region().region()));
        return taken;
    }

    /** As the queue does it: out and in again, or in the place of what was there; sometimes with the same time and priority as before, or not in again. */
    private void enqueueNow(EncodedRegionName region, Random random) {
        Entry before = plain.remove(region);
        if (random.nextInt(3) == 0) {
            remove(region);
        }
        if (random.nextInt(8) > 0) {
            Entry entry = before != null && random.nextInt(4) == 0 ? copyOf(before) : entry(region, random);
            plain.put(region, entry);
            replaced(current.put(region, entry.queued()));
            schedule.put(entry.queued(), entry.priority());
        } else {
            remove(region);
        }
    }

    private void remove(EncodedRegionName region) {
        replaced(current.remove(region));
    }

    private void replaced(@Nullable QueuedRegion before) {
        if (before != null) {
            schedule.replaced(before);
        }
    }

    private static Entry copyOf(Entry entry) {
        return new Entry(entry.queued().dueAt(entry.queued().dueMs()), entry.priority());
    }

    private Entry entry(EncodedRegionName region, Random random) {
        ServedRegion served = new ServedRegion(
                region,
                new TableId("t"),
                HealRank.USER,
                TableHealingMode.ON,
                new ServerId("s", random.nextInt(6), 1),
                Optional.empty());
        HealPriority priority = new HealPriority(
                HealRank.values()[random.nextInt(4)],
                HeatClass.values()[random.nextInt(3)],
                random.nextInt(3),
                random.nextInt(2),
                region);
        return new Entry(
                QueuedRegion.arrived(served, true, 0).dueAt(nowMs - 20 + random.nextInt(60)),
                random.nextInt(5) == 0 ? priority.first() : priority);
    }

    private Optional<QueuedRegion> takeFromPlain(Predicate<ServerId> hasRoom) {
        Optional<Entry> first = plain.values().stream()
                .filter(this::isDue)
                .filter(entry -> hasRoom.test(entry.queued().region().server()))
                .min(Comparator.comparing(Entry::priority));
        first.ifPresent(entry -> plain.remove(entry.queued().region().region()));
        return first.map(Entry::queued);
    }

    private boolean isDue(Entry entry) {
        return entry.queued().dueMs() <= nowMs;
    }

    private static EncodedRegionName region(int number) {
        return new EncodedRegionName("r" + number);
    }
}
