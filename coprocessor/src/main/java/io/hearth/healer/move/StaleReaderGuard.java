// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.move;

import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.DataNode;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps moves from hurting open readers. A reader whose block locations are old asks a DataNode that has given its replica up,
 * and then marks it dead for the whole file; it stalls once every holder that it knows of some block is marked. So until
 * readers have refreshed their locations
 *
 * <ul>
 *   <li>a block moves once;
 *   <li>the moves of a file take from so few DataNodes that of each of its blocks that moves, some former holder gave nothing.
 *       Where replicas are too few for that, from one DataNode at a time.
 * </ul>
 *
 * A move counts from its start, and for the refresh interval after its end. Some move of a file may always start once the
 * interval has passed since the last one's end. A turn costs what was refreshed since the one before, however many files are
 * remembered. Not thread-safe.
 */
final class StaleReaderGuard {

    private static final long UNDER_WAY = Long.MAX_VALUE;

    private record Refresh(long ms, String filePath) {}

    private final Map<String, RecentFileMoves> fileByPath = new HashMap<>();
    private final PriorityQueue<Refresh> refreshes = new PriorityQueue<>(Comparator.comparingLong(Refresh::ms));
    private Set<String> unblockedFiles = new LinkedHashSet<>();

    /** Whether this move may start as far as readers go. */
    boolean allows(BlockMove move) {
        RecentFileMoves file = fileByPath.get(move.filePath());
        return file == null || file.allows(move);
    }

    void planned(BlockMove move) {
        fileByPath
                .computeIfAbsent(move.filePath(), path -> new RecentFileMoves())
                .planned(move);
    }

    void started(BlockMove move) {
        fileByPath
                .computeIfAbsent(move.filePath(), path -> new RecentFileMoves())
                .started(move, UNDER_WAY);
    }

    /** A move was taken back that had not started. */
    void cancelled(BlockMove move) {
        RecentFileMoves file = fileByPath.get(move.filePath());
        if (file != null) {
            file.cancelled(move);
            changed(move.filePath(), file);
        }
    }

    /** The attempt or the move is over, however it ended, and readers may not have heard of it until then. */
    void ended(BlockMove move, boolean isOver, long untilMs) {
        RecentFileMoves file = fileByPath.get(move.filePath());
        if (file != null) {
            file.ended(move, isOver, untilMs);
            refreshes.add(new Refresh(untilMs, move.filePath()));
        }
    }

    /** Forgets what readers have refreshed. */
    void forgetRefreshed(long nowMs) {
        while (!refreshes.isEmpty() && refreshes.element().ms() <= nowMs) {
            String path = refreshes.remove().filePath();
            RecentFileMoves file = fileByPath.get(path);
            if (file != null && file.forgetRefreshed(nowMs)) {
                changed(path, file);
            }
        }
    }

    /** The files whose moves may be allowed now though they were not before, since the last time. */
    Set<String> takeUnblockedFiles() {
        Set<String> taken = unblockedFiles;
        unblockedFiles = new LinkedHashSet<>();
        return taken;
    }

    /** The number of files of which something is remembered. */
    int files() {
        return fileByPath.size();
    }

    private void changed(String path, RecentFileMoves file) {
        unblockedFiles.add(path);
        if (file.isForgotten()) {
            fileByPath.remove(path);
        }
    }

    /** Who gives replicas of one file up, and where readers look for those of its blocks that move. Not thread-safe. */
    private static final class RecentFileMoves {

        private record MissedReplica(DataNode.Id source, long untilMs) {}

        /** The blocks of which readers may miss a replica. */
        private final Map<BlockId, MissedReplica> missedByBlock = new HashMap<>();

        /** The DataNodes that readers may miss some block's replica at, and of how many blocks. */
        private final Map<DataNode.Id, Integer> missedBySource = new HashMap<>();

        private final Map<BlockId, Set<DataNode.Id>> holdersByBlock = new HashMap<>();
        private final Set<BlockId> waiting = new HashSet<>();

        /** Sources that would be one too many as things are: the answer costs a pass over every block. */
        private final Set<DataNode.Id> stallingSources = new HashSet<>();

        boolean allows(BlockMove move) {
            if (missedByBlock.isEmpty()) {
                return true;
            }
            if (missedByBlock.containsKey(move.block())) {
                return false;
            }
            Set<DataNode.Id> sources = missedBySource.keySet();
            if (sources.contains(move.source().id())) {
                return sources.size() == 1 || !sources.containsAll(knownHolders(move));
            }
            return !stallingSources.contains(move.source().id()) && admitsAnotherSource(move, sources);
        }

        private boolean admitsAnotherSource(BlockMove move, Set<DataNode.Id> sources) {
            Set<DataNode.Id> all = new HashSet<>(sources);
            all.add(move.source().id());
            boolean stalls = all.containsAll(knownHolders(move))
                    || holdersByBlock.values().stream().anyMatch(all::containsAll);
            if (stalls) {
                stallingSources.add(move.source().id());
            }
            return !stalls;
        }

        void planned(BlockMove move) {
            waiting.add(move.block());
            holdersByBlock.put(move.block(), holders(move));
            stallingSources.clear();
        }

        void started(BlockMove move, long untilMs) {
            waiting.remove(move.block());
            holdersByBlock.put(move.block(), holders(move));
            forget(missedByBlock.put(
                    move.block(), new MissedReplica(move.source().id(), untilMs)));
            missedBySource.merge(move.source().id(), 1, Integer::sum);
            stallingSources.clear();
        }

        void cancelled(BlockMove move) {
            waiting.remove(move.block());
            if (!missedByBlock.containsKey(move.block())) {
                holdersByBlock.remove(move.block());
            }
            stallingSources.clear();
        }

        void ended(BlockMove move, boolean isOver, long untilMs) {
            if (!isOver) {
                waiting.add(move.block());
            }
            missedByBlock.computeIfPresent(
                    move.block(), (block, missed) -> new MissedReplica(missed.source(), untilMs));
            stallingSources.clear();
        }

        /** Forgets what readers have refreshed; returns whether that was anything. */
        boolean forgetRefreshed(long nowMs) {
            List<BlockId> refreshed = missedByBlock.entrySet().stream()
                    .filter(missed -> missed.getValue().untilMs() <= nowMs)
                    .map(Map.Entry::getKey)
                    .toList();
            for (BlockId block : refreshed) {
                forget(missedByBlock.remove(block));
                if (!waiting.contains(block)) {
                    holdersByBlock.remove(block);
                }
            }
            stallingSources.clear();
            return !refreshed.isEmpty();
        }

        /** Whether nothing is remembered. */
        boolean isForgotten() {
            return holdersByBlock.isEmpty();
        }

        private void forget(@Nullable MissedReplica missed) {
            if (missed != null) {
                missedBySource.computeIfPresent(missed.source(), (source, blocks) -> blocks > 1 ? blocks - 1 : null);
            }
        }

        /** Without making them anew for each question about a block that is known. */
        private Set<DataNode.Id> knownHolders(BlockMove move) {
            Set<DataNode.Id> known = waiting.contains(move.block()) ? holdersByBlock.get(move.block()) : null;
            return known == null ? holders(move) : known;
        }

        /** The DataNodes at which a reader looks for the block before it moves. */
        private static Set<DataNode.Id> holders(BlockMove move) {
            return Stream.concat(move.proxies().stream(), Stream.of(move.source()))
                    .map(DataNode::id)
                    .collect(Collectors.toUnmodifiableSet());
        }
    }
}
