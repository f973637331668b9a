// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan.exact;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Beside every plan of up to two moves, tried one by one. */
class FewestMovesTest {

    @Test
    void isAsTryingEveryPlanOfTwoMoves() {
        int possible = 0;
        for (long seed = 1; seed <= 10; seed++) {
            SmallInstance instance = new SmallInstance(seed);
            long most = instance.most(instance.servers());
            for (long allowed : new long[] {most - 1, (long) (most * 0.85)}) {
                int fewest = naive(instance, allowed);
                for (int moves = 0; moves <= 2; moves++) {
                    assertThat(new FewestMoves(instance, allowed).isWithin(moves))
                            .as("seed %d, %d moves to %d", seed, moves, allowed)
                            .isEqualTo(fewest <= moves);
                }
                possible += fewest <= 2 ? 1 : 0;
            }
        }
        assertThat(possible).isBetween(8, 18);
    }

    private static int naive(SmallInstance instance, long allowed) {
        int[] plan = instance.servers();
        int fewest = isAllowed(instance, plan, allowed) ? 0 : 3;
        for (int region = 0; region < plan.length && fewest > 0; region++) {
            int home = plan[region];
            for (int to = 0; to < SmallInstance.SERVERS; to++) {
                plan[region] = to;
                fewest = isAllowed(instance, plan, allowed) ? 1 : fewest;
                for (int other = region + 1; other < plan.length && fewest > 2; other++) {
                    int homeOfOther = plan[other];
                    for (int toOther = 0; toOther < SmallInstance.SERVERS && fewest > 2; toOther++) {
                        plan[other] = toOther;
                        fewest = isAllowed(instance, plan, allowed) ? 2 : fewest;
                    }
                    plan[other] = homeOfOther;
                }
            }
            plan[region] = home;
        }
        return fewest;
    }

    private static boolean isAllowed(SmallInstance instance, int[] plan, long allowed) {
        int[] counts = new int[SmallInstance.SERVERS];
        Arrays.stream(plan).forEach(server -> counts[server]++);
        return instance.most(plan) <= allowed && Arrays.stream(counts).allMatch(count -> count >= 4 && count <= 6);
    }
}
