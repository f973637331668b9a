// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.model;

/** Why a block or a file stays where it is. */
public enum SkipReason {
    /** A replica is on the host of the region's server, and nothing is under way. */
    ALREADY_LOCAL(true, "blocks with a replica on the host of their region's server"),
    /** More holders than its replication, or a move of this block is under way. */
    IN_FLIGHT(false, "blocks with more replicas than their replication, or with a move under way"),
    /** The file is still being written. */
    UNDER_CONSTRUCTION(false, "blocks of files that are still being written"),
    /** Fewer replicas in service than its replication: HDFS has to copy it first. */
    UNDER_REPLICATED(false, "blocks with fewer replicas in service than their replication"),
    /** The NameNode knows of no sound replica. */
    CORRUPT(false, "blocks whose replicas are all corrupt"),
    /** No DataNode is known on the host of the region's server. */
    NO_DATANODE_ON_HOST(false, "blocks of regions whose server has no DataNode on its host"),
    /** The DataNode on that host is stale, suspect, decommissioning or in maintenance. */
    TARGET_NOT_IN_SERVICE(false, "blocks whose target DataNode is stale, suspect, decommissioning or in maintenance"),
    /** The DataNode on that host has no room for it, beside what this plan and earlier ones have given it. */
    TARGET_FULL(false, "blocks whose target DataNode has no room for them"),
    /** No holder can give its replica up without a breach of the placement policy. */
    NO_REMOVABLE_REPLICA(false, "blocks of which no replica may go under the placement policy"),
    /** Every holder is stale, suspect, decommissioning or in maintenance. */
    NO_PROXY_IN_SERVICE(false, "blocks without a replica in service to copy from"),
    /** Every holder that could give its replica up serves the block to another region, from the same host. */
    LOCAL_TO_OTHER_REGION(false, "blocks of which every replica that may go is local to another region"),
    /** The replicas lie on other storage types than the file's storage policy wants: HDFS's Mover has to move them first. */
    STORAGE_POLICY_UNMET(false, "blocks on storage types that their file's storage policy does not want"),
    /** A compaction that is queued is likely to replace the file by one that is written locally. */
    COMPACTION_PENDING(false, "blocks of files that a compaction is likely to replace, or has just replaced"),
    /** More bytes than the plan may move. */
    OVER_BUDGET(false, "blocks that did not fit into the bytes that a plan may move"),
    /** A replica lies outside of HDFS or in memory. */
    NOT_MOVABLE_STORAGE(true, "blocks with a replica on PROVIDED or RAM_DISK storage"),
    /** Its replicas are pinned to favoured nodes, and DataNodes refuse to move them. */
    PINNED(true, "blocks pinned to the favoured nodes of their region"),
    /** Erasure coded: its parts are no replicas. */
    STRIPED(true, "block groups of erasure-coded files"),
    /** A reference file or HFileLink whose file is at none of the places where it may be. */
    DANGLING_REFERENCE(false, "references and HFileLinks whose file was not found"),
    /** A MOB file of no region that there is, by its name: regions that were split or merged, or of another table. */
    UNOWNED_MOB(true, "MOB files that no single region reads, by their names");

    private final boolean permanent;
    private final String doc;

    SkipReason(boolean permanent, String doc) {
        this.permanent = permanent;
        this.doc = doc;
    }

    /** Whether there is nothing to wait for: false means "not now", so that the region is checked again. */
    public boolean permanent() {
        return permanent;
    }

    /** What is counted under this reason. */
    public String doc() {
        return doc;
    }
}
