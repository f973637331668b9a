// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.planner.MoveFilters.MoveFilter;
import io.hearth.common.model.LoadDimension;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LazyGreedyQueueTest {

    private static final PlanGoals GOALS = PlanGoals.of(Map.of(
            LoadDimension.READS, new DimensionGoal(200, 1.1, 1.03, 1),
            LoadDimension.WRITES, new DimensionGoal(100, 1.2, 1.1, 1)));

    private final List<Integer> lookedAt = new ArrayList<>();
    private final BestCandidate candidate = new BestCandidate();

    /** Offers the best two of these gains, and says at which regions it looked. */
    private List<Integer> offered(LazyGreedyQueue queue, double ofAll, double... gains) {
        lookedAt.clear();
        candidate.clear();
        queue.offerTo(candidate, ofAll, region -> {
            lookedAt.add(region);
            if (Double.isFinite(gains[region])) {
                candidate.offer(region, 0, gains[region]);
            }
            return gains[region];
        });
        return lookedAt;
    }

    private static LazyGreedyQueue queue(int regions) {
        LazyGreedyQueue queue = new LazyGreedyQueue(regions);
        for (int region = 0; region < regions; region++) {
            queue.add(region);
        }
        return queue;
    }

    @Test
    void atFirstEveryRegionIsLookedAtAndThenThoseThatMayBeOneOfTheTwoBest() {
        LazyGreedyQueue queue = queue(5);

        assertThat(offered(queue, 0, 1, 5, 3, 4, 2)).containsExactlyInAnyOrder(0, 1, 2, 3, 4);
        assertThat(candidate.region).isEqualTo(1);
        assertThat(candidate.secondRegion).isEqualTo(3);
        assertThat(offered(queue, 0, 1, 5, 3, 4, 2)).containsExactly(1, 3);
        assertThat(offered(queue, 0, 1, 2.5, 3, 4, 2))
                .as("1 has fallen behind 2")
                .containsExactly(1, 3, 2);
        assertThat(candidate.region).isEqualTo(3);
        assertThat(candidate.secondRegion).isEqualTo(2);
    }

    @Test
    void aRegionThatIsGoneIsNotLookedAtAgain() {
        LazyGreedyQueue queue = queue(3);
        offered(queue, 0, 3, 2, 1);

        assertThat(offered(queue, 0, Double.NEGATIVE_INFINITY, 2, 1)).containsExactly(0, 1, 2);
        assertThat(offered(queue, 0, 3, 2, 1)).containsExactly(1, 2);
    }

    /** Broken (what is the same for all is in the bounds): all hundred are looked at again when it has become less. */
    @Test
    void forWhatBecomesLessOfAllNoneIsLookedAtAgain() {
        double[] gains = new double[100];
        Arrays.setAll(gains, region -> 100 - 0.01 * region);
        LazyGreedyQueue queue = queue(gains.length);
        offered(queue, 50, gains);

        assertThat(offered(
                        queue, 40, Arrays.stream(gains).map(gain -> gain - 10).toArray()))
                .containsExactly(0, 1);
    }

    /** Servers with what is found with few looks while one gives again and again, beside what is found by looking at every region. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 7, 13, 16, 21, 23, 25, 27, 28, 29, 41, 44, 46, 50, 56, 58})
    void whatAServerGivesIsTheBestEachTime(long seed) {
        SearchContext context = new SearchContext(RandomClusters.wild(seed), GOALS);
        Random random = new Random(seed);
        context.scorer.giveCountsFullWeight(random.nextBoolean());
        for (int from = 0; from < context.index.servers; from++) {
            MoveFilter filter = random.nextBoolean() ? context.filters.intoSlop() : context.filters.evenCounts();
            LazyGreedyQueue queue = context.moveFinder.queueOfCounted(from);
            for (int step = 0; step < 8; step++) {
                String where = "seed %d, server %d, step %d".formatted(seed, from, step);
                context.destinations.list(from);
                BestCandidate all = context.moveFinder.from(from, filter);
                boolean isEmpty = all.isEmpty();
                double net = all.net;
                boolean isAlone = all.secondRegion == BestCandidate.NONE;
                BestCandidate found = context.moveFinder.from(from, filter, queue);
                assertThat(found.isEmpty()).as(where).isEqualTo(isEmpty);
                if (!isEmpty) {
                    assertThat(found.net).as(where).isCloseTo(net, within(1e-9));
                    assertThat(found.secondRegion == BestCandidate.NONE)
                            .as(where)
                            .isEqualTo(isAlone);
                    context.simulation.move(found.region, found.to);
                    context.rankings.moved(found.region, from, found.to);
                }
            }
        }
    }
}
