// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cache;

import io.hearth.bench.cache.PhaseResult.TimedRead;
import io.hearth.bench.cache.ReadCacheDataNode.BlockFile;
import io.hearth.testkit.measure.WeightedChoice;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FSDataInputStream;

/**
 * Clients of a {@link ReadCacheDataNode}, each with a thread and a stream of its own. They read pieces of 256 KiB at random places of
 * blocks that are as popular as Zipf's law has it, or blocks from end to end. Each reads again as soon as it has got what it read.
 */
final class BlockReaders {

    /** What a client reads at once at a random place. */
    static final int READ_BYTES = 256 << 10;

    private static final double NANOS_PER_SECOND = 1e9;
    /** The part of a phase whose reads do not count. */
    private static final int RAMP_UP_PARTS = 5;

    private final ReadCacheDataNode dataNode;

    BlockReaders(ReadCacheDataNode dataNode) {
        this.dataNode = dataNode;
    }

    /** The popularity of a file's blocks: their order by rank, and a choice among ranks. Immutable. */
    private record Popularity(List<Integer> blockByRank, WeightedChoice ranks) {

        static Popularity of(BlockFile file, double zipf, long seed) {
            List<Integer> blocks =
                    new ArrayList<>(IntStream.range(0, file.blocks()).boxed().toList());
            Collections.shuffle(blocks, new Random(seed));
            return new Popularity(List.copyOf(blocks), zipfRanks(file.blocks(), zipf));
        }

        int next(SplittableRandom random) {
            return blockByRank.get(ranks.at(random.nextDouble()));
        }
    }

    /** A choice among so many ranks, the most popular first, by Zipf's law with this exponent. */
    static WeightedChoice zipfRanks(int ranks, double exponent) {
        return new WeightedChoice(IntStream.rangeClosed(1, ranks)
                .mapToObj(rank -> Math.pow(rank, -exponent))
                .toList());
    }

    /** So many clients read at random places for so long; the same seed makes the same blocks popular, in another phase other reads. */
    PhaseResult atRandom(BlockFile file, double zipf, long seed, int phase, int clients, Duration time)
            throws IOException, InterruptedException {
        Popularity popularity = Popularity.of(file, zipf, seed);
        long begin = System.nanoTime();
        long counted = begin + time.toNanos() / RAMP_UP_PARTS;
        long end = begin + time.toNanos();
        List<Callable<Collection<TimedRead>>> work = new ArrayList<>();
        for (int client = 0; client < clients; client++) {
            SplittableRandom random = new SplittableRandom(seed + 1_000L * phase + client);
            work.add(() -> {
                List<TimedRead> reads = new ArrayList<>();
                try (FSDataInputStream in = dataNode.fileSystem().open(file.path())) {
                    byte[] target = new byte[READ_BYTES];
                    while (System.nanoTime() < end) {
                        long from = System.nanoTime();
                        TimedRead read = read(in, file, popularity.next(random), random, target);
                        if (from >= counted) {
                            reads.add(read);
                        }
                    }
                }
                return reads;
            });
        }
        List<TimedRead> all = new ArrayList<>();
        run(work).forEach(all::addAll);
        return PhaseResult.of(all, READ_BYTES, (System.nanoTime() - counted) / NANOS_PER_SECOND);
    }

    /** So many clients read so often each. */
    void warmUp(BlockFile file, double zipf, long seed, int clients, int readsOfEach)
            throws IOException, InterruptedException {
        Popularity popularity = Popularity.of(file, zipf, seed);
        List<Callable<Boolean>> work = new ArrayList<>();
        for (int client = 0; client < clients; client++) {
            SplittableRandom random = new SplittableRandom(seed + client);
            work.add(() -> {
                try (FSDataInputStream in = dataNode.fileSystem().open(file.path())) {
                    byte[] target = new byte[READ_BYTES];
                    for (int read = 0; read < readsOfEach; read++) {
                        read(in, file, popularity.next(random), random, target);
                    }
                }
                return true;
            });
        }
        run(work);
    }

    private TimedRead read(FSDataInputStream in, BlockFile file, int block, SplittableRandom random, byte[] target)
            throws IOException {
        int offset = random.nextInt(file.blockBytes() / READ_BYTES) * READ_BYTES;
        long from = System.nanoTime();
        in.readFully((long) block * file.blockBytes() + offset, target);
        long nanos = System.nanoTime() - from;
        boolean wasAskedFor = dataNode.disk().wasAskedFor(file.blockFiles().get(block), offset, READ_BYTES, from);
        return new TimedRead(nanos, !wasAskedFor);
    }

    /** So many clients read a file once together, each its own blocks from end to end; returns the seconds that it took. */
    double onePass(BlockFile file, int clients) throws IOException, InterruptedException {
        List<Callable<Boolean>> work = new ArrayList<>();
        for (int client = 0; client < clients; client++) {
            int first = client;
            work.add(() -> {
                try (FSDataInputStream in = dataNode.fileSystem().open(file.path())) {
                    byte[] target = new byte[READ_BYTES];
                    for (int block = first; block < file.blocks(); block += clients) {
                        in.seek((long) block * file.blockBytes());
                        for (int at = 0; at < file.blockBytes(); at += target.length) {
                            in.readFully(target);
                        }
                    }
                }
                return true;
            });
        }
        long from = System.nanoTime();
        run(work);
        return (System.nanoTime() - from) / NANOS_PER_SECOND;
    }

    private static <T> List<T> run(List<Callable<T>> work) throws IOException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(work.size());
        try {
            List<T> results = new ArrayList<>();
            for (Future<T> part : threads.invokeAll(work)) {
                results.add(part.get());
            }
            return results;
        } catch (ExecutionException failure) {
            throw new IOException("a client failed: " + failure.getCause(), failure.getCause());
        } finally {
            threads.shutdownNow();
        }
    }
}
