package io.hearth.healing.execute;

import io.hearth.healing.model.BlockId;
import io.hearth.healing.model.BlockMove;
import io.hearth.healing.model.DataNode;
import io.hearth.healing.model.DataNodeId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Who gives replicas of one file up, and where readers look for those of its blocks that move. Not thread-safe. */
final class SpacedFile {

    private record Missed(DataNodeId giver, long untilMs) {}

    /** The blocks of which readers may miss a replica. */
    private final Map<BlockId, Missed> missedByBlock = new HashMap<>();

    /** The DataNodes that readers may miss some block's replica at, and of how many blocks. */
    private final Map<DataNodeId, Integer> missedByGiver = new HashMap<>();

    private final Map<BlockId, Set<DataNodeId>> holdersByBlock = new HashMap<>();
    private final Set<BlockId> waiting = new HashSet<>();

    /** Givers that would be one too many as things are: the answer costs a look at every block. */
    private final Set<DataNodeId> oneTooMany = new HashSet<>();

    boolean allows(BlockMove move) {
        if (missedByBlock.isEmpty()) {
            return true;
        }
        if (missedByBlock.containsKey(move.block())) {
            return false;
        }
        Set<DataNodeId> gave = missedByGiver.keySet();
        if (gave.contains(move.giver().id())) {
            return gave.size() == 1 || !gave.containsAll(knownHolders(move));
        }
        return !oneTooMany.contains(move.giver().id()) && takesAnother(move, gave);
    }

    private boolean takesAnother(BlockMove move, Set<DataNodeId> gave) {
        Set<DataNodeId> all = new HashSet<>(gave);
        all.add(move.giver().id());
        boolean stalls = all.containsAll(knownHolders(move))
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
        forget(missedByBlock.put(move.block(), new Missed(move.giver().id(), untilMs)));
        missedByGiver.merge(move.giver().id(), 1, Integer::sum);
        oneTooMany.clear();
    }

    void takenBack(BlockMove move) {
        waiting.remove(move.block());
        if (!missedByBlock.containsKey(move.block())) {
            holdersByBlock.remove(move.block());
        }
        oneTooMany.clear();
    }

    void ended(BlockMove move, boolean isOver, long untilMs) {
        if (!isOver) {
            waiting.add(move.block());
        }
        missedByBlock.computeIfPresent(move.block(), (block, missed) -> new Missed(missed.giver(), untilMs));
        oneTooMany.clear();
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
        oneTooMany.clear();
        return !refreshed.isEmpty();
    }

    /** Whether nothing is remembered. */
    boolean isForgotten() {
        return holdersByBlock.isEmpty();
    }

    private void forget(@Nullable Missed missed) {
        if (missed != null) {
            missedByGiver.computeIfPresent(missed.giver(), (giver, blocks) -> blocks > 1 ? blocks - 1 : null);
        }
    }

    /** Without making them anew for each question about a block that is known. */
    private Set<DataNodeId> knownHolders(BlockMove move) {
        Set<DataNodeId> known = waiting.contains(move.block()) ? holdersByBlock.get(move.block()) : null;
        return known == null ? holders(move) : known;
    }

    /** The DataNodes at which a reader looks for the block before it moves. */
    private static Set<DataNodeId> holders(BlockMove move) {
        return Stream.concat(move.proxies().stream(), Stream.of(move.giver()))
                .map(DataNode::id)
                .collect(Collectors.toUnmodifiableSet());
    }
}
