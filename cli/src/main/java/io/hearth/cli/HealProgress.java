// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.cli.heal.CachedTableDescriptors;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.healer.core.HealerState.HealListener;
import io.hearth.healer.core.RequestedHeals.HealCounts;
import io.hearth.healer.estimate.HealEstimate;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.ReportedLocality;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import io.hearth.healer.model.SkipReason;
import io.hearth.healer.move.TrackedMove.MoveState;
import io.hearth.healer.plan.MovePlan;
import io.hearth.healer.spi.Assignments.AssignmentSnapshot;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** Follows a heal region by region. Thread-safe: the healing thread tells, another one asks. */
final class HealProgress implements HealListener {

    /** What the NameNode said of a region on a server, and what was verified since. */
    private record ListedRegion(ServerId server, long localBytes, long totalBytes, MovePlan plan) {

        ListedRegion plus(long bytes) {
            return new ListedRegion(server, Math.min(totalBytes, localBytes + bytes), totalBytes, plan);
        }
    }

    private final double target;
    private final boolean everyRegion;
    private final Set<EncodedRegionName> asked = new HashSet<>();
    private final Map<EncodedRegionName, ListedRegion> listedByRegion = new HashMap<>();
    private final Set<BlockId> open = new HashSet<>();
    private Map<EncodedRegionName, ServedRegion> served = Map.of();
    private Optional<Double> firstLocality = Optional.empty();
    private Map<EncodedRegionName, Long> firstLocalBytesByRegion = Map.of();
    private boolean countsByReports;
    private OptionalInt masterOpenMoves = OptionalInt.empty();
    private Optional<HealCounts> masterCounts = Optional.empty();
    private Map<EncodedRegionName, String> localNotReported = Map.of();
    private boolean seenAll;
    private Optional<String> privilegeMissing = Optional.empty();
    private Optional<String> nameNodeFailure = Optional.empty();
    private Optional<HealEstimate> estimate = Optional.empty();
    private long verifiedBytes;
    private int failedMoves;
    private long bytesAcrossRacks;
    private int changes;

    /** @param target the locality that is asked for */
    HealProgress(double target) {
        this(target, false);
    }

    /** @param everyRegion whether regions that are reported local are to be listed too */
    HealProgress(double target, boolean everyRegion) {
        this.target = target;
        this.everyRegion = everyRegion;
    }

    /** Takes in a snapshot of the cluster. Regions that are switched off, or out of scope, are none of ours. */
    synchronized void observed(AssignmentSnapshot snapshot) {
        Map<EncodedRegionName, ServedRegion> ours = new HashMap<>();
        snapshot.servedById().forEach((id, region) -> {
            if (region.mode() != TableHealingMode.OFF) {
                ours.put(id, region);
            }
        });
        served = ours;
        listedByRegion.entrySet().removeIf(entry -> {
            ServedRegion now = ours.get(entry.getKey());
            return now == null || !now.server().equals(entry.getValue().server());
        });
        // What is in transit in the first snapshot may be elsewhere, and remote, in the second.
        seenAll = snapshot.unserved().isEmpty() || firstLocality.isPresent();
        if (firstLocality.isEmpty()) {
            firstLocality = Optional.of(stats().locality());
            firstLocalBytesByRegion = new HashMap<>();
        }
        ours.forEach((id, region) -> region.reported()
                .ifPresent(reported -> firstLocalBytesByRegion.putIfAbsent(id, reported.localBytes())));
    }

    @Override
    public synchronized void planned(ServedRegion region, MovePlan plan, List<BlockMove> taken) {
        boolean isNew = !listedByRegion.containsKey(region.region());
        listedByRegion.put(
                region.region(), new ListedRegion(region.server(), plan.localBytes(), plan.totalBytes(), plan));
        taken.forEach(move -> open.add(move.block()));
        // That others can be planned does not mean that HBase shows a table which it has not shown.
        nameNodeFailure = nameNodeFailure.filter(why -> isNotShown(why)
                && !why.startsWith(
                        CachedTableDescriptors.NOT_SHOWN + region.table().name() + ":"));
        changes += isNew || !taken.isEmpty() ? 1 : 0;
    }

    @Override
    public synchronized void startedOver() {
        open.clear();
    }

    @Override
    public synchronized void ended(BlockMove move, MoveState end) {
        open.remove(move.block());
        changes++;
        if (end == MoveState.VERIFIED) {
            verifiedBytes += move.lengthBytes();
            listedByRegion.computeIfPresent(move.region(), (region, listed) -> listed.plus(move.lengthBytes()));
        } else if (end != MoveState.CANCELLED) {
            failedMoves++;
        }
    }

    @Override
    public synchronized void copiedAcrossRacks(BlockMove move, long bytes) {
        bytesAcrossRacks += bytes;
    }

    @Override
    public synchronized void privilegeMissing(String why) {
        privilegeMissing = Optional.of(why);
    }

    @Override
    public synchronized void nameNodeFailed(String why) {
        boolean isKept = nameNodeFailure.filter(HealProgress::isNotShown).isPresent() && !isNotShown(why);
        nameNodeFailure = isKept ? nameNodeFailure : Optional.of(why);
    }

    private static boolean isNotShown(String why) {
        return why.startsWith(CachedTableDescriptors.NOT_SHOWN);
    }

    /** The moves of the last plan of each region that were not taken up. */
    synchronized List<BlockMove> advisedMoves() {
        return listedByRegion.values().stream()
                .flatMap(listed -> listed.plan().moves().stream())
                .toList();
    }

    /** The regions whose blocks were listed. */
    synchronized int listedRegions() {
        return listedByRegion.size();
    }

    /** What the moves that would be made will take. */
    synchronized void estimated(HealEstimate now) {
        estimate = Optional.of(now);
    }

    /** Empty until all moves are known, and where there are none. */
    synchronized Optional<HealEstimate> estimate() {
        return estimate;
    }

    /** Why no move can be asked for at all; empty while nothing is known to be in the way. */
    synchronized Optional<String> privilegeMissing() {
        return privilegeMissing;
    }

    /** What the NameNode said last, if it failed. */
    synchronized Optional<String> nameNodeFailure() {
        return nameNodeFailure;
    }

    /** The moves are another process's: what this heal came to is counted by what the servers report, unless the master tells. */
    synchronized void countByReports() {
        countsByReports = true;
    }

    synchronized boolean countsByReports() {
        return countsByReports;
    }

    /** The moves that the healer in the master has open by its last word, which may be of other regions too. */
    synchronized void masterOpenMoves(int moves) {
        masterOpenMoves = OptionalInt.of(moves);
    }

    /** Empty where this process makes the moves, or the master has said nothing yet. */
    synchronized OptionalInt masterOpenMoves() {
        return masterOpenMoves;
    }

    /** The moves of this heal by the master's last word; empty where it does not know the heal. */
    synchronized void masterCounts(Optional<HealCounts> now) {
        masterCounts = now;
    }

    /** What the healer in the master knows to be local by the NameNode's locations and not reported yet: servers by region. */
    synchronized void localNotReported(Map<EncodedRegionName, String> serverByRegion) {
        localNotReported = Map.copyOf(serverByRegion);
    }

    /** Those of our regions that are local by the NameNode's locations and not reported yet. */
    synchronized List<EncodedRegionName> localNotReported() {
        return served.values().stream()
                .filter(this::isLocalNotReported)
                .map(ServedRegion::region)
                .sorted()
                .toList();
    }

    private boolean isLocalNotReported(ServedRegion region) {
        return region.server().toString().equals(localNotReported.get(region.region()))
                && region.reported().filter(reported -> reported.ratio() < 1).isPresent();
    }

    private long healedBytes() {
        if (!countsByReports) {
            return verifiedBytes;
        }
        return masterCounts.map(HealCounts::verifiedBytes).orElseGet(() -> served.values().stream()
                .mapToLong(this::reportedGainBytes)
                .sum());
    }

    private long reportedGainBytes(ServedRegion region) {
        return region.reported()
                .map(now -> Math.max(
                        0, now.localBytes() - firstLocalBytesByRegion.getOrDefault(region.region(), now.localBytes())))
                .orElse(0L);
    }

    /** Whether every region was seen, or is not to be seen. */
    synchronized boolean hasSeenAll() {
        return seenAll;
    }

    /** Whether there has been a snapshot. */
    synchronized boolean hasObserved() {
        return firstLocality.isPresent();
    }

    /** A number that grows whenever a region is listed for the first time, a move is taken up or one ends. */
    synchronized int changes() {
        return changes;
    }

    /** Our regions of which not every byte is reported local. */
    synchronized List<EncodedRegionName> notLocal() {
        return served.values().stream()
                .filter(region -> region.reported().map(ReportedLocality::ratio).orElse(0.0) < 1)
                .map(ServedRegion::region)
                .toList();
    }

    /** Those of our regions that nobody has listed and that were not taken here before, with the hosts of their servers. */
    synchronized Map<EncodedRegionName, String> takeUnlisted() {
        Map<EncodedRegionName, String> unlisted = new HashMap<>();
        served.forEach((id, region) -> {
            if (!listedByRegion.containsKey(id) && asked.add(id)) {
                unlisted.put(id, region.server().host());
            }
        });
        return unlisted;
    }

    /** Whether the server of each of our regions has reported it. */
    synchronized boolean hasEveryReport() {
        return served.values().stream().allMatch(region -> region.reported().isPresent());
    }

    synchronized HealStats stats() {
        StatsBuilder builder = new StatsBuilder();
        served.forEach((id, region) -> builder.add(region, Optional.ofNullable(listedByRegion.get(id))));
        return new HealStats(
                served.size(),
                builder.unlistedRegions,
                builder.compacting,
                builder.notLocal,
                builder.notReported,
                builder.localBytes,
                builder.totalBytes,
                firstLocality.orElse(0.0),
                healedBytes(),
                builder.advisedBytes,
                builder.advisedMoves,
                knowsMoves(),
                masterCounts.map(HealCounts::openMoves).orElseGet(() -> masterOpenMoves.orElse(open.size())),
                masterCounts.map(HealCounts::failedMoves).orElse(failedMoves),
                countsByReports
                        ? masterCounts.map(HealCounts::bytesAcrossRacks).orElse(OptionalLong.empty())
                        : OptionalLong.of(bytesAcrossRacks),
                builder.skippedBlocks);
    }

    private boolean knowsMoves() {
        return !countsByReports || masterCounts.isPresent();
    }

    /** The sums of one standing while they are made. */
    private final class StatsBuilder {

        private int unlistedRegions;
        private int compacting;
        private int notLocal;
        private int notReported;
        private long localBytes;
        private long totalBytes;
        private long advisedBytes;
        private int advisedMoves;
        private final Map<SkipReason, Long> skippedBlocks = new EnumMap<>(SkipReason.class);

        private void add(ServedRegion region, Optional<ListedRegion> listed) {
            if (listed.isPresent()) {
                add(listed.get());
            } else {
                boolean isLocal = isLocalNotReported(region);
                notReported += isLocal ? 1 : 0;
                region.reported()
                        .ifPresent(reported ->
                                add(isLocal ? reported.totalBytes() : reported.localBytes(), reported.totalBytes()));
                if (!isLocal && needsListing(region)) {
                    unlistedRegions++;
                    compacting += region.compaction().isRunning() ? 1 : 0;
                }
            }
        }

        private boolean needsListing(ServedRegion region) {
            return everyRegion
                    || region.reported()
                            .filter(reported -> reported.ratio() < target)
                            .isPresent();
        }

        private void add(ListedRegion listed) {
            add(listed.localBytes(), listed.totalBytes());
            advisedBytes += listed.plan().bytesToMove();
            advisedMoves += listed.plan().moves().size();
            listed.plan().skippedByReason().forEach((reason, count) -> {
                if (reason != SkipReason.ALREADY_LOCAL) {
                    skippedBlocks.merge(reason, count, Long::sum);
                }
            });
        }

        private void add(long local, long total) {
            localBytes += local;
            totalBytes += total;
            notLocal += local < total ? 1 : 0;
        }
    }
}
