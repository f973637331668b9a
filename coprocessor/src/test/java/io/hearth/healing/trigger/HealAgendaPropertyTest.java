package io.hearth.healing.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import io.hearth.healing.model.HealMode;
import io.hearth.healing.model.HealRank;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.trigger.HealPriority.Worth;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The agenda beside the plain form: a map that is searched from end to end. */
class HealAgendaPropertyTest {

    private static final int STEPS = 3_000;

    private record Entry(QueuedRegion queued, HealPriority priority) {}

    private final HealAgenda agenda = new HealAgenda();
    private final Map<RegionId, Entry> plain = new TreeMap<>();
    private long nowMs;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 60);
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
                    agenda.clear();
                    plain.clear();
                }
                case 1, 2, 3, 4 -> nowMs += random.nextInt(50);
                default -> {
                    if (random.nextInt(3) == 0) {
                        takeFromBoth(random, where);
                    } else {
                        lookNow(region(random.nextInt(regions)), random);
                    }
                }
            }
        }
        Predicate<ServerId> all = server -> true;
        nowMs = Long.MAX_VALUE - 1;
        for (int left = plain.size(); left >= 0; left--) {
            assertThat(agenda.take(nowMs, all)).as("seed %d, the rest", seed).isEqualTo(takeFromPlain(all));
        }
    }

    private void takeFromBoth(Random random, String where) {
        int free = random.nextInt(8);
        Predicate<ServerId> hasRoom = server -> (free >> (server.port() % 3) & 1) == 1;
        assertThat(agenda.hasDue(nowMs))
                .as(where)
                .isEqualTo(plain.values().stream().anyMatch(this::isDue));
        assertThat(agenda.take(nowMs, hasRoom)).as(where).isEqualTo(takeFromPlain(hasRoom));
    }

    /** As the queue does it: out and in again, or in the place of what was there; sometimes with the same time and priority as before, or not in again. */
    private void lookNow(RegionId region, Random random) {
        Entry before = plain.remove(region);
        if (random.nextInt(3) == 0) {
            agenda.remove(region);
        }
        if (random.nextInt(8) > 0) {
            Entry entry = before != null && random.nextInt(4) == 0 ? before : entry(region, random);
            plain.put(region, entry);
            agenda.put(entry.queued(), entry.priority());
        } else {
            agenda.remove(region);
        }
    }

    private Entry entry(RegionId region, Random random) {
        ServedRegion served = new ServedRegion(
                region,
                new TableId("t"),
                HealRank.USER,
                HealMode.ON,
                new ServerId("s", random.nextInt(6), 1),
                Optional.empty());
        HealPriority priority = new HealPriority(
                HealRank.values()[random.nextInt(4)],
                Worth.values()[random.nextInt(3)],
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

    private static RegionId region(int number) {
        return new RegionId("r" + number);
    }
}
