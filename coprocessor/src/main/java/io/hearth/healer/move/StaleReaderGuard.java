// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.move;

import io.hearth.healer.model.BlockMove;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Keeps moves from hurting open readers. A reader whose block locations are old asks a DataNode that has given its replica up,
 * and then marks it dead for the whole file; it stalls once every holder that it knows of some block is marked. So until
 * readers have refreshed their locations
 *
 * <ul>
 *   <li>a block moves once;
 *   <li>the moves of a file take from so few DataNodes that of each of its blocks that moves, some former holder gave nothing.
 *       Where replicas are too few for that, from one DataNode at a time.
 * </ul>
 *
 * A move counts from its start, and for the refresh interval after its end. Some move of a file may always start once the
 * interval has passed since the last one's end. A turn costs what was refreshed since the one before, however many files are
 * remembered. Not thread-safe.
 */
final class StaleReaderGuard {

    private static final long UNDER_WAY = Long.MAX_VALUE;

    private record Refresh(long ms, String filePath) {}

    private final Map<String, RecentFileMoves> fileByPath = new HashMap<>();
    private final PriorityQueue<Refresh> refreshes = new PriorityQueue<>(Comparator.comparingLong(Refresh::ms));
    private Set<String> unblockedFiles = new LinkedHashSet<>();

    /** Whether this move may start as far as readers go. */
    boolean allows(BlockMove move) {
        RecentFileMoves file = fileByPath.get(move.filePath());
        return file == null || file.allows(move);
    }

    void planned(BlockMove move) {
        fileByPath
                .computeIfAbsent(move.filePath(), path -> new RecentFileMoves())
                .planned(move);
    }

    void started(BlockMove move) {
        fileByPath
                .computeIfAbsent(move.filePath(), path -> new RecentFileMoves())
                .started(move, UNDER_WAY);
    }

    /** A move was taken back that had not started. */
    void cancelled(BlockMove move) {
        RecentFileMoves file = fileByPath.get(move.filePath());
        if (file != null) {
            file.cancelled(move);
            changed(move.filePath(), file);
        }
    }

    /** The attempt or the move is over, however it ended, and readers may not have heard of it until then. */
    void ended(BlockMove move, boolean isOver, long untilMs) {
        RecentFileMoves file = fileByPath.get(move.filePath());
        if (file != null) {
            file.ended(move, isOver, untilMs);
            refreshes.add(new Refresh(untilMs, move.filePath()));
        }
    }

    /** Forgets what readers have refreshed. */
    void forgetRefreshed(long nowMs) {
        while (!refreshes.isEmpty() && refreshes.element().ms() <= nowMs) {
            String path = refreshes.remove().filePath();
            RecentFileMoves file = fileByPath.get(path);
            if (file != null && file.forgetRefreshed(nowMs)) {
                changed(path, file);
            }
        }
    }

    /** The files whose moves may be allowed now though they were not before, since the last time. */
    Set<String> takeUnblockedFiles() {
        Set<String> taken = unblockedFiles;
        unblockedFiles = new LinkedHashSet<>();
        return taken;
    }

    /** The number of files of which something is remembered. */
    int files() {
        return fileByPath.size();
    }

    private void changed(String path, RecentFileMoves file) {
        unblockedFiles.add(path);
        if (file.isForgotten()) {
            fileByPath.remove(path);
        }
    }
}
