package io.hearth.healing.execute;

import io.hearth.healing.model.BlockId;
import io.hearth.healing.model.BlockMove;
import io.hearth.healing.model.DataNode;
import io.hearth.healing.model.DataNodeId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Who gives replicas of one file up, and where readers look for those of its blocks that move. Not thread-safe. */
final class SpacedFile {

    /** For each giver, until when readers may miss its replica of which block. */
    private final Map<DataNodeId, Map<BlockId, Long>> untilMsByGiver = new HashMap<>();

    private final Map<BlockId, Set<DataNodeId>> holdersByBlock = new HashMap<>();
    private final Set<BlockId> waiting = new HashSet<>();

    /** Givers that would be one too many as things are: the answer costs a look at every block. */
    private final Set<DataNodeId> oneTooMany = new HashSet<>();

    boolean allows(BlockMove move) {
        if (untilMsByGiver.isEmpty()) {
            return true;
        }
        if (untilMsByGiver.values().stream().anyMatch(blocks -> blocks.containsKey(move.block()))) {
            return false;
        }
        Set<DataNodeId> gave = untilMsByGiver.keySet();
        if (gave.contains(move.giver().id())) {
            return gave.size() == 1 || !gave.containsAll(holders(move));
        }
        return !oneTooMany.contains(move.giver().id()) && takesAnother(move, gave);
    }

    private boolean takesAnother(BlockMove move, Set<DataNodeId> gave) {
        Set<DataNodeId> all = new HashSet<>(gave);
        all.add(move.giver().id());
        boolean stalls = all.containsAll(holders(move))
                || holdersByBlock.values().stream().anyMatch(all::containsAll);
        if (stalls) {
            oneTooMany.add(move.giver().id());
        }
        return !stalls;
    }

    void planned(BlockMove move) {
        waiting.add(move.block());
        holdersByBlock.put(move.block(), holders(move));
        oneTooMany.clear();
    }

    void gives(BlockMove move, long untilMs) {
        waiting.remove(move.block());
        holdersByBlock.put(move.block(), holders(move));
        untilMsByGiver
                .computeIfAbsent(move.giver().id(), giver -> new HashMap<>())
                .put(move.block(), untilMs);
        oneTooMany.clear();
    }

    void ended(BlockMove move, boolean isOver, long untilMs) {
        boolean wasWaiting = waiting.remove(move.block());
        if (!isOver) {
            waiting.add(move.block());
        }
        if (!wasWaiting) {
            untilMsByGiver
                    .getOrDefault(move.giver().id(), new HashMap<>())
                    .computeIfPresent(move.block(), (b, u) -> untilMs);
        }
        oneTooMany.clear();
    }

    /** Forgets what readers have refreshed; returns whether nothing is left. */
    boolean forgetRefreshed(long nowMs) {
        boolean changed = false;
        for (Map<BlockId, Long> blocks : untilMsByGiver.values()) {
            changed |= blocks.values().removeIf(untilMs -> untilMs <= nowMs);
        }
        changed |= untilMsByGiver.values().removeIf(Map::isEmpty);
        if (changed || untilMsByGiver.isEmpty()) {
            oneTooMany.clear();
            Set<BlockId> known = new HashSet<>(waiting);
            untilMsByGiver.values().forEach(blocks -> known.addAll(blocks.keySet()));
            holdersByBlock.keySet().retainAll(known);
        }
        return holdersByBlock.isEmpty();
    }

    /** The DataNodes at which a reader looks for the block before it moves. */
    private static Set<DataNodeId> holders(BlockMove move) {
        return Stream.concat(move.proxies().stream(), Stream.of(move.giver()))
                .map(DataNode::id)
                .collect(Collectors.toUnmodifiableSet());
    }
}
