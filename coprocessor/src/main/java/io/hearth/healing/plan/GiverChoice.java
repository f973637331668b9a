package io.hearth.healing.plan;

import io.hearth.healing.model.DataNode;
import io.hearth.healing.model.DataNodeId;
import io.hearth.healing.model.Replica;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;

/**
 * The order in which holders are asked to give a replica up, the best one first. These are preferences; what must hold was
 * tested before.
 *
 * <ol>
 *   <li>not on the host that served the region before: its readers may still be open, and one lost replica costs a
 *       short-circuit reader all its short-circuit reads for minutes; and the region may come back;
 *   <li>not the {@link BestSurvivor}: spreading the loss evenly would leave no server on which the region is at home after a
 *       crash;
 *   <li>on a rack with another holder, so that the block spans more racks afterwards rather than as many;
 *   <li>the fullest, in steps of {@value #FULLNESS_STEPS} to the whole, so that DataNodes that are about as full count as
 *       equal;
 *   <li>from which least of this file was taken so far: a reader marks a DataNode that has lost a replica as dead for the
 *       whole stream, so the blocks of a file should not all leave one DataNode;
 *   <li>by id.
 * </ol>
 *
 * The host of the region's own server needs no mention: a holder there means that the block is local.
 */
final class GiverChoice implements Comparator<Replica> {

    /** A step is 5 points, half of what the HDFS Balancer leaves alone by default. */
    static final int FULLNESS_STEPS = 20;

    private final List<DataNode> holders;
    private final Optional<String> previousHost;
    private final Optional<DataNodeId> survivor;
    private final ToIntFunction<DataNodeId> givenInThisFile;

    GiverChoice(
            List<DataNode> holders,
            Optional<String> previousHost,
            Optional<DataNodeId> survivor,
            ToIntFunction<DataNodeId> givenInThisFile) {
        this.holders = holders;
        this.previousHost = previousHost;
        this.survivor = survivor;
        this.givenInThisFile = givenInThisFile;
    }

    @Override
    public int compare(Replica left, Replica right) {
        DataNode one = left.node();
        DataNode other = right.node();
        int order = Boolean.compare(servedBefore(one), servedBefore(other));
        order = order != 0 ? order : Boolean.compare(isSurvivor(one), isSurvivor(other));
        order = order != 0 ? order : Boolean.compare(isAloneOnItsRack(one), isAloneOnItsRack(other));
        order = order != 0 ? order : Integer.compare(fullness(other), fullness(one));
        order = order != 0
                ? order
                : Integer.compare(givenInThisFile.applyAsInt(one.id()), givenInThisFile.applyAsInt(other.id()));
        return order != 0 ? order : left.compareTo(right);
    }

    private boolean servedBefore(DataNode node) {
        return previousHost.isPresent() && node.isOn(previousHost.get());
    }

    private boolean isSurvivor(DataNode node) {
        return survivor.isPresent() && node.id().equals(survivor.get());
    }

    private boolean isAloneOnItsRack(DataNode node) {
        int onItsRack = 0;
        for (DataNode holder : holders) {
            onItsRack += holder.rack().equals(node.rack()) ? 1 : 0;
        }
        return onItsRack <= 1;
    }

    /** Unknown is below empty: nobody is relieved on a guess. */
    private static int fullness(DataNode node) {
        return node.usedShare().isPresent() ? (int) (node.usedShare().getAsDouble() * FULLNESS_STEPS) : -1;
    }
}
