// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cache;

import io.hearth.bench.cache.DataNodeBench.NodeSetup;
import io.hearth.bench.cache.EmulatedDisk.DiskTimes;
import io.hearth.bench.cache.PhaseResult.TimedRead;
import io.hearth.testkit.measure.WeightedChoice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * What clients in a closed loop would get of a DataNode if its read cache had the most popular blocks from the beginning, needed no
 * fills, and took no more time than its processor does: none. What is left is the wait for the {@link EmulatedDisk}, whose queue is as
 * long as there are clients. On simulated time; not thread-safe.
 */
final class IdealCache {

    private static final Duration RAMP_UP = Duration.ofSeconds(30);
    private static final Duration COUNTED = Duration.ofMinutes(5);

    private final NodeSetup setup;
    private final WeightedChoice ranks;
    private final DiskTimes times;
    private long nowNanos;
    private long readyNanos;

    IdealCache(NodeSetup setup, DiskTimes times, double zipf) {
        this.setup = setup;
        this.ranks = BlockReaders.zipfRanks(setup.blocks(), zipf);
        this.times = times;
    }

    private record Client(int number, long freeNanos) {}

    /** So many clients read at random places; so many of the most popular blocks are cached. The same seed gives the same. */
    PhaseResult atRandom(int clients, long cachedBlocks, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        PriorityQueue<Client> next =
                new PriorityQueue<>(Comparator.comparingLong(Client::freeNanos).thenComparingInt(Client::number));
        for (int number = 0; number < clients; number++) {
            next.add(new Client(number, 0));
        }
        EmulatedDisk disk =
                new EmulatedDisk(times, setup.pageCacheBytes(), () -> nowNanos, until -> readyNanos = until);
        disk.switchOn(true);
        long endNanos = RAMP_UP.plus(COUNTED).toNanos();
        List<TimedRead> reads = new ArrayList<>();
        for (Client client = next.remove(); client.freeNanos() < endNanos; client = next.remove()) {
            nowNanos = client.freeNanos();
            int rank = ranks.at(random.nextDouble());
            boolean isCached = rank < cachedBlocks;
            long nanos = isCached ? 0 : nanos(disk.open(Integer.toString(rank)), random);
            if (nowNanos >= RAMP_UP.toNanos()) {
                reads.add(new TimedRead(nanos, isCached));
            }
            next.add(new Client(client.number(), nowNanos + Math.max(1, nanos)));
        }
        return PhaseResult.of(reads, BlockReaders.READ_BYTES, COUNTED.toSeconds());
    }

    private long nanos(EmulatedDisk.OpenFile file, SplittableRandom random) {
        int offset = random.nextInt(setup.blockBytes() / BlockReaders.READ_BYTES) * BlockReaders.READ_BYTES;
        file.read(offset, BlockReaders.READ_BYTES);
        return Math.max(0, readyNanos - nowNanos);
    }
}
