package io.hearth.healing.model;

/**
 * What a region's server last said of compactions of it. Immutable.
 *
 * <p>HBase counts a compaction from the moment its files are chosen ({@code HRegion.reportCompactionRequestStart}), so that
 * one that only waits for a thread is told from one that runs by the cells it has written.
 *
 * @param reportedMs when that was said, in milliseconds since 1970
 */
public record Compaction(Phase phase, long reportedMs) {

    /** How far it has come. */
    public enum Phase {
        /** No files are chosen and none are written. */
        NONE,
        /** Some store's files are chosen and wait. */
        QUEUED,
        /** All files of some store are chosen and wait. */
        ALL_QUEUED,
        /** Files are being written. */
        RUNNING,
        /** The server has not reported the region, or says nothing of compactions. */
        UNKNOWN
    }

    /** There is none, whenever that was said. */
    public static final Compaction NONE = new Compaction(Phase.NONE, 0);

    /** Nobody has said anything. */
    public static final Compaction UNKNOWN = new Compaction(Phase.UNKNOWN, 0);

    /** A memstore is flushed once an hour at the latest, so that files as old as this were there for a compaction before. */
    static final long YOUNG_MS = 3_600_000;

    public boolean isRunning() {
        return phase == Phase.RUNNING;
    }

    /**
     * Whether a file that was written then is likely to be rewritten by what is queued. Which files are chosen is known to the
     * RegionServer alone; a minor compaction chooses from the youngest ones on.
     *
     * @param modifiedMs in milliseconds since 1970 by the NameNode's clock
     */
    public boolean isLikelyToRewrite(long modifiedMs) {
        return switch (phase) {
            case NONE, UNKNOWN -> false;
            case ALL_QUEUED -> true;
            case QUEUED, RUNNING -> reportedMs - modifiedMs < YOUNG_MS;
        };
    }
}
