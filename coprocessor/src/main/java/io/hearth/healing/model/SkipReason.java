package io.hearth.healing.model;

/** Why a block or a file stays where it is. */
public enum SkipReason {
    /** A replica is on the host of the region's server, and nothing is under way. */
    ALREADY_LOCAL(true, "blocks that have a replica on the host of their region's server"),
    /** More holders than its replication, or a move of this block is under way. */
    IN_FLIGHT(false, "blocks with more holders than their replication, or with a move under way"),
    /** The file is still being written. */
    UNDER_CONSTRUCTION(false, "blocks of files that are still being written"),
    /** Fewer replicas in service than its replication: HDFS has to copy it first. */
    UNDER_REPLICATED(false, "blocks with fewer replicas in service than their replication"),
    /** The NameNode knows of no sound replica. */
    CORRUPT(false, "blocks of which the NameNode knows no sound replica"),
    /** No DataNode is known on the host of the region's server. */
    NO_DATANODE_ON_HOST(false, "blocks of regions whose server has no DataNode on its host"),
    /** The DataNode on that host is stale, decommissioning or in maintenance. */
    TARGET_NOT_IN_SERVICE(false, "blocks whose target DataNode is stale, decommissioning or in maintenance"),
    /** No holder can give its replica up without a breach of the placement policy. */
    NO_PLACEMENT_SAFE_GIVER(false, "blocks of which no replica can be given up under the placement policy"),
    /** Every holder is stale, decommissioning or in maintenance. */
    NO_PROXY_IN_SERVICE(false, "blocks without a holder in service to copy from"),
    /** Erasure coded: its parts are no replicas. */
    STRIPED(true, "block groups of erasure-coded files"),
    /** A reference file: its data lies with the parent region until a compaction. */
    REFERENCE(true, "reference files, whose data lies with the parent region until a compaction"),
    /** An HFileLink: its data lies with another region or in the archive. */
    LINK(true, "HFileLinks, whose data lies with another region or in the archive");

    private final boolean settled;
    private final String doc;

    SkipReason(boolean settled, String doc) {
        this.settled = settled;
        this.doc = doc;
    }

    /** Whether there is nothing to wait for: false means "not now", so that the region is looked at again. */
    public boolean settled() {
        return settled;
    }

    /** What is counted under this reason. */
    public String doc() {
        return doc;
    }
}
