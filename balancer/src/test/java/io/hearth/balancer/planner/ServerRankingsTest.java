// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.DoubleFunction;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every order in which the search asks for servers and regions, after each move, beside the same by its definition. */
class ServerRankingsTest {

    private static final PlanGoals GOALS = PlanGoals.of(Map.of(
            LoadDimension.READS, new DimensionGoal(200, 1.1, 1.03, 1),
            LoadDimension.WRITES, new DimensionGoal(100, 1.2, 1.1, 1)));

    private final Set<List<Integer>> givenUp = new HashSet<>();
    private SearchContext context;
    private PlanIndex index;
    private PlanSimulation simulation;
    private boolean byExcess;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 14, 17, 20, 23, 26, 29})
    void theyAreWhatTheirDefinitionsGive(long seed) {
        context = new SearchContext(cluster(seed), GOALS);
        index = context.index;
        simulation = context.simulation;
        Random random = new Random(seed);
        for (int step = 0; step < 40; step++) {
            String where = "seed %d, step %d".formatted(seed, step);
            int region = random.nextInt(index.regions);
            int to = random.nextInt(index.servers);
            if (simulation.isMovable(region) && to != index.initialServer[region]) {
                simulation.move(region, to);
                context.rankings.moved(region, index.initialServer[region], to);
            }
            if (random.nextInt(10) == 0) {
                byExcess = !byExcess;
                context.rankings.orderByExcess(byExcess);
                givenUp.clear();
            }
            assertThatServersAreRanked(where);
            assertThatTargetsAreTheFirstOfThese(random, where);
            assertThatRegionsAreInTheOrderOfTheirLoad(random, where);
            giveUpTheHottest(where);
        }
    }

    /**
     * Broken (only a server's own regions raise its bar): the bar of the second server is the target, and the search tries in vain
     * to cool it. Broken (a region is noted for a dimension in which it is small): the same for one that is large in every one.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLargeRegionThatCameRaisesTheBarAlsoWhenAnotherLargeOneLeaves(boolean inEveryDimension) {
        DoubleFunction<LoadVector> load =
                inEveryDimension ? value -> LoadVector.of(dimension -> value) : LoadVector::ofReads;
        Map<ServerId, List<RegionState>> regions = new HashMap<>();
        Map<ServerId, ServerState> servers = new HashMap<>();
        for (int server = 0; server < 4; server++) {
            ServerId id = new ServerId("rs" + server, 16020, 1);
            servers.put(id, ServerState.of(id));
            regions.put(
                    id,
                    server < 2
                            ? List.of(region(2 * server, load.apply(100)), region(2 * server + 1, load.apply(5)))
                            : List.of(region(2 * server, load.apply(1))));
        }
        context = new SearchContext(ClusterState.of(regions, servers), GOALS);
        index = context.index;
        simulation = context.simulation;
        double target = index.target[0];
        move(largest(0), 1);
        move(largest(1), 2);

        assertThat(threshold(1, 0)).as("what the definition gives").isGreaterThan(target);
        assertThat(context.rankings.threshold(1, 0)).isCloseTo(threshold(1, 0), within(1e-9));
        assertThat(context.rankings.hasNearlyOversized(1, 0)).isTrue();
    }

    /** Broken (a region above a fair share raises the bar by what it is above): the server may have 1.38 shares by a target of 1.2. */
    @Test
    void aRegionBelowTheTargetRaisesNoBarAndOneAboveItJustAsMuchAsItNeeds() {
        PlanGoals loose = PlanGoals.of(Map.of(LoadDimension.READS, new DimensionGoal(200, 1.3, 1.2, 1)));
        Map<ServerId, List<RegionState>> regions = Map.of(
                new ServerId("rs0", 16020, 1), List.of(region(0, 115), region(1, 25)),
                new ServerId("rs1", 16020, 1), List.of(region(2, 125), region(3, 5)),
                new ServerId("rs2", 16020, 1), List.of(region(4, 30)),
                new ServerId("rs3", 16020, 1), List.of(region(5, 100)));
        SearchContext loosely = new SearchContext(ClusterState.of(regions), loose);

        assertThat(loosely.rankings.threshold(0, 0)).isEqualTo(1.2);
        assertThat(loosely.rankings.threshold(1, 0)).isCloseTo(1.03 * 1.25, within(1e-9));
    }

    private static RegionState region(int number, double reads) {
        return region(number, LoadVector.ofReads(reads));
    }

    private static RegionState region(int number, LoadVector load) {
        EncodedRegionName id = new EncodedRegionName(String.format("%032x", number));
        return new RegionState(id, id, new TableId("t"), load, Pin.FREE, LocalBytes.UNKNOWN);
    }

    /** The largest region that a server had in the beginning. */
    private int largest(int server) {
        int largest = index.firstRegion[server];
        for (int region = largest; region < index.firstRegion[server + 1]; region++) {
            largest = index.load(region, 0) > index.load(largest, 0) ? region : largest;
        }
        return largest;
    }

    private void move(int region, int to) {
        simulation.move(region, to);
        context.rankings.moved(region, index.initialServer[region], to);
    }

    /** Servers that are alike, one with an oversized region among them, or servers and regions of every kind. */
    private static ClusterState cluster(long seed) {
        return switch ((int) (seed % 3)) {
            case 0 -> RandomClusters.lognormal(seed, 12, 15);
            case 1 -> RandomClusters.withOversized(seed, 12, 15, seed % 2 + 0.5);
            default -> RandomClusters.wild(seed);
        };
    }

    private void assertThatServersAreRanked(String where) {
        ServerRankings rankings = context.rankings;
        assertThat(top(rankings.fewest(), 5)).as(where).isEqualTo(fewest(5));
        assertThat(top(rankings.mostHeadroom(), 5)).as(where).isEqualTo(mostHeadroom(5));
        assertThat(top(rankings.most(), 5)).as(where).isEqualTo(ranked(5, server -> true, this::countAboveFair));
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            assertThat(top(rankings.coolest(dimension), 5)).as(where).isEqualTo(coolest(dimension, 5));
            for (int server = 0; server < index.servers; server++) {
                assertThat(rankings.threshold(server, dimension))
                        .as(where)
                        .isCloseTo(threshold(server, dimension), within(1e-9));
                assertThat(rankings.hasNearlyOversized(server, dimension))
                        .as(where)
                        .isEqualTo(hottestRegion(server, dimension) > 2.0 / 3 * index.capacity[server]);
            }
        }
    }

    private void giveUpTheHottest(String where) {
        int hot = -1;
        double most = 0;
        for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
            int ofDimension = dimension;
            List<Integer> hottest = ranked(1, server -> true, server -> hotKey(server, ofDimension));
            double key = hotKey(hottest.get(0), dimension);
            if (key > most) {
                hot = dimension;
                most = key;
            }
        }
        assertThat(context.rankings.hottestDimension()).as(where).isEqualTo(hot);
        if (hot >= 0) {
            int dimension = hot;
            int server = ranked(1, any -> true, any -> hotKey(any, dimension)).get(0);
            assertThat(context.rankings.hottestServer(hot)).as(where).isEqualTo(server);
            context.rankings.giveUp(server, hot);
            givenUp.add(List.of(server, hot));
        }
    }

    private void assertThatTargetsAreTheFirstOfThese(Random random, String where) {
        DestinationCandidates destinations = new DestinationCandidates(context.rankings, index.servers);
        int from = random.nextInt(index.servers);
        int oneMore = random.nextInt(index.servers);
        for (int dimension = 0; dimension < 2; dimension++) {
            Set<Integer> heat = new LinkedHashSet<>(coolest(dimension, 6));
            heat.addAll(mostHeadroom(8));
            heat.addAll(fewest(2));
            heat.remove(from);
            destinations.list(from, dimension);
            assertThat(list(destinations)).as(where).containsExactlyElementsOf(heat);
            if (oneMore != from) {
                heat.add(oneMore);
            }
            destinations.list(from, dimension, oneMore);
            assertThat(list(destinations)).as(where).containsExactlyElementsOf(heat);
            assertThat(destinations.isListed(from)).as(where).isTrue();
        }
        Set<Integer> numbers = new LinkedHashSet<>(fewest(6));
        numbers.addAll(mostHeadroom(8));
        numbers.remove(from);
        destinations.list(from);
        assertThat(list(destinations)).as(where).containsExactlyElementsOf(numbers);
        destinations.list(from, 0, -1);
        assertThat(destinations.size()).as(where).isLessThanOrEqualTo(16);
    }

    private static List<Integer> list(DestinationCandidates destinations) {
        return IntStream.range(0, destinations.size())
                .map(destinations::get)
                .boxed()
                .toList();
    }

    private void assertThatRegionsAreInTheOrderOfTheirLoad(Random random, String where) {
        RegionsByLoad order = simulation.order;
        int server = random.nextInt(index.servers);
        for (int dimension = 0; dimension < 2; dimension++) {
            List<Integer> regions = byLoad(server, dimension);
            double load = random.nextDouble() * 0.3;
            int ofDimension = dimension;
            assertThat(order.placeOf(server, dimension, load)).as(where).isEqualTo((int) regions.stream()
                    .filter(region -> index.load(region, ofDimension) < load)
                    .count());
            for (int place = 0; place < regions.size(); place++) {
                assertThat(order.region(server, dimension, place)).as(where).isEqualTo(regions.get(place));
                assertThat(order.up(server, dimension, place))
                        .as(where)
                        .isEqualTo(IntStream.range(place, regions.size())
                                .filter(at -> simulation.isMovable(regions.get(at)))
                                .findFirst()
                                .orElse(RegionsByLoad.NONE));
                assertThat(order.down(server, dimension, place))
                        .as(where)
                        .isEqualTo(IntStream.rangeClosed(0, place)
                                .filter(at -> simulation.isMovable(regions.get(at)))
                                .max()
                                .orElse(RegionsByLoad.NONE));
            }
            assertThat(order.down(server, dimension, -1)).isEqualTo(RegionsByLoad.NONE);
        }
    }

    private List<Integer> byLoad(int server, int dimension) {
        return IntStream.range(index.firstRegion[server], index.firstRegion[server + 1])
                .boxed()
                .sorted(Comparator.comparingDouble((Integer region) -> index.load(region, dimension))
                        .thenComparing(Comparator.reverseOrder()))
                .toList();
    }

    private List<Integer> fewest(int most) {
        return ranked(most, server -> index.mayTake[server], server -> -countAboveFair(server));
    }

    private double countAboveFair(int server) {
        int total = IntStream.of(simulation.countByServer).sum();
        return simulation.countByServer[server] - index.capacity[server] * ((double) total / index.servers);
    }

    private List<Integer> mostHeadroom(int most) {
        return ranked(most, server -> index.mayTake[server], simulation.shares::headroom);
    }

    private List<Integer> coolest(int dimension, int most) {
        return ranked(
                most,
                server -> index.mayTake[server] && index.counts(dimension),
                server -> -simulation.shares.share(server, dimension));
    }

    private List<Integer> ranked(int most, IntPredicate which, IntToDoubleFunction key) {
        return IntStream.range(0, index.servers)
                .filter(which)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer server) -> -key.applyAsDouble(server))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(most)
                .toList();
    }

    private static List<Integer> top(TournamentTree ranking, int most) {
        int[] found = new int[most];
        return IntStream.range(0, ranking.top(most, found, 0))
                .map(at -> found[at])
                .boxed()
                .toList();
    }

    /** By excess, or by the smallest region that brings the server to its bar, the largest where none does. */
    private double hotKey(int server, int dimension) {
        double over = simulation.shares.share(server, dimension) - threshold(server, dimension);
        if (!index.counts(dimension) || over <= 0 || givenUp.contains(List.of(server, dimension))) {
            return 0;
        }
        if (byExcess) {
            return index.weight[dimension] * over;
        }
        List<Integer> movable = byLoad(server, dimension).stream()
                .filter(simulation::isMovableForHeat)
                .toList();
        double largest = movable.isEmpty() ? 0 : index.load(movable.get(movable.size() - 1), dimension);
        return index.weight[dimension]
                * movable.stream()
                        .mapToDouble(region -> index.load(region, dimension))
                        .filter(load -> load >= over * index.capacity[server])
                        .findFirst()
                        .orElse(largest);
    }

    private double threshold(int server, int dimension) {
        double pinned = IntStream.range(index.firstRegion[server], index.firstRegion[server + 1])
                .filter(region -> !index.state[region].isFree())
                .mapToDouble(region -> index.load(region, dimension))
                .sum();
        double staying = Math.max(pinned, hottestRegion(server, dimension)) / index.capacity[server];
        double target = index.target[dimension];
        return Math.max(target, Math.min(target, 1.03) * staying);
    }

    private double hottestRegion(int server, int dimension) {
        return IntStream.range(0, index.regions)
                .filter(region -> simulation.serverOf[region] == server)
                .mapToDouble(region -> index.load(region, dimension))
                .max()
                .orElse(0);
    }
}
