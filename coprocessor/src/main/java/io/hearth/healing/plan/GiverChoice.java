package io.hearth.healing.plan;

import io.hearth.healing.model.DataNode;
import io.hearth.healing.model.DataNodeId;
import io.hearth.healing.model.Replica;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The order in which holders are asked to give a replica up, the best one first. These are preferences; what must hold was
 * tested before.
 *
 * <ol>
 *   <li>not on the host of a server whose region reads the same file through a reference or a link: else two regions take
 *       the replica from one another, and a short-circuit reader there loses all its short-circuit reads for minutes;
 *   <li>on a rack with another holder, so that the block spans more racks afterwards rather than as many;
 *   <li>from which least of this file was taken so far: a reader marks a DataNode that has lost a replica as dead for the
 *       whole stream, so the blocks of a file should not all leave one DataNode;
 *   <li>by id.
 * </ol>
 *
 * The host of the region's own server needs no mention: a holder there means that the block is local.
 */
final class GiverChoice implements Comparator<Replica> {

    private final Map<String, Long> holdersByRack;
    private final @Nullable SortedSet<String> sharers;
    private final ToIntFunction<DataNodeId> givenInThisFile;

    GiverChoice(
            List<DataNode> holders, @Nullable SortedSet<String> sharers, ToIntFunction<DataNodeId> givenInThisFile) {
        this.holdersByRack = holders.stream()
                .map(DataNode::rack)
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        this.sharers = sharers;
        this.givenInThisFile = givenInThisFile;
    }

    @Override
    public int compare(Replica left, Replica right) {
        return Comparator.comparing((Replica replica) -> isShared(replica.node()))
                .thenComparing(replica -> isAloneOnItsRack(replica.node()))
                .thenComparingInt(
                        replica -> givenInThisFile.applyAsInt(replica.node().id()))
                .thenComparing(Comparator.naturalOrder())
                .compare(left, right);
    }

    private boolean isShared(DataNode node) {
        return sharers != null && sharers.stream().anyMatch(node::isOn);
    }

    private boolean isAloneOnItsRack(DataNode node) {
        return holdersByRack.getOrDefault(node.rack(), 0L) <= 1;
    }
}
