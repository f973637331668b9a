// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.PlanGoals.PlanLimits;
import io.hearth.balancer.plan.PlanGoals.RegionCountGoal;
import io.hearth.balancer.plan.PlanGoals.TableGoal;
import io.hearth.balancer.plan.UnmovedReason;
import io.hearth.balancer.share.RegionCountSkew;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.TableId;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules that no gain can buy, at their bounds. */
class MoveRulesTest {

    private static final PlanGoals GOALS =
            PlanGoals.of(Map.of(LoadDimension.READS, new DimensionGoal(200, 1.1, 1.03, 1)));
    private static final PlanGoals WITHOUT_COUNTS = GOALS.withCounts(RegionCountGoal.DEFAULT.withSlop(-1));

    /** The mean is 5, and slop of 0.2 allows 4 to 6. */
    private static SmallCluster sevenSixFourThree() {
        return new SmallCluster()
                .server()
                .regions(7, 1)
                .server()
                .regions(6, 1)
                .server()
                .regions(4, 1)
                .server()
                .regions(3, 1);
    }

    @Test
    void slopIsFromFourToSixWhereTheMeanIsFive() {
        PlanSimulation simulation = sevenSixFourThree().search(GOALS).simulation;

        assertThat(simulation.meanCount()).isEqualTo(5);
        assertThat(simulation.fewestBesideLarge()).isEqualTo(4);
        assertThat(simulation.hasTooMany(0)).isTrue();
        assertThat(simulation.hasTooMany(1)).isFalse();
        assertThat(simulation.tooMany(0)).isEqualTo(1);
        assertThat(simulation.tooMany(1)).isZero();
        assertThat(simulation.tooMany(3)).isZero();
        assertThat(simulation.hasFewest(1)).isFalse();
        assertThat(simulation.hasFewest(2)).isTrue();
        assertThat(simulation.hasTooFew(2)).isFalse();
        assertThat(simulation.hasTooFew(3)).isTrue();
        assertThat(simulation.countAboveFair(0)).isEqualTo(2);
        assertThat(simulation.countAboveFair(3)).isEqualTo(-2);
        int onFirst = 0;
        assertThat(simulation.keepsSlop(onFirst, 1, 2)).isTrue();
        assertThat(simulation.keepsSlop(onFirst, 0, 1)).as("6 is the most").isFalse();
        assertThat(simulation.keepsSlop(onFirst, 2, 3)).as("4 is the fewest").isFalse();
        assertThat(simulation.broken(onFirst, 1)).contains(UnmovedReason.COUNT_SLOP);
        assertThat(simulation.broken(onFirst, 2)).isEmpty();
    }

    /** Capacities of 1, 2 and 3 of six: 4, 8 and 12 of 24 regions are fair, and slop is a fourth of that. */
    @Test
    void whatIsFairOfNumbersGoesWithCapacity() {
        PlanSimulation simulation = new SmallCluster()
                .server()
                .regions(8, 1)
                .server()
                .capacity(2)
                .regions(8, 1)
                .server()
                .capacity(3)
                .regions(8, 1)
                .search(GOALS.withCounts(RegionCountGoal.DEFAULT.withSlop(0.25)))
                .simulation;

        assertThat(simulation.countAboveFair(0)).isEqualTo(4);
        assertThat(simulation.countAboveFair(1)).isZero();
        assertThat(simulation.countAboveFair(2)).isEqualTo(-4);
        assertThat(simulation.tooMany(0)).isEqualTo(3);
        assertThat(simulation.hasTooFew(2)).isTrue();
        assertThat(simulation.fewestBesideLarge()).isEqualTo(3);
        assertThat(simulation.keepsSlop(0, 1, 2)).as("8 -> 7 and 8 -> 9").isTrue();
        assertThat(simulation.keepsSlop(0, 2, 1)).as("8 are below 9").isFalse();
        assertThat(simulation.countImbalance()).isPositive();
        for (int region = 0; region < 4; region++) {
            simulation.move(region, 2);
        }
        assertThat(simulation.countImbalance()).as("4, 8 and 12").isZero();
    }

    @Test
    void withoutSlopAnyNumberWillDo() {
        PlanSimulation simulation = sevenSixFourThree().search(WITHOUT_COUNTS).simulation;

        assertThat(simulation.hasTooMany(0)).isFalse();
        assertThat(simulation.hasTooFew(3)).isFalse();
        assertThat(simulation.fewestBesideLarge()).isZero();
        assertThat(simulation.keepsSlop(0, 2, 0)).isTrue();
    }

    /** By table, all that belongs to others is no region of this run. */
    @Test
    void whatIsNotCountedIsNoMatterOfNumbers() {
        PlanSimulation simulation = new SmallCluster()
                .server(1, 1)
                .pinned(Pin.OTHER_TABLE)
                .server(1)
                .search(GOALS.withCounts(RegionCountGoal.DEFAULT.withSlop(0)))
                .simulation;

        assertThat(simulation.countByServer).containsExactly(1, 1);
        assertThat(simulation.isCounted(0)).isTrue();
        assertThat(simulation.isCounted(1)).isFalse();
        assertThat(simulation.keepsSlop(0, 0, 1)).isFalse();
        assertThat(simulation.keepsSlop(1, 0, 1)).isTrue();
    }

    @Test
    void aRegionIsMovedOnceAndAPinnedOneNever() {
        PlanSimulation simulation =
                new SmallCluster().server(1, 1).pinned(Pin.COOL_DOWN).server(1).search(WITHOUT_COUNTS).simulation;

        assertThat(simulation.isMovable(0)).isTrue();
        assertThat(simulation.isMovable(1)).isFalse();
        assertThat(simulation.broken(1, 1)).contains(UnmovedReason.COOL_DOWN);
        simulation.move(0, 1);
        assertThat(simulation.serverOf[0]).isEqualTo(1);
        assertThat(simulation.wasMoved(0)).isTrue();
        assertThat(simulation.wasMoved(2)).isFalse();
        assertThat(simulation.isMovable(0)).isFalse();
        assertThat(simulation.countByServer).containsExactly(1, 2);
        simulation.undo(0);
        assertThat(simulation.wasMoved(0)).isFalse();
        assertThat(simulation.isMovable(0)).isTrue();
        assertThat(simulation.countByServer).containsExactly(2, 1);
    }

    @Test
    void theFirstRuleThatIsBrokenIsNamed() {
        PlanSimulation simulation = new SmallCluster()
                .server(1, 1, 1)
                .rack("a")
                .table("spent")
                .server(1)
                .rack("a")
                .replicaOf(0)
                .onSameHost()
                .rack("a")
                .server(1)
                .rack("b")
                .receivingNone()
                .server()
                .rack("b")
                .search(WITHOUT_COUNTS.withLimits(
                        PlanLimits.DEFAULT.withMovesLeftByTable(Map.of(new TableId("spent"), 0))))
                .simulation;

        assertThat(simulation.broken(2, 4)).contains(UnmovedReason.TABLE_BUDGET);
        assertThat(simulation.broken(0, 3)).contains(UnmovedReason.NOT_A_TARGET);
        assertThat(simulation.broken(0, 1)).contains(UnmovedReason.REPLICA_ON_HOST);
        assertThat(simulation.broken(0, 2)).as("another server of that host").contains(UnmovedReason.REPLICA_ON_HOST);
        assertThat(simulation.broken(0, 0)).as("the rack of the other").contains(UnmovedReason.REPLICA_ON_RACK);
        assertThat(simulation.broken(0, 4)).isEmpty();
        assertThat(simulation.mayBeOn(0, 3)).isFalse();
        assertThat(simulation.mayBeOn(0, 1)).isFalse();
        assertThat(simulation.mayBeOn(0, 0)).isFalse();
        assertThat(simulation.mayBeOn(0, 4)).isTrue();
        assertThat(simulation.mayBeOn(1, 1)).isTrue();
        assertThat(simulation.isMovable(2)).isTrue();
        assertThat(simulation.isMovableForHeat(2)).isFalse();
        assertThat(simulation.isMovableForHeat(1)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {3, 5, 8, 12, 19, 25, 28})
    void replicasShareAHostOrARackAsTheirDefinitionsSay(long seed) {
        ClusterState cluster = RandomClusters.wild(seed);
        SearchContext context = new SearchContext(cluster, GOALS);
        PlanIndex index = context.index;
        ReplicaIndex replicas = context.simulation.replicas;
        Random random = new Random(seed);
        int[] serverOf =
                random.ints(index.regions, 0, Math.max(1, index.servers)).toArray();
        Set<String> racks = new HashSet<>();
        cluster.servers().forEach(server -> racks.add(server.rack()));
        racks.remove(ServerState.UNKNOWN_RACK);
        boolean any = false;
        for (int region = 0; region < index.regions; region++) {
            int server = random.nextInt(index.servers);
            ServerState here = cluster.server(server);
            boolean sharesHost = false;
            boolean sharesRack = false;
            int count = 0;
            for (int other = 0; other < index.regions; other++) {
                RegionState state = index.state[other];
                boolean isReplica = state.primary().equals(index.state[region].primary());
                ServerState there = cluster.server(serverOf[other]);
                count += isReplica ? 1 : 0;
                sharesHost |= isReplica
                        && other != region
                        && there.server().host().equals(here.server().host());
                sharesRack |= isReplica
                        && other != region
                        && !here.rack().equals(ServerState.UNKNOWN_RACK)
                        && there.rack().equals(here.rack());
            }
            any |= !index.state[region].primary().equals(index.state[region].region());
            assertThat(replicas.sharesHost(region, server, serverOf))
                    .as("seed %d, region %d", seed, region)
                    .isEqualTo(sharesHost);
            assertThat(replicas.sharesRack(region, server, serverOf))
                    .as("seed %d, region %d", seed, region)
                    .isEqualTo(sharesRack && count <= racks.size());
        }
        assertThat(replicas.isEmpty()).isEqualTo(!any);
    }

    /** Six regions on two servers: a mean of 3, of which slop of 0 allows 3. */
    @Test
    void aTableIsCrowdedAboveItsSlopAndHasSoManyMoves() {
        PlanGoals goals = new PlanGoals(
                GOALS.goalByDimension(),
                GOALS.counts(),
                new TableGoal(60, 0),
                GOALS.moveCosts(),
                PlanLimits.DEFAULT.withMovesLeftByTable(Map.of(new TableId("t"), 2)));
        PlanSimulation simulation = new SmallCluster()
                .server(1, 1, 1, 1, 1)
                .server(1)
                .region(1, 0)
                .table("u")
                .region(1, 0)
                .table("u")
                .search(goals)
                .simulation;
        TableIndex tables = simulation.tables;

        assertThat(tables.isCrowded(0, 0)).isTrue();
        assertThat(tables.isCrowded(0, 1)).isFalse();
        assertThat(tables.isCrowded(6, 1)).as("2 where 1 is the most").isTrue();
        // 60 of which 6 of 8 regions are this table's, in squares of a mean of 3: from 2 too many to 1.
        assertThat(tables.gain(0, 0, 1)).isEqualTo(60 * 6 / 8.0 / 9 * (4 - 1));
        assertThat(tables.gain(6, 1, 0)).isEqualTo(60 * 2 / 8.0);
        assertThat(tables.gainOfSwap(0, 6, 0, 1)).isEqualTo(tables.gain(0, 0, 1) + tables.gain(6, 1, 0));
        assertThat(tables.gainOfSwap(0, 5, 0, 1)).as("of one table").isZero();
        assertThat(tables.haveMovesLeft(0, 1)).isTrue();
        assertThat(tables.haveMovesLeft(0, 6)).isTrue();
        tables.spend(0);
        assertThat(tables.hasMovesLeft(0)).isTrue();
        assertThat(tables.haveMovesLeft(0, 1)).isFalse();
        assertThat(tables.haveMovesLeft(0, 6)).isTrue();
        assertThat(tables.haveMovesLeft(6, 0)).isTrue();
        tables.spend(0);
        assertThat(tables.hasMovesLeft(0)).isFalse();
        assertThat(tables.haveMovesLeft(0, 6)).isFalse();
        assertThat(tables.haveMovesLeft(6, 0)).isFalse();
        tables.giveBack(0);
        assertThat(tables.hasMovesLeft(0)).isTrue();
        // 2 too many of one table and 1 of the other, and the same for the numbers of regions: 5 and 3 of a mean of 4.
        assertThat(tables.unevenness()).isEqualTo(60 * 6 / 8.0 / 9 * 4 + 60 * 2 / 8.0);
        assertThat(simulation.countImbalance()).isEqualTo(RegionCountSkew.imbalance(new int[] {5, 3}));
        simulation.move(0, 1);
        assertThat(tables.unevenness()).isEqualTo(60 * 6 / 8.0 / 9 + 60 * 2 / 8.0);
        assertThat(simulation.countImbalance()).isEqualTo(0);
        simulation.move(6, 0);
        assertThat(tables.unevenness()).isEqualTo(60 * 6 / 8.0 / 9);
        simulation.undo(6);
        assertThat(tables.unevenness()).isEqualTo(60 * 6 / 8.0 / 9 + 60 * 2 / 8.0);
        assertThat(tables.gain(1, 0, 1)).isEqualTo(60 * 6 / 8.0 / 9);
        simulation.undo(0);
        assertThat(simulation.countImbalance()).isEqualTo(RegionCountSkew.imbalance(new int[] {5, 3}));
        assertThat(tables.isCrowded(0, 0)).isTrue();
    }

    @Test
    void tablesThatDoNotMatterAreNeverCrowded() {
        PlanGoals goals = new PlanGoals(
                GOALS.goalByDimension(), GOALS.counts(), TableGoal.NONE, GOALS.moveCosts(), GOALS.limits());
        PlanSimulation simulation =
                new SmallCluster().server(1, 1, 1, 1).server().search(goals).simulation;

        assertThat(simulation.tables.isCrowded(0, 0)).isFalse();
        assertThat(simulation.tables.gain(0, 0, 1)).isZero();
        simulation.move(0, 1);
        assertThat(simulation.tables.unevenness()).isZero();
    }
}
