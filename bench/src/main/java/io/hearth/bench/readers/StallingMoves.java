// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.readers;

import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Block moves that could stall a reader, by the log of the DataNode that they went to. A reader whose block locations are old marks a
 * DataNode that has given up a replica as dead for the whole file, and it stalls at a block of which it knows no other holder. Whether it
 * does is chance: it has to read there after the replicas are deleted and before it refreshes. Which moves leave it to chance is not.
 * Pure, times are milliseconds.
 */
final class StallingMoves {

    /** What a DataNode logs of each replica that it has got in the place of another; the hint is who gives that one up. */
    private static final Pattern MOVED = Pattern.compile(
            "(\\S+ \\S+) INFO +\\[.*] datanode\\.DataNode: Moved \\S+:blk_(\\d+)_\\d+ from .*, delHint=(\\S+)");

    /** A move, and the DataNodes at which a reader that knows nothing of it looks for its block. */
    private record Move(long endMs, String source, KnownBlock block) {}

    /**
     * A block as readers know it before it moves.
     *
     * @param holders the UUIDs of the DataNodes that have it
     */
    record KnownBlock(String file, Set<String> holders) {

        KnownBlock {
            holders = Set.copyOf(holders);
        }
    }

    /** How many moves the log tells of, and how many of them could stall a reader. */
    record Count(int moves, int stalling) {}

    private StallingMoves() {}

    /**
     * Counts the moves of these blocks.
     *
     * @param log the lines of a log of the process cluster
     * @param locationsAgeMs how old locations can be: what was moved before is known to every reader
     */
    static Count count(List<String> log, Map<Long, KnownBlock> blockById, long locationsAgeMs) {
        List<Move> moves = log.stream()
                .map(line -> move(line, blockById))
                .flatMap(Optional::stream)
                .toList();
        long stalling = moves.stream()
                .filter(move -> stalls(move, moves, locationsAgeMs))
                .count();
        return new Count(moves.size(), (int) stalling);
    }

    private static Optional<Move> move(String line, Map<Long, KnownBlock> blockById) {
        Matcher matcher = MOVED.matcher(line);
        return matcher.matches()
                ? Optional.ofNullable(blockById.get(Long.parseLong(matcher.group(2))))
                        .map(block -> new Move(
                                DfsClientEvents.wallMillis(matcher.group(1), ZoneOffset.UTC), matcher.group(3), block))
                : Optional.empty();
    }

    /** Whether with this move every holder of some block has given up a replica of the file, of which a reader may not know. */
    private static boolean stalls(Move move, List<Move> moves, long locationsAgeMs) {
        List<Move> unknown = moves.stream()
                .filter(other -> other.block.file.equals(move.block.file) && other.endMs > move.endMs - locationsAgeMs)
                .toList();
        Set<String> sources = unknown.stream()
                .filter(other -> other.endMs <= move.endMs)
                .map(Move::source)
                .collect(Collectors.toSet());
        return unknown.stream().anyMatch(other -> sources.containsAll(other.block.holders));
    }
}
