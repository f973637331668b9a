package io.hearth.datanode.grace;

/** What is counted about the grace, each in replicas unless it says otherwise. */
public enum GraceCounter {
    DELAYED("Delayed", "Deletions that were made to wait; one that is ordered twice counts once"),
    RELEASED_IN_TIME("ReleasedInTime", "Deletions that were issued when their grace was over"),
    RELEASED_FOR_SPACE("ReleasedForSpace", "Deletions that did not wait, or not to the end, for want of free space"),
    RELEASED_OVER_LIMIT(
            "ReleasedOverLimit",
            "Deletions that did not wait, or not to the end, because too many or too large ones did"),
    NOT_READ(
            "NotRead",
            "Deletions that did not wait because no client had opened the replica within the time they would have waited"),
    REPORTED_BAD(
            "ReportedBad", "Deletions that did not wait, or not to the end, because this DataNode had found them bad"),
    RELEASED_AT_STOP("ReleasedAtStop", "Deletions that were issued because the DataNode or a block pool was stopped"),
    RELEASED_AFTER_FAILURE("ReleasedAfterFailure", "Deletions that were issued because the grace had failed"),
    DROPPED_WITH_BLOCK_POOL("DroppedWithBlockPool", "Deletions that were forgotten with the data of their block pool"),
    FAILURES("Failures", "Times that the grace failed and HDFS went on without it");

    private final String metric;
    private final String doc;

    GraceCounter(String metric, String doc) {
        this.metric = metric;
        this.doc = doc;
    }

    /** The name in the DataNode's metrics. */
    public String metric() {
        return metric;
    }

    public String doc() {
        return doc;
    }
}
