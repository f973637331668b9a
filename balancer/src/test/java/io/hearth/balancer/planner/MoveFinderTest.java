// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.plan.Objective;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals.PlanLimits;
import io.hearth.balancer.plan.PlanGoals.RegionCountGoal;
import io.hearth.balancer.planner.MoveFilters.MoveFilter;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The best move, beside trying every one. */
class MoveFinderTest {

    private static final PlanGoals GOALS = PlanGoals.of(Map.of(
                    LoadDimension.READS, new DimensionGoal(200, 1.1, 1.03, 1),
                    LoadDimension.WRITES, new DimensionGoal(100, 1.2, 1.1, 1)))
            .withCounts(RegionCountGoal.DEFAULT.withSlop(0.8))
            .withLimits(PlanLimits.DEFAULT.withMovesLeftByTable(Map.of(new TableId("t1"), 1, new TableId("t2"), 0)));

    private SearchContext context;

    private record Move(int region, int to, double net) {}

    private record Best(double net, double second) {}

    @ParameterizedTest
    @ValueSource(longs = {7, 13, 16, 21, 23, 25, 27, 28, 29, 41, 44, 46, 50, 56, 58, 59})
    void itIsTheBestOfAll(long seed) {
        context = new SearchContext(RandomClusters.wild(seed), GOALS);
        Random random = new Random(seed);
        for (int step = 0; step < 12; step++) {
            int from = random.nextInt(context.index.servers);
            int dimension = random.nextInt(2);
            String where = "seed %d, step %d, server %d".formatted(seed, step, from);
            MoveFilter filter = filter(step, from, dimension);
            context.destinations.list(from, dimension);
            long before = context.moveFinder.evaluated();
            List<Move> all = new ArrayList<>();
            int looked = 0;
            for (int region = context.index.firstRegion[from]; region < context.index.firstRegion[from + 1]; region++) {
                if (isMovable(region, filter) && filter.considers(region)) {
                    looked += offer(all, region, from, targets(region, from), filter);
                }
            }
            assertThatItIsTheBest(context.moveFinder.from(from, filter), all, where);
            assertThat(context.moveFinder.evaluated() - before).as(where).isEqualTo(looked);

            if (!all.isEmpty()) {
                int region = all.get(random.nextInt(all.size())).region();
                List<Move> ofRegion = new ArrayList<>();
                offer(ofRegion, region, from, targets(region, from), filter);
                assertThatItIsTheBest(context.moveFinder.of(region, filter), ofRegion, where);
                move(best(all));
            }
            assertThatTheBestToAServerIsFound(random, where);
        }
    }

    private MoveFilter filter(int step, int from, int dimension) {
        return switch (step % 4) {
            case 0 -> context.filters.evenCounts();
            case 1 -> context.filters.intoSlop();
            default -> context.filters.cool(from, dimension);
        };
    }

    private void assertThatTheBestToAServerIsFound(Random random, String where) {
        int to = random.nextInt(context.index.servers);
        int[] sources = IntStream.range(0, context.index.servers).limit(5).toArray();
        MoveFilter filter = context.filters.intoSlop();
        List<Move> all = new ArrayList<>();
        for (int from : sources) {
            for (int region = context.index.firstRegion[from];
                    from != to && region < context.index.firstRegion[from + 1];
                    region++) {
                if (isMovable(region, filter) && filter.considers(region)) {
                    offer(all, region, from, Set.of(to), filter);
                }
            }
        }
        assertThatItIsTheBest(context.moveFinder.to(to, sources, sources.length, filter), all, where);
    }

    private boolean isMovable(int region, MoveFilter filter) {
        return filter.kind() == MoveFilter.COUNTS || filter.kind() == MoveFilter.SLOP
                ? context.simulation.isMovable(region)
                : context.simulation.isMovableForHeat(region);
    }

    /** The listed targets, and every server on a host that has bytes of the region. */
    private Set<Integer> targets(int region, int from) {
        Set<Integer> targets = new TreeSet<>();
        for (int position = 0; position < context.destinations.size(); position++) {
            targets.add(context.destinations.get(position));
        }
        LocalBytes bytes = context.index.state[region].bytesByHost();
        for (int server = 0; server < context.index.servers; server++) {
            String host = context.index.snapshot.serverId(server).host();
            if (server != from && bytes.bytesByHost().containsKey(host)) {
                targets.add(server);
            }
        }
        return targets;
    }

    private int offer(List<Move> all, int region, int from, Set<Integer> targets, MoveFilter filter) {
        for (int to : targets) {
            if (context.simulation.keepsSlop(region, from, to)
                    && context.simulation.mayBeOn(region, to)
                    && filter.allows(region, from, to)) {
                all.add(new Move(region, to, context.scorer.net(region, from, to)));
            }
        }
        return targets.size();
    }

    private static Move best(List<Move> all) {
        return all.stream().max(Comparator.comparingDouble(Move::net)).orElseThrow();
    }

    private void move(Move move) {
        int from = context.index.initialServer[move.region()];
        context.simulation.move(move.region(), move.to());
        context.rankings.moved(move.region(), from, move.to());
    }

    private static void assertThatItIsTheBest(BestCandidate found, List<Move> all, String where) {
        assertThat(found.isEmpty()).as(where).isEqualTo(all.isEmpty());
        if (!all.isEmpty()) {
            List<Move> bestFirst = all.stream()
                    .sorted(Comparator.comparingDouble(Move::net).reversed())
                    .toList();
            assertThat(found.net).as(where).isCloseTo(bestFirst.get(0).net(), within(1e-9));
            assertThat(found.taken).as(where).isEqualTo(BestCandidate.NONE);
            assertThat(net(all, found.region, found.to)).as(where).isCloseTo(found.net, within(1e-9));
            if (all.size() > 1) {
                assertThat(net(all, found.secondRegion, found.secondTo))
                        .as(where)
                        .isCloseTo(bestFirst.get(1).net(), within(1e-9));
            }
        }
    }

    private static double net(List<Move> all, int region, int to) {
        return all.stream()
                .filter(move -> move.region() == region && move.to() == to)
                .mapToDouble(Move::net)
                .findFirst()
                .orElse(Double.NaN);
    }

    /** The hottest of 10 servers with 150 regions each is cooled, region by region. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void ofManyItIsTheBestAtFirstAndThenNearlySoWithFewerLooks(long seed) {
        context = new SearchContext(RandomClusters.lognormal(seed, 10, 150), GOALS);
        int hot = hottest();
        long ofFirst = 0;
        for (int step = 0; step < 4 && context.simulation.shares.share(hot, 0) > 1.1; step++) {
            String where = "seed %d, step %d".formatted(seed, step);
            MoveFilter filter = context.filters.cool(hot, 0);
            context.destinations.list(hot, 0);
            List<Move> all = new ArrayList<>();
            for (int region = context.index.firstRegion[hot]; region < context.index.firstRegion[hot + 1]; region++) {
                if (context.simulation.isMovableForHeat(region) && filter.considers(region)) {
                    offer(all, region, hot, targets(region, hot), filter);
                }
            }
            long before = context.moveFinder.evaluated();
            BestCandidate found = context.moveFinder.from(hot, filter);
            long looked = context.moveFinder.evaluated() - before;
            if (step == 0) {
                assertThatItIsTheBest(found, all, where);
                ofFirst = looked;
            } else {
                assertThat(net(all, found.region, found.to)).as(where).isEqualTo(found.net, within(1e-9));
                assertThat(found.net)
                        .as(where)
                        .isGreaterThanOrEqualTo(0.97 * best(all).net());
                assertThat(looked)
                        .as(where)
                        .isLessThanOrEqualTo(64L * context.destinations.size())
                        .isLessThan(ofFirst);
            }
            move(new Move(found.region, found.to, found.net));
        }
    }

    private int hottest() {
        return IntStream.range(0, context.index.servers)
                .boxed()
                .max(Comparator.comparingDouble(server -> context.simulation.shares.share(server, 0)))
                .orElseThrow();
    }

    @Test
    void aServerHasManyOnlyInALargeCluster() {
        SmallCluster large = new SmallCluster()
                .server()
                .regions(129, 1)
                .server()
                .regions(128, 1)
                .server()
                .regions(744, 1);
        SmallCluster small = new SmallCluster()
                .server()
                .regions(129, 1)
                .server()
                .regions(128, 1)
                .server()
                .regions(743, 1);
        PlanIndex ofLarge = new PlanIndex(large.state(), GOALS);
        PlanIndex ofSmall = new PlanIndex(small.state(), GOALS);

        assertThat(MoveFinder.hasMany(ofLarge, 0)).isTrue();
        assertThat(MoveFinder.hasMany(ofLarge, 1)).isFalse();
        assertThat(MoveFinder.hasMany(ofLarge, 2)).isTrue();
        assertThat(MoveFinder.hasMany(ofSmall, 2)).isFalse();
    }

    /** Of 300 regions every third is tried, from the coldest on: 100 and no more. */
    @Test
    void aServerThatTakesOfManyLooksAtSomeOfEachLoad() {
        SmallCluster cluster = new SmallCluster();
        for (int server = 0; server < 4; server++) {
            cluster.server();
            for (int region = 0; region < 300; region++) {
                cluster.region(1 + region, 0);
            }
        }
        context = cluster.server().search(GOALS.withLimits(PlanLimits.DEFAULT));
        MoveFilter filter = context.filters.intoSlop();

        BestCandidate found = context.moveFinder.to(4, new int[] {0, 4}, 2, filter);

        assertThat(context.moveFinder.evaluated()).isEqualTo(100);
        List<Move> third = new ArrayList<>();
        for (int region = 0; region < 300; region += 3) {
            offer(third, region, 0, Set.of(4), filter);
        }
        assertThatItIsTheBest(found, third, "every third");
    }

    @Test
    void aMoveThatIsNotWorthItIsNotTakenFromTheTop() {
        PlanGoals goals = GOALS.withLimits(PlanLimits.DEFAULT);
        context = new SearchContext(RandomClusters.lognormal(5, 10, 150), goals);
        int hot = hottest();
        boolean goesOn = true;
        int moves = 0;
        while (goesOn) {
            context.destinations.list(hot, 0);
            MoveFilter filter = context.filters.cool(hot, 0);
            BestCandidate found = context.moveFinder.from(hot, filter);
            goesOn = context.isWorth(found, 1) && context.simulation.shares.share(hot, 0) > 1.03;
            if (goesOn) {
                context.partialPlan.take(found, Objective.READS);
                moves++;
            }
        }
        assertThat(moves).isBetween(1, 60);
        assertThat(context.simulation.shares.share(hot, 0)).isLessThan(1.04);
    }
}
