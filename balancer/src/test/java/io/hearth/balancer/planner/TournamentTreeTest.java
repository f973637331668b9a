// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TournamentTreeTest {

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void findsTheLargestFewInOrder(long seed) {
        Random random = new Random(seed);
        int servers = 1 + random.nextInt(70);
        double[] keys = random.doubles(servers, 0, 5).map(Math::floor).toArray();
        TournamentTree tree = new TournamentTree(servers);
        tree.fill(keys);
        for (int step = 0; step < 200; step++) {
            int changed = random.nextInt(servers);
            keys[changed] = random.nextInt(4) == 0 ? TournamentTree.LAST : random.nextInt(5);
            tree.set(changed, keys[changed]);
            int most = 1 + random.nextInt(8);
            int[] found = new int[most];
            int count = tree.top(most, found, 0);
            int[] expected = IntStream.range(0, servers)
                    .filter(server -> keys[server] != TournamentTree.LAST)
                    .boxed()
                    .sorted(Comparator.comparingDouble((Integer server) -> -keys[server])
                            .thenComparing(Comparator.naturalOrder()))
                    .limit(most)
                    .mapToInt(Integer::intValue)
                    .toArray();
            assertThat(Arrays.copyOf(found, count))
                    .as("seed %d step %d: %s", seed, step, Arrays.toString(keys))
                    .isEqualTo(expected);
        }
    }

    /** One by one, without all of them at once before. Of 12 servers, 4 leaves of the tree are none. */
    @Test
    void aServerIsFoundOnceHoweverTheKeysWereSet() {
        for (int servers = 1; servers <= 40; servers++) {
            TournamentTree tree = new TournamentTree(servers);
            for (int server = 0; server < servers; server++) {
                tree.set(server, -server);
            }
            int[] found = new int[servers + 3];

            assertThat(tree.top(found.length, found, 0))
                    .as("%d servers", servers)
                    .isEqualTo(servers);
            assertThat(Arrays.copyOf(found, servers))
                    .as("%d servers", servers)
                    .isEqualTo(IntStream.range(0, servers).toArray());
        }
    }
}
