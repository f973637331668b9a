// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.planner.MoveFinder.GainHeap;
import java.util.Arrays;

/**
 * Regions of one server in the order of what moving each of them gains at most, of which the best is taken again and again. Where a gain
 * never grows from one time to the next, what was said of a region last time is an upper bound: a region is looked at again only where no
 * two others are known to gain as much.
 *
 * <p>Source: M. Minoux, <i>Accelerated greedy algorithms for maximizing submodular set functions</i> (1978). Scratch of one search; not
 * thread-safe.
 */
final class LazyGreedyQueue {

    /** What sums of the same loads in another order may differ by, as a part of them. */
    private static final double ROUNDING = 1e-9;

    private final GainHeap heap;
    private int[] lookedAt = new int[16];
    private double[] mostOfLookedAt = new double[16];

    /** A look at a region. */
    interface Look {

        /** Offers its moves, and says what they gain at most; negative infinity where it is not to be looked at again. */
        double at(int region);
    }

    /** @param most how many regions it has at most */
    LazyGreedyQueue(int most) {
        heap = new GainHeap(most);
    }

    /** Adds a region that was never looked at. */
    void add(int region) {
        heap.push(region, Double.POSITIVE_INFINITY);
    }

    /**
     * Looks at the regions that may be one of the two best.
     *
     * @param ofAll the part of the gain that is now the same for all of them, whatever it was last time: where it becomes less, no region
     *     has to be looked at again for that
     */
    void offerTo(BestCandidate candidate, double ofAll, Look look) {
        int looks = 0;
        while (!heap.isEmpty() && candidate.wouldKeep(most(ofAll))) {
            int region = heap.pop();
            double most = look.at(region);
            if (most > Double.NEGATIVE_INFINITY) {
                makeRoom(looks);
                lookedAt[looks] = region;
                mostOfLookedAt[looks++] = most - ofAll;
            }
        }
        for (int again = 0; again < looks; again++) {
            heap.push(lookedAt[again], mostOfLookedAt[again]);
        }
    }

    private double most(double ofAll) {
        double most = heap.topGain() + ofAll;
        return most + ROUNDING * (1 + Math.abs(most) + Math.abs(ofAll));
    }

    private void makeRoom(int looks) {
        if (looks == lookedAt.length) {
            lookedAt = Arrays.copyOf(lookedAt, 2 * looks);
            mostOfLookedAt = Arrays.copyOf(mostOfLookedAt, 2 * looks);
        }
    }
}
