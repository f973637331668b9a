// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.move;

import io.hearth.healer.model.BlockId;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNodeId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Who gives replicas of one file up, and where readers look for those of its blocks that move. Not thread-safe. */
final class RecentFileMoves {

    private record MissedReplica(DataNodeId source, long untilMs) {}

    /** The blocks of which readers may miss a replica. */
    private final Map<BlockId, MissedReplica> missedByBlock = new HashMap<>();

    /** The DataNodes that readers may miss some block's replica at, and of how many blocks. */
    private final Map<DataNodeId, Integer> missedBySource = new HashMap<>();

    private final Map<BlockId, Set<DataNodeId>> holdersByBlock = new HashMap<>();
    private final Set<BlockId> waiting = new HashSet<>();

    /** Sources that would be one too many as things are: the answer costs a look at every block. */
    private final Set<DataNodeId> stallingSources = new HashSet<>();

    boolean allows(BlockMove move) {
        if (missedByBlock.isEmpty()) {
            return true;
        }
        if (missedByBlock.containsKey(move.block())) {
            return false;
        }
        Set<DataNodeId> sources = missedBySource.keySet();
        if (sources.contains(move.source().id())) {
            return sources.size() == 1 || !sources.containsAll(knownHolders(move));
        }
        return !stallingSources.contains(move.source().id()) && admitsAnotherSource(move, sources);
    }

    private boolean admitsAnotherSource(BlockMove move, Set<DataNodeId> sources) {
        Set<DataNodeId> all = new HashSet<>(sources);
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
        forget(missedByBlock.put(move.block(), new MissedReplica(move.source().id(), untilMs)));
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
        missedByBlock.computeIfPresent(move.block(), (block, missed) -> new MissedReplica(missed.source(), untilMs));
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
    private Set<DataNodeId> knownHolders(BlockMove move) {
        Set<DataNodeId> known = waiting.contains(move.block()) ? holdersByBlock.get(move.block()) : null;
        return known == null ? holders(move) : known;
    }

    /** The DataNodes at which a reader looks for the block before it moves. */
    private static Set<DataNodeId> holders(BlockMove move) {
        return Stream.concat(move.proxies().stream(), Stream.of(move.source()))
                .map(DataNode::id)
                .collect(Collectors.toUnmodifiableSet());
    }
}
