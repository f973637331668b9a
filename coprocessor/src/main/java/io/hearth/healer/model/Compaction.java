// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.model;

import java.util.Optional;

/**
 * The state of a region's compactions as its RegionServer last reported it. Immutable.
 *
 * <p>HBase counts a compaction from the moment its files are chosen ({@code HRegion.reportCompactionRequestStart}), so that
 * one that only waits for a thread is told from one that runs by the cells it has written. The files that it has replaced stay in
 * the store's folder until the RegionServer's {@code CompactedHFilesDischarger} comes by.
 *
 * @param reportedMs when that was said, in milliseconds since 1970; 0 where no compaction is queued or runs
 * @param cells the cells of the last compaction of each store, those that run included: another number means another one
 * @param replaced the last one that has ended, kept while its input files may still be in the store's folder
 */
public record Compaction(Phase phase, long reportedMs, long cells, Optional<Replaced> replaced) {

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
        /** Files are being written in the place of all files of some store. */
        ALL_RUNNING,
        /** The server has not reported the region, or says nothing of compactions. */
        UNKNOWN;

        private boolean isOfAll() {
            return this == ALL_QUEUED || this == ALL_RUNNING;
        }
    }

    /**
     * A compaction that has ended.
     *
     * @param all whether it was seen to be one of all files of some store
     * @param reportedMs when the server first reported that it had, in milliseconds since 1970
     */
    public record Replaced(boolean all, long reportedMs) {

        /** What was reported after this time, by a clock that was set back, counts as reported then. */
        private Replaced notAfter(long ms) {
            return new Replaced(all, Math.min(reportedMs, ms));
        }

        private boolean isLikely(long modifiedMs) {
            return modifiedMs <= reportedMs && (all || isYoung(modifiedMs, reportedMs));
        }
    }

    /** There is none, whenever that was said. */
    public static final Compaction NONE = new Compaction(Phase.NONE, 0);

    /** Nobody has said anything. */
    public static final Compaction UNKNOWN = new Compaction(Phase.UNKNOWN, 0);

    /** A memstore is flushed once an hour at the latest, so that files as old as this were there for a compaction before. */
    static final long YOUNG_MS = 3_600_000;

    /** One of a region of which nothing was known before. */
    public Compaction(Phase phase, long reportedMs) {
        this(phase, reportedMs, 0, Optional.empty());
    }

    /**
     * The same, with what is known from the report before.
     *
     * @param reportMs when this one was made
     * @param archivedWithinMs how long replaced files can stay
     */
    public Compaction after(Compaction before, long reportMs, long archivedWithinMs) {
        Optional<Replaced> last = before.hasEndedBy(this)
                ? Optional.of(new Replaced(before.phase.isOfAll(), reportMs))
                : before.replaced
                        .map(known -> known.notAfter(reportMs))
                        .filter(known -> reportMs - known.reportedMs() < archivedWithinMs);
        return new Compaction(phase, reportedMs, cells, last);
    }

    private boolean hasEndedBy(Compaction now) {
        boolean wasNoted = phase != Phase.NONE && now.phase == Phase.NONE;
        boolean wasAnother = cells != now.cells;
        return phase != Phase.UNKNOWN && !now.isRunning() && (isRunning() || wasNoted || wasAnother);
    }

    public boolean isRunning() {
        return phase == Phase.RUNNING || phase == Phase.ALL_RUNNING;
    }

    /**
     * Whether a file that was written then is likely to be rewritten by what is queued, or to wait for the archive. Which files
     * were chosen is known to the RegionServer alone; a minor compaction chooses from the youngest ones on.
     *
     * @param modifiedMs in milliseconds since 1970 by the NameNode's clock
     */
    public boolean isLikelyToReplace(long modifiedMs) {
        boolean next =
                switch (phase) {
                    case NONE, UNKNOWN -> false;
                    case ALL_QUEUED, ALL_RUNNING -> true;
                    case QUEUED, RUNNING -> isYoung(modifiedMs, reportedMs);
                };
        return next || replaced.filter(last -> last.isLikely(modifiedMs)).isPresent();
    }

    private static boolean isYoung(long modifiedMs, long atMs) {
        return atMs - modifiedMs < YOUNG_MS;
    }
}
