package io.hearth.healer.plan;

import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNodeId;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The order in which holders are asked to give a replica up, the best one first. These are preferences; what must hold was
 * tested before.
 *
 * <ol>
 *   <li>not on the host that served the region before: its readers may still be open, and one lost replica costs a
 *       short-circuit reader all its short-circuit reads for minutes; and the region may come back;
 *   <li>not the {@link FailoverNode}: spreading the loss evenly would leave no server on which the region is at home after a
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
final class SourceReplicaOrder implements Comparator<DataNode> {

    /** A step is 5 points, half of what the HDFS Balancer leaves alone by default. */
    static final int FULLNESS_STEPS = 20;

    private final List<DataNode> holders;
    private final Optional<String> previousHost;
    private final Optional<DataNodeId> failoverNode;
    private final FilePlan file;

    SourceReplicaOrder(
            List<DataNode> holders, Optional<String> previousHost, Optional<DataNodeId> failoverNode, FilePlan file) {
        this.holders = holders;
        this.previousHost = previousHost;
        this.failoverNode = failoverNode;
        this.file = file;
    }

    @Override
    public int compare(DataNode one, DataNode other) {
        int order = Boolean.compare(servedBefore(one), servedBefore(other));
        order = order != 0 ? order : Boolean.compare(isFailoverNode(one), isFailoverNode(other));
        order = order != 0 ? order : Boolean.compare(isAloneOnItsRack(one), isAloneOnItsRack(other));
        order = order != 0 ? order : Integer.compare(fullness(other), fullness(one));
        order = order != 0 ? order : Integer.compare(file.takenFrom(one.id()), file.takenFrom(other.id()));
        return order != 0 ? order : one.compareTo(other);
    }

    private boolean servedBefore(DataNode node) {
        return previousHost.isPresent() && node.isOn(previousHost.get());
    }

    private boolean isFailoverNode(DataNode node) {
        return failoverNode.isPresent() && node.id().equals(failoverNode.get());
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
