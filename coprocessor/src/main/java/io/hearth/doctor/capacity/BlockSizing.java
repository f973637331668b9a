// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.capacity;

import io.hearth.common.config.HumanFormat;
import io.hearth.doctor.capacity.TableStore.Reads;
import java.util.Locale;
import java.util.Optional;

/**
 * What smaller blocks would mean for one table: for gets that miss the block cache, for what the cache holds, and for the index. Immutable.
 *
 * <p>A get reads one block of each store file that may have its row, so a block of a quarter is a quarter to read, to decompress and
 * to keep, and the same cache holds four times as many of the rows that are asked for. The index has an entry for each block: it grows as
 * much as blocks shrink, and has to stay in the cache.
 *
 * <p>Source: Bloomberg at HBaseConAsia 2018: gets at 64 KB 55 ms at the 99th percentile, at 16 KB 15 to 30 ms.
 *
 * @param index16Bytes the index with blocks of 16 KB
 * @param index32Bytes the same with 32 KB
 * @param advisedBytes the block size that fits better; empty where the one of now does, or nobody knows
 * @param why a sentence without its point
 */
public record BlockSizing(
        TableStore table, long index16Bytes, long index32Bytes, Optional<Integer> advisedBytes, String why) {

    private static final int SMALL = 16 << 10;
    private static final int MIDDLE = 32 << 10;

    /** Fewer reads say nothing of how a table is read. */
    private static final long MIN_READS = 1_000;

    /** Below this share of gets a table is one that is scanned. */
    private static final double MOST_ARE_GETS = 0.8;

    /** A block has to have room for this many cells, or it is no smaller than what is read anyway. */
    private static final int MIN_CELLS = 4;

    /** An index may take this share of the cache; the rest is for data. */
    private static final double MOST_FOR_INDEX = 0.2;

    /** @param cacheBytes of all block caches of the cluster together; 0 where nobody knows */
    public static BlockSizing of(TableStore table, long cacheBytes) {
        long index16 = indexBytes(table, SMALL);
        long index32 = indexBytes(table, MIDDLE);
        Optional<String> whyNot = whyNot(table);
        if (whyNot.isPresent()) {
            return new BlockSizing(table, index16, index32, Optional.empty(), whyNot.get());
        }
        long cell = table.access().meanCellBytes().ifKnown().orElseThrow();
        int block = fits(SMALL, cell, index16, cacheBytes)
                ? SMALL
                : table.blockBytes() > MIDDLE && fits(MIDDLE, cell, index32, cacheBytes) ? MIDDLE : 0;
        return block == 0
                ? new BlockSizing(table, index16, index32, Optional.empty(), tooLarge(table, cell, index16, cacheBytes))
                : new BlockSizing(
                        table,
                        index16,
                        index32,
                        Optional.of(block),
                        gain(table, block, block == SMALL ? index16 : index32));
    }

    /** The index with blocks of so many bytes, by the number of blocks. */
    private static long indexBytes(TableStore table, int block) {
        return Math.round((double) table.files().indexBytes() * table.blockBytes() / block);
    }

    private static Optional<String> whyNot(TableStore table) {
        if (table.access().reads().ifKnown().isEmpty()) {
            return Optional.of("its reads are not known: "
                    + table.access().reads().whyUnknown().orElse(""));
        }
        Reads reads = table.access().reads().ifKnown().get();
        if (reads.all() < MIN_READS) {
            return Optional.of("it is hardly read");
        }
        if (getShare(reads) < MOST_ARE_GETS) {
            return Optional.of("scans read one block after another: larger blocks serve them better");
        }
        if (table.blockBytes() <= SMALL) {
            return Optional.of("its blocks are small");
        }
        return table.access().meanCellBytes().whyUnknown().map(unknown -> "its cells are not known: " + unknown);
    }

    private static boolean fits(int block, long cell, long indexBytes, long cacheBytes) {
        return block / cell >= MIN_CELLS && cacheBytes > 0 && indexBytes <= MOST_FOR_INDEX * cacheBytes;
    }

    /** A table with blocks of 32 KB has smaller ones of 16 KB alone. */
    private static String tooLarge(TableStore table, long cell, long index16, long cacheBytes) {
        int largest = table.blockBytes() > MIDDLE ? MIDDLE : SMALL;
        if (largest / cell < MIN_CELLS) {
            return text("its cells of %s fill such blocks", HumanFormat.bytes(cell));
        }
        return cacheBytes == 0
                ? "how large the block caches are is not known"
                : text(
                        "its index would take %s of the %s that all block caches have",
                        HumanFormat.bytes(index16), HumanFormat.bytes(cacheBytes));
    }

    private static String gain(TableStore table, int block, long indexBytes) {
        return text(
                "a get that misses reads %s instead of %s, the cache holds %.0f times as many of the rows asked for,"
                        + " and the index grows from %s to %s",
                HumanFormat.bytes(block),
                HumanFormat.bytes(table.blockBytes()),
                (double) table.blockBytes() / block,
                HumanFormat.bytes(table.files().indexBytes()),
                HumanFormat.bytes(indexBytes));
    }

    /** Gets of all reads. */
    public static double getShare(Reads reads) {
        return reads.all() == 0 ? 0 : (double) reads.gets() / reads.all();
    }

    private static String text(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
