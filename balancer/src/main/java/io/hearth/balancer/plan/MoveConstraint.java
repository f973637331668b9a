// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.plan;

/** A rule that no weight can buy: a move that breaks it is not made. */
public enum MoveConstraint {
    /** The region is pinned. */
    PINNED("it is pinned"),
    /** A server would leave the slop around the mean number of regions. */
    COUNT_SLOP("a server's number of regions would leave the slop (hbase.regions.slop)"),
    /** The server is not to be given regions. */
    NOT_A_TARGET("no server that may be given regions has room"),
    /** Another replica of the same region is on that host. */
    REPLICA_ON_HOST("a replica of the same region is on the host"),
    /** Another replica of the same region is on that rack, and there are racks enough. */
    REPLICA_ON_RACK("a replica of the same region is on the rack"),
    /** The table has had all its moves for heat. */
    TABLE_BUDGET("its table has had all its moves of this hour (HEARTH_MAX_MOVES_PER_HOUR)"),
    /** The plan is full. */
    MOVE_LIMIT("the plan has as many moves as it may have (hbase.master.balancer.stochastic.maxMovePercent, and what"
            + " hearth.balancer.max.moves.per.second allows within hbase.balancer.max.balancing)"),
    /** The plan has as many moves for heat as it may have. */
    HEAT_MOVE_LIMIT(
            "the plan has as many moves for heat as it may have after a run that came out otherwise than predicted");

    private final String text;

    MoveConstraint(String text) {
        this.text = text;
    }

    /** The rule's objection, as the end of a sentence. */
    public String text() {
        return text;
    }
}
