// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cache;

import io.hearth.testkit.measure.WeightedChoice;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Reads of one DataNode, of which a few blocks get most: blocks of 380 MiB that are asked for by Zipf's law, as Uber has it of its
 * DataNodes (Liang et al., "Optimizing HDFS with DataNode Local Cache", 2023).
 *
 * <p>Each hour a share of the ranks goes to new blocks, one after another: new data are read, old data no longer. Within a block,
 * queries ask for the same {@value #RANGES} ranges again, as those of a columnar file do whose columns they need. A range is lognormal
 * with a median of 256 KiB, and 90 % are below 1 MiB: Uber's reads "are not sequential across multi-MB range for most of the time". A
 * share of the reads is for any other place of its block.
 *
 * <p>The same seed gives the same reads. Immutable.
 */
public final class HotBlockTrace {

    /** The length of each block, in bytes. */
    public static final long BLOCK_BYTES = 380L << 20;

    /** How many ranges of a block are read again. */
    static final int RANGES = 8;

    private static final long FIRST_BLOCK = 1_073_741_825L;
    private static final double MEDIAN_BYTES = 256 << 10;
    /** The quotient of 1 MiB and the median, whose logarithm is that of nine reads in ten. */
    private static final double SIGMA = Math.log(4) / 1.2816;

    private static final long LEAST_BYTES = 4 << 10;
    private static final long MOST_BYTES = 64L << 20;
    private static final long HOUR_MS = 3_600_000;

    private final Shape shape;
    private final long seed;
    private final WeightedChoice ranks;
    private final WeightedChoice ranges = zipf(RANGES, 1);

    /**
     * How many reads there are of what. Immutable.
     *
     * @param blocks that are read in an hour's time, about
     * @param readsPerHour of all of them
     * @param zipf the exponent of the blocks' popularity
     * @param newBlocksPerHour the share of the blocks that are others an hour later
     * @param elsewhere the share of the reads that are for any place of their block
     */
    public record Shape(int blocks, int readsPerHour, double zipf, double newBlocksPerHour, double elsewhere) {

        /** Uber's Host1: 13.5 million reads in 20 hours, of 84,769 blocks; the exponent and what is new are chosen. */
        public static final Shape HOST1 = new Shape(85_000, 675_000, 1.1, 0.1, 0);

        /** The same with so many reads for any place of their block. */
        public Shape elsewhere(double share) {
            return new Shape(blocks, readsPerHour, zipf, newBlocksPerHour, share);
        }
    }

    /** What gets the reads in the order of time. */
    @FunctionalInterface
    public interface Reader {

        /**
         * A client reads a part of a block.
         *
         * @param nowMs since the trace began
         */
        void read(long nowMs, long block, long position, long length);
    }

    public HotBlockTrace(Shape shape, long seed) {
        this.shape = shape;
        this.seed = seed;
        this.ranks = zipf(shape.blocks(), shape.zipf());
    }

    private static WeightedChoice zipf(int ranks, double exponent) {
        return new WeightedChoice(IntStream.rangeClosed(1, ranks)
                .mapToObj(rank -> Math.pow(rank, -exponent))
                .toList());
    }

    /** All reads of so many hours. */
    public void play(int hours, Reader reader) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] blockByRank = IntStream.range(0, shape.blocks()).toArray();
        int nextBlock = blockByRank.length;
        double newBlocksPerRead = shape.newBlocksPerHour() * shape.blocks() / shape.readsPerHour();
        for (long read = 0; read < (long) hours * shape.readsPerHour(); read++) {
            if (random.nextDouble() < newBlocksPerRead) {
                blockByRank[random.nextInt(blockByRank.length)] = nextBlock++;
            }
            int block = blockByRank[ranks.at(random.nextDouble())];
            boolean isElsewhere = random.nextDouble() < shape.elsewhere();
            SplittableRandom of = isElsewhere ? random : ofRange(block, ranges.at(random.nextDouble()));
            long length = length(of);
            long position = of.nextLong(BLOCK_BYTES - length + 1);
            reader.read(read * HOUR_MS / shape.readsPerHour(), FIRST_BLOCK + block, position, length);
        }
    }

    /** The same numbers each time for the same range. */
    private SplittableRandom ofRange(int block, int range) {
        return new SplittableRandom(seed ^ ((long) block * RANGES + range + 1) * 0xff51afd7ed558ccdL);
    }

    private static long length(SplittableRandom random) {
        double bytes = MEDIAN_BYTES * Math.exp(SIGMA * random.nextGaussian());
        return Math.max(LEAST_BYTES, Math.min(MOST_BYTES, (long) bytes));
    }

    /** What the reads are like, over so many hours. */
    public Profile profile(int hours, int topBlocks) {
        Profiler profiler = new Profiler(shape, hours, topBlocks);
        play(hours, profiler);
        return profiler.profile();
    }

    /**
     * What the reads of a trace are like. Immutable.
     *
     * @param topShare the share of an hour's reads that the most popular blocks of that hour get, mean of all hours
     * @param meanBytes the mean length of a read
     * @param shareBelowMebibyte the share of the reads that are shorter than 1 MiB
     * @param blocksPerHour how many blocks are read in an hour, mean of all hours
     */
    public record Profile(double topShare, double meanBytes, double shareBelowMebibyte, double blocksPerHour) {}

    private static final class Profiler implements Reader {

        private final int hours;
        private final int topBlocks;
        private final int[] readsByBlock;
        private int hour;
        private long reads;
        private long bytes;
        private long belowMebibyte;
        private double topShares;
        private long blocks;

        Profiler(Shape shape, int hours, int topBlocks) {
            this.hours = hours;
            this.topBlocks = topBlocks;
            this.readsByBlock =
                    new int[shape.blocks() + (int) Math.ceil(2 * hours * shape.newBlocksPerHour() * shape.blocks())];
        }

        @Override
        public void read(long nowMs, long block, long position, long length) {
            if (nowMs / HOUR_MS > hour) {
                endHour();
            }
            reads++;
            bytes += length;
            belowMebibyte += length < 1 << 20 ? 1 : 0;
            readsByBlock[(int) (block - FIRST_BLOCK)]++;
        }

        private void endHour() {
            int[] ascending =
                    Arrays.stream(readsByBlock).filter(of -> of > 0).sorted().toArray();
            long top = Arrays.stream(ascending)
                    .skip(Math.max(0, ascending.length - topBlocks))
                    .asLongStream()
                    .sum();
            topShares += (double) top / Arrays.stream(ascending).asLongStream().sum();
            blocks += ascending.length;
            Arrays.fill(readsByBlock, 0);
            hour++;
        }

        Profile profile() {
            endHour();
            return new Profile(
                    topShares / hours, (double) bytes / reads, (double) belowMebibyte / reads, (double) blocks / hours);
        }
    }
}
