// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.event;

import io.hearth.slo.event.ClusterEvent.Amount;
import io.hearth.slo.event.ClusterEvent.By;
import io.hearth.slo.event.ClusterReading.HearthReading;
import io.hearth.slo.event.ClusterReading.PlannedMove;
import io.hearth.slo.event.ClusterReading.Region;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tells what happened in a cluster from two readings that follow each other. The first one tells nothing. Not thread-safe.
 *
 * <p>Whose a region move is: Hearth's if one of its plans of the last quarter of an hour has it; not Hearth's if none has it; unknown where
 * plans have more moves than are listed, or Hearth can't be asked. A region that one reading lacks, since it is on its way, is looked for
 * in the next one too.
 *
 * <p>Of each kind, by each, it names the five largest and adds up the others: so a minute has at most {@value #MOST_NAMED} + 1 of a kind
 * by the same.
 */
public final class EventFinder {

    /** How many places of a kind are named in a minute. */
    public static final int MOST_NAMED = 5;

    private static final String MASTER = "the HMaster";
    private static final String HDFS = "HDFS";

    /** Longer than HBase's balancer carries out a plan. */
    private static final long PLAN_MS = Duration.ofMinutes(15).toMillis();

    /** How long a major compaction that was requested may wait and last. */
    private static final long COMPACTION_MS = Duration.ofHours(1).toMillis();

    private @Nullable ClusterReading last;

    private @Nullable HearthAnswer lastAnswer;

    private Map<String, Region> missingInLast = Map.of();
    private long requestedCompactionsMs = Long.MIN_VALUE;

    /** A finder that has seen nothing. */
    public EventFinder() {}

    /** What happened since the reading before. */
    public List<ClusterEvent> next(ClusterReading now) {
        List<ClusterEvent> events = new ArrayList<>();
        now.hearth()
                .flatMap(HearthReading::braked)
                .ifPresent(why ->
                        events.add(new ClusterEvent(now.atMs(), EventKind.BRAKED, MASTER, Amount.ONE, By.HEARTH, why)));
        ClusterReading before = last;
        if (before != null) {
            servers(before, now, events);
            hearth(now, events);
            regions(before, now, events);
        }
        missingInLast = before == null ? Map.of() : missing(before, now);
        last = now;
        now.hearth().ifPresent(hearth -> lastAnswer = new HearthAnswer(now.master(), hearth));
        return bounded(events);
    }

    /** What is known of a minute in which the cluster could not be asked. What happened meanwhile is in the next reading. */
    public List<ClusterEvent> notAnswered(long nowMs) {
        return List.of(ClusterEvent.of(nowMs, EventKind.NOT_KNOWN, MASTER, By.UNKNOWN));
    }

    private static Map<String, Region> missing(ClusterReading before, ClusterReading now) {
        Map<String, Region> missing = new HashMap<>();
        before.regions().forEach((name, region) -> {
            if (!now.regions().containsKey(name)) {
                missing.put(name, region);
            }
        });
        return missing;
    }

    private static void servers(ClusterReading before, ClusterReading now, List<ClusterEvent> events) {
        before.startCodeByServer().forEach((server, startCode) -> {
            Long startCodeNow = now.startCodeByServer().get(server);
            if (startCodeNow == null) {
                events.add(ClusterEvent.of(now.atMs(), EventKind.SERVER_GONE, server, By.OTHERS));
            } else if (!startCodeNow.equals(startCode)) {
                events.add(ClusterEvent.of(
                        startedAt(startCodeNow, before, now), EventKind.SERVER_RESTARTED, server, By.OTHERS));
            }
        });
        now.startCodeByServer().forEach((server, startCode) -> {
            if (!before.startCodeByServer().containsKey(server)) {
                events.add(
                        ClusterEvent.of(startedAt(startCode, before, now), EventKind.SERVER_JOINED, server, By.OTHERS));
            }
        });
        if (!before.master().equals(now.master())) {
            events.add(ClusterEvent.of(now.atMs(), EventKind.MASTER_CHANGED, now.master(), By.OTHERS));
        }
    }

    /** A start code is when the server started, by its own clock: used as far as it can be true. */
    private static long startedAt(long startCode, ClusterReading before, ClusterReading now) {
        return startCode > before.atMs() && startCode < now.atMs() ? startCode : now.atMs();
    }

    /** What the Hearth of a master said last. */
    private record HearthAnswer(String master, HearthReading reading) {}

    private void hearth(ClusterReading now, List<ClusterEvent> events) {
        HearthAnswer before = lastAnswer;
        if (before == null || now.hearth().isEmpty()) {
            return;
        }
        // A new master counts from 0.
        HearthReading base = before.master().equals(now.master()) ? before.reading() : HearthReading.NOT_INSTALLED;
        HearthReading hearth = now.hearth().get();
        long blocks = hearth.blocksMoved() - base.blocksMoved();
        if (blocks > 0) {
            Amount amount = new Amount(blocks, Math.max(0, hearth.bytesMoved() - base.bytesMoved()));
            events.add(new ClusterEvent(now.atMs(), EventKind.BLOCKS_MOVED, HDFS, amount, By.HEARTH, ""));
        }
        long compactions = hearth.compactionsRequested() - base.compactionsRequested();
        if (compactions > 0) {
            requestedCompactionsMs = now.atMs();
            events.add(new ClusterEvent(
                    now.atMs(), EventKind.COMPACTIONS_REQUESTED, MASTER, new Amount(compactions, 0), By.HEARTH, ""));
        }
    }

    /** Counts of one kind in one place, by the same. */
    private record Place(EventKind kind, By by, String where) {}

    private void regions(ClusterReading before, ClusterReading now, List<ClusterEvent> events) {
        Map<Place, Amount> amounts = new HashMap<>();
        now.regions().forEach((name, region) -> {
            Region earlier = before.regions().getOrDefault(name, missingInLast.get(name));
            if (earlier == null) {
                return;
            }
            if (isSameServer(earlier, region)) {
                worked(earlier, region, now, amounts);
            } else if (isLive(earlier, now)) {
                By by = moved(name, region.server(), before, now);
                add(amounts, new Place(EventKind.REGIONS_MOVED, by, region.server()), Amount.ONE);
            } else if (!earlier.server().equals(region.server())) {
                add(amounts, new Place(EventKind.REGIONS_REASSIGNED, By.OTHERS, earlier.server()), Amount.ONE);
            }
        });
        amounts.forEach((place, amount) ->
                events.add(new ClusterEvent(now.atMs(), place.kind(), place.where(), amount, place.by(), "")));
    }

    private static void add(Map<Place, Amount> amounts, Place place, Amount more) {
        amounts.merge(place, more, Amount::plus);
    }

    private static boolean isSameServer(Region one, Region other) {
        return one.startCode() == other.startCode() && one.server().equals(other.server());
    }

    private static boolean isLive(Region region, ClusterReading now) {
        return Objects.equals(now.startCodeByServer().get(region.server()), region.startCode());
    }

    private void worked(Region earlier, Region region, ClusterReading now, Map<Place, Amount> amounts) {
        if (region.flushedSequenceId() > earlier.flushedSequenceId()) {
            add(amounts, new Place(EventKind.REGIONS_FLUSHED, By.OTHERS, region.server()), Amount.ONE);
        }
        if (isCompacted(earlier, region)) {
            boolean isPerhapsRequested = now.hearth().isEmpty() || now.atMs() - COMPACTION_MS <= requestedCompactionsMs;
            By by = isPerhapsRequested ? By.UNKNOWN : By.OTHERS;
            add(amounts, new Place(EventKind.REGIONS_COMPACTED, by, region.server()), Amount.ONE);
        }
    }

    /** One that has made one file of some is missed where as many were flushed meanwhile. */
    private static boolean isCompacted(Region earlier, Region region) {
        return region.storeFiles() < earlier.storeFiles()
                || region.cellsToCompact() > 0
                || region.majorCompactedMs() > earlier.majorCompactedMs();
    }

    private static By moved(String region, String to, ClusterReading before, ClusterReading now) {
        if (now.hearth().isEmpty()) {
            return By.UNKNOWN;
        }
        HearthReading hearth = now.hearth().get();
        long sinceMs = before.atMs() - PLAN_MS;
        PlannedMove planned = hearth.plannedMoves().get(region);
        if (planned != null && planned.to().equals(to) && planned.atMs() >= sinceMs) {
            return By.HEARTH;
        }
        Optional<Long> unlisted = hearth.unlistedUntilMs();
        return unlisted.isPresent() && unlisted.get() >= sinceMs ? By.UNKNOWN : By.OTHERS;
    }

    private static List<ClusterEvent> bounded(List<ClusterEvent> events) {
        Map<EventKind, Map<By, List<ClusterEvent>>> groups = new TreeMap<>();
        events.forEach(event -> groups.computeIfAbsent(event.kind(), kind -> new TreeMap<>())
                .computeIfAbsent(event.by(), by -> new ArrayList<>())
                .add(event));
        List<ClusterEvent> bounded = new ArrayList<>();
        groups.values().forEach(byBy -> byBy.values().forEach(group -> bounded.addAll(largest(group))));
        return bounded;
    }

    private static List<ClusterEvent> largest(List<ClusterEvent> group) {
        List<ClusterEvent> sorted = new ArrayList<>(group);
        sorted.sort(
                Comparator.comparingLong((ClusterEvent event) -> event.amount().count())
                        .thenComparingLong(event -> event.amount().size())
                        .reversed()
                        .thenComparing(ClusterEvent::where));
        if (sorted.size() <= MOST_NAMED + 1) {
            return sorted;
        }
        List<ClusterEvent> named = new ArrayList<>(sorted.subList(0, MOST_NAMED));
        List<ClusterEvent> others = sorted.subList(MOST_NAMED, sorted.size());
        ClusterEvent first = others.get(0);
        named.add(new ClusterEvent(
                first.atMs(),
                first.kind(),
                others.size() + " others",
                others.stream().map(ClusterEvent::amount).reduce(Amount.NONE, Amount::plus),
                first.by(),
                ""));
        return named;
    }
}
