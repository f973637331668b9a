// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.planner.MoveFinder.GainHeap;
import io.hearth.balancer.planner.TableIndex.LongCountMap;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The two tables over primitives beside the JDK's own. */
class GainHeapTest {

    private record Entry(int region, double gain) {}

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void theLargestGainComesFirstAndOfEqualOnesTheLowerRegion(long seed) {
        Random random = new Random(seed);
        GainHeap heap = new GainHeap(2_000);
        TreeSet<Entry> naive =
                new TreeSet<>(Comparator.comparingDouble(Entry::gain).reversed().thenComparingInt(Entry::region));
        for (int step = 0; step < 2_000; step++) {
            String where = "seed %d, step %d".formatted(seed, step);
            assertThat(heap.isEmpty()).as(where).isEqualTo(naive.isEmpty());
            if (!naive.isEmpty()) {
                assertThat(heap.topGain()).as(where).isEqualTo(naive.first().gain());
            }
            if (random.nextInt(500) == 0) {
                heap.clear();
                naive.clear();
            } else if (naive.isEmpty() || random.nextInt(5) < 3) {
                Entry entry = new Entry(step * 7919 % 2_000, random.nextInt(12) / 4.0);
                heap.push(entry.region(), entry.gain());
                naive.add(entry);
            } else {
                assertThat(heap.pop()).as(where).isEqualTo(naive.pollFirst().region());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 8, 100, 5_000})
    void everyNumberKeepsItsCountHoweverManyThereAre(int expected) {
        Random random = new Random(expected);
        LongCountMap counts = new LongCountMap(expected);
        Map<Long, Integer> naive = new HashMap<>();
        assertThat(counts.get(7)).isZero();
        for (int step = 0; step < 5_000; step++) {
            long key = (long) random.nextInt(40) << 32 | random.nextInt(40);
            int change = random.nextInt(5) - 2;
            counts.add(key, change);
            naive.merge(key, change, Integer::sum);
            assertThat(counts.get(key)).isEqualTo(naive.get(key));
        }
        for (long key = 0; key < 40L << 32; key += 1L << 30) {
            assertThat(counts.get(key)).isEqualTo(naive.getOrDefault(key, 0));
        }
        naive.forEach((key, count) -> assertThat(counts.get(key)).isEqualTo(count));
    }
}
