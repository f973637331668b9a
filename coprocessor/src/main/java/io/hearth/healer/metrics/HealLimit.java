// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.metrics;

/** What keeps healing from starting the next move. The order is that of the numbers in {@code /jmx}. */
public enum HealLimit {
    /** No block waits: nothing is remote, or regions have not settled, or all moves are under way. */
    NOTHING_WAITS("nothing waits"),
    /** Healing is off, paused, outside of its windows, only advises, or another healer works. */
    HELD("healing is held"),
    /** {@code hearth.heal.cluster.moves} are under way. */
    CLUSTER_MOVES("moves of the cluster"),
    /** {@code hearth.heal.cluster.bandwidth} is used. */
    CLUSTER_BANDWIDTH("bandwidth of the cluster"),
    /** Most moves that wait are between racks, of which {@code hearth.heal.rack.bandwidth} is used or an uplink is slow. */
    RACK_BANDWIDTH("uplinks of racks"),
    /** Most moves that wait are to or from DataNodes that receive and send what they may. */
    DATANODE_BANDWIDTH("bandwidth of DataNodes"),
    /** Most moves that wait are to, from or for DataNodes that take part in as many as they may. */
    DATANODE_MOVES("moves of DataNodes"),
    /** Most moves that wait would leave open readers without a replica that they know of. */
    READERS("open readers"),
    /** Most moves that wait are tried again later, or their DataNodes were too busy. */
    BACK_OFF("DataNodes that failed or were busy"),
    /** The NameNode confirms moves too slowly: more moves would only wait. */
    CONFIRMATION("confirmation by the NameNode"),
    /** Regions wait to be listed, and the budget of NameNode calls is used. */
    NAMENODE_BUDGET("budget of NameNode calls");

    private final String label;

    HealLimit(String label) {
        this.label = label;
    }

    /** What is said after "held back by". */
    public String label() {
        return label;
    }
}
