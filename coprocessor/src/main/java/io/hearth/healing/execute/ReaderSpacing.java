package io.hearth.healing.execute;

import io.hearth.healing.model.BlockMove;
import java.util.HashMap;
import java.util.Map;

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
 * interval has passed since the last one's end. Not thread-safe.
 */
final class ReaderSpacing {

    private static final long UNDER_WAY = Long.MAX_VALUE;

    private final Map<String, SpacedFile> fileByPath = new HashMap<>();

    /** Whether this move may start as far as readers go. */
    boolean allows(BlockMove move) {
        SpacedFile file = fileByPath.get(move.filePath());
        return file == null || file.allows(move);
    }

    void planned(BlockMove move) {
        fileByPath.computeIfAbsent(move.filePath(), path -> new SpacedFile()).planned(move);
    }

    void started(BlockMove move) {
        fileByPath.computeIfAbsent(move.filePath(), path -> new SpacedFile()).gives(move, UNDER_WAY);
    }

    /** The attempt or the move is over, however it ended, and readers may not have heard of it until then. */
    void ended(BlockMove move, boolean isOver, long untilMs) {
        SpacedFile file = fileByPath.get(move.filePath());
        if (file != null) {
            file.ended(move, isOver, untilMs);
        }
    }

    /** Forgets what readers have refreshed. */
    void forgetRefreshed(long nowMs) {
        fileByPath.values().removeIf(file -> file.forgetRefreshed(nowMs));
    }

    /** The number of files of which something is remembered. */
    int files() {
        return fileByPath.size();
    }
}
