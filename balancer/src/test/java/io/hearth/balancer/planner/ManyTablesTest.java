// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.engine.ClusterStateBuilder;
import io.hearth.balancer.engine.HBasePlanLimits;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.Map;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run by table over thousands of tables, in looks and not in seconds. */
class ManyTablesTest {

    private static final int SERVERS = 20;
    private static final int REGIONS_OF_A_TABLE = 20;

    private final BalanceEngine engine = new BalanceEngine(
            BalancerConfig.read("a test", new MapSettings(Map.of()), key -> true), new DirectedPlanner()::plan);

    /** What one run came to. */
    private record Run(long evaluated, int searches, int moves, int mostInASnapshot) {}

    private static ClusterStateBuilder cluster(int tables, long seed) {
        Random random = new Random(seed);
        ClusterStateBuilder states = new ClusterStateBuilder();
        for (int server = 0; server < SERVERS; server++) {
            states.add(ServerState.of(server(server)));
        }
        for (int region = 0; region < tables * REGIONS_OF_A_TABLE; region++) {
            EncodedRegionName id = new EncodedRegionName(String.format("%032x", region));
            LoadVector load = LoadVector.ofReads(Math.exp(random.nextGaussian()) * 10)
                    .withWrites(5)
                    .withStoreBytes(1e9);
            states.add(
                    server(random.nextInt(SERVERS)),
                    new RegionState(id, id, new TableId("t" + region % tables), load, Pin.FREE, LocalBytes.UNKNOWN));
        }
        return states;
    }

    private static ServerId server(int number) {
        return new ServerId("host" + (100 + number), 1, 1);
    }

    private Run run(int tables, long seed) {
        ClusterStateBuilder states = cluster(tables, seed);
        long evaluated = 0;
        int moves = 0;
        int most = 0;
        for (int table = 0; table < tables; table++) {
            ClusterState snapshot = states.of(new TableId("t" + table));
            PlanGoals goals = engine.goals(HBasePlanLimits.of(0.2, snapshot, 1), 1);
            PlanSearch search = PlanSearch.of(snapshot, goals, Deadline.never());
            Plan plan = search.plan(false);
            evaluated += search.evaluated();
            moves += plan.moves().size();
            most = Math.max(most, snapshot.regionCount());
            plan.moves().forEach(move -> states.move(move.region(), move.table(), move.from(), move.to()));
        }
        return new Run(evaluated, tables, moves, most);
    }

    /** A table costs what it has and what there are of servers, however many others there are: no look is at theirs. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aRunCostsAsMuchForEachTableHoweverManyThereAre(long seed) {
        Run few = run(200, seed);
        Run many = run(2_000, seed);

        assertThat(many.moves()).as("seed " + seed).isPositive();
        assertThat((double) many.evaluated() / many.searches())
                .as("looks for each table, seed " + seed)
                .isLessThanOrEqualTo(1.5 * few.evaluated() / few.searches());
        assertThat(many.mostInASnapshot()).isEqualTo(few.mostInASnapshot()).isEqualTo(REGIONS_OF_A_TABLE + SERVERS);
    }

    /** Where a plan is one of thousands, it is searched once and not in nine orders. */
    @Test
    void inOneOrderItIsTheFirstPlanThatCounts() {
        for (long seed = 1; seed <= 50; seed++) {
            ClusterState snapshot = cluster(3, seed).of(new TableId("t0"));
            PlanGoals goals = engine.goals(HBasePlanLimits.of(0.2, snapshot, 1), 1);

            assertThat(new DirectedPlanner().inOneOrder().plan(snapshot, goals))
                    .as("seed " + seed)
                    .isEqualTo(PlanSearch.of(snapshot, goals, Deadline.never()).plan(false));
        }
    }

    /** What a table's snapshot says of the other tables is what is left of the server's load, before and after a move. */
    @Test
    void theOtherTablesOfAServerWeighWhatTheyWeighAfterMovesToo() {
        ClusterStateBuilder states = cluster(40, 7);
        Random random = new Random(7);
        for (int step = 0; step < 200; step++) {
            TableId table = new TableId("t" + random.nextInt(40));
            ClusterState snapshot = states.of(table);
            ClusterState all = states.all();
            for (int server = 0; server < SERVERS; server++) {
                assertThat(reads(snapshot, server)).as("step " + step).isCloseTo(reads(all, server), offset());
            }
            int from = random.nextInt(SERVERS);
            snapshot.regionsOf(from).stream()
                    .filter(region -> region.pin() == Pin.FREE)
                    .findFirst()
                    .ifPresent(region -> states.move(
                            region.region(), table, snapshot.serverId(from), server(random.nextInt(SERVERS))));
        }
    }

    private static Offset<Double> offset() {
        return Offset.offset(1e-6);
    }

    private static double reads(ClusterState snapshot, int server) {
        return snapshot.regionsOf(server).stream()
                .mapToDouble(region -> region.plannedLoad().get(LoadDimension.READS))
                .sum();
    }
}
