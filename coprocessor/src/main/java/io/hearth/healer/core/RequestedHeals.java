// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.core.HealerState.HealListener;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.move.TrackedMove.MoveState;
import io.hearth.healer.plan.MovePlan;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/**
 * The heals that persons asked this healer for, each with the block moves of its regions: those that were open when it was asked for
 * and those begun since. A move of a region that two of them name counts for both. Thread-safe.
 *
 * <p>The oldest are forgotten where there are more than {@value #MOST_HEALS}, or where they name more than {@value #MOST_REGIONS} regions;
 * the newest never is.
 */
public final class RequestedHeals implements HealListener {

    private static final int MOST_HEALS = 100;
    private static final int MOST_REGIONS = 1_000_000;

    private final Deque<Heal> newestFirst = new ArrayDeque<>();
    private final Map<BlockId, EncodedRegionName> regionByOpenBlock = new HashMap<>();

    /**
     * What came of one heal so far. Immutable.
     *
     * @param id names the heal; no other master has it
     * @param openMoves moves that were planned and have not ended
     * @param verifiedMoves moves that the NameNode has confirmed
     * @param verifiedBytes bytes of these
     * @param failedMoves moves that have ended otherwise, but for those that were cancelled
     * @param bytesAcrossRacks bytes that its moves copied from one rack into another; empty where a master of an older version does not tell
     */
    public record HealCounts(
            String id,
            int openMoves,
            int verifiedMoves,
            long verifiedBytes,
            int failedMoves,
            OptionalLong bytesAcrossRacks) {}

    /**
     * Counts the moves of these regions from now on, and returns the heal's id.
     *
     * @param id the heal that they belong to; a new one begins where it is empty or not known here
     */
    public synchronized String add(Optional<String> id, Collection<EncodedRegionName> regions) {
        Heal heal = newestFirst.stream()
                .filter(one -> id.filter(one.id::equals).isPresent())
                .findFirst()
                .orElseGet(this::begin);
        heal.regions.addAll(regions);
        while (newestFirst.size() > MOST_HEALS || (newestFirst.size() > 1 && namedRegions() > MOST_REGIONS)) {
            newestFirst.removeLast();
        }
        return heal.id;
    }

    private Heal begin() {
        Heal heal = new Heal(UUID.randomUUID().toString());
        newestFirst.addFirst(heal);
        return heal;
    }

    private int namedRegions() {
        return newestFirst.stream().mapToInt(heal -> heal.regions.size()).sum();
    }

    /** What came of each, newest first. */
    public synchronized List<HealCounts> newestFirst() {
        return newestFirst.stream()
                .map(heal -> heal.counts(regionByOpenBlock.values()))
                .toList();
    }

    @Override
    public synchronized void planned(ServedRegion region, MovePlan plan, List<BlockMove> taken) {
        taken.forEach(move -> regionByOpenBlock.put(move.block(), move.region()));
    }

    @Override
    public synchronized void ended(BlockMove move, MoveState end) {
        regionByOpenBlock.remove(move.block());
        newestFirst.stream()
                .filter(heal -> heal.regions.contains(move.region()))
                .forEach(heal -> heal.ended(move, end));
    }

    @Override
    public synchronized void copiedAcrossRacks(BlockMove move, long bytes) {
        newestFirst.stream()
                .filter(heal -> heal.regions.contains(move.region()))
                .forEach(heal -> heal.bytesAcrossRacks += bytes);
    }

    @Override
    public synchronized void startedOver() {
        regionByOpenBlock.clear();
    }

    /** One heal while it is counted. */
    private static final class Heal {

        private final String id;
        private final Set<EncodedRegionName> regions = new HashSet<>();
        private int verifiedMoves;
        private long verifiedBytes;
        private int failedMoves;
        private long bytesAcrossRacks;

        Heal(String id) {
            this.id = id;
        }

        void ended(BlockMove move, MoveState end) {
            if (end == MoveState.VERIFIED) {
                verifiedMoves++;
                verifiedBytes += move.lengthBytes();
            } else if (end != MoveState.CANCELLED) {
                failedMoves++;
            }
        }

        HealCounts counts(Collection<EncodedRegionName> regionsOfOpenMoves) {
            long openMoves =
                    regionsOfOpenMoves.stream().filter(regions::contains).count();
            return new HealCounts(
                    id, (int) openMoves, verifiedMoves, verifiedBytes, failedMoves, OptionalLong.of(bytesAcrossRacks));
        }
    }
}
