// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.config.ServerCapacities;
import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.hbase.BalancerMetrics;
import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.planner.DirectedPlanner;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.common.config.RawSettings.MapSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.master.RegionPlan;
import org.apache.hadoop.hbase.master.balancer.BalancerRun.ServerAttributes;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What one run of the balancer may take and plan, of all tables together. */
class BalancerRunnerTest {

    private static final BalancerRunner.Limits LIMITS = new BalancerRunner.Limits(0.2, 1, 10_000, 700);
    private static final ServerName ONE = ServerName.valueOf("one", 16020, 1);
    private static final ServerName OTHER = ServerName.valueOf("other", 16020, 1);
    private static final ServerName THIRD = ServerName.valueOf("third", 16020, 1);
    private static final ServerName FOURTH = ServerName.valueOf("fourth", 16020, 1);

    private long nanos;
    private long nowMs = 1_000;
    private final Map<RegionInfo, Long> readsByRegion = new HashMap<>();
    private final List<Integer> maxMoves = new ArrayList<>();
    private final BalanceEngine engine = new BalanceEngine(
            BalancerConfig.read("test", new MapSettings(Map.of()), key -> true), this::planForThreeSeconds);
    private final BalancerRunner runs = new BalancerRunner(
            engine, new BalancerMetrics(), LoggerFactory.getLogger(BalancerRunnerTest.class), () -> nowMs, () -> nanos);

    private Plan planForThreeSeconds(ClusterState snapshot, PlanGoals goals) {
        nanos += TimeUnit.SECONDS.toNanos(3);
        maxMoves.add(goals.limits().maxMoves());
        return new DirectedPlanner().plan(snapshot, goals);
    }

    private static TableName table(int number) {
        return TableName.valueOf("t" + number);
    }

    private static RegionInfo region(TableName table) {
        return RegionInfoBuilder.newBuilder(table).setRegionId(1).build();
    }

    /** The tables that were planned in a run over eight of them. */
    private List<Integer> run() {
        return run(LIMITS);
    }

    private List<Integer> run(BalancerRunner.Limits limits) {
        Map<TableName, Map<ServerName, List<RegionInfo>>> load = new TreeMap<>();
        for (int number = 0; number < 8; number++) {
            load.put(table(number), Map.of(ONE, List.of(region(table(number))), OTHER, List.of()));
        }
        runs.started(
                load, limits, new ServerAttributes(ServerCapacities.ALIKE, host -> "/r"), region -> LocalBytes.UNKNOWN);
        List<Integer> planned = new ArrayList<>();
        for (int number = 0; number < 8; number++) {
            if (runs.hasTimeFor(table(number))) {
                runs.plan(table(number));
                planned.add(number);
            }
        }
        return planned;
    }

    /** 10 s of 3 s a table: four, the last of which is over. Broken (a deadline for each table): all eight, and 24 s. */
    @Test
    void allTablesOfARunShareItsTimeAndThoseThatAreLeftHaveHalfOfTheNextOne() {
        assertThat(run()).containsExactly(0, 1, 2, 3);
        assertThat(run()).containsExactly(0, 1, 4, 5);
        assertThat(run()).containsExactly(0, 1, 6, 7);
        assertThat(run()).containsExactly(0, 1, 2, 3);
    }

    /** It is the turn of a group of as many other servers with one table. */
    private void secondGroup(BalancerRunner.Limits limits) {
        runs.started(
                Map.of(table(9), Map.of(THIRD, List.of(region(table(9))), FOURTH, List.of())),
                limits,
                new ServerAttributes(ServerCapacities.ALIKE, host -> "/r"),
                region -> LocalBytes.UNKNOWN);
    }

    /**
     * In each run HBase has a second group planned after the first one. Broken (what is left is what the last group left): the first four
     * tables in every run.
     */
    @Test
    void whatAGroupHasNoTimeForComesFirstInItsOwnNextTurn() {
        BalancerRunner.Limits limits = new BalancerRunner.Limits(0.2, 1, 20_000, 700);
        for (List<Integer> planned :
                List.of(List.of(0, 1, 2, 3), List.of(0, 1, 4, 5), List.of(0, 1, 6, 7), List.of(0, 1, 2, 3))) {
            runs.over(Set.of(ONE, OTHER, THIRD, FOURTH));
            assertThat(run(limits)).isEqualTo(planned);
            secondGroup(limits);
            assertThat(runs.isLeft(table(7))).as("in a turn of others").isFalse();
            assertThat(runs.hasTimeFor(table(9))).isTrue();
            runs.plan(table(9));
        }
    }

    /** A turn may be missed, as where reading the tables fails: the master says so, and the next run goes on. */
    @Test
    void whatWasLeftWaitsForTheNextTurnOfItsGroup() {
        BalancerRunner.Limits limits = new BalancerRunner.Limits(0.2, 1, 20_000, 700);
        runs.over(Set.of(ONE, OTHER, THIRD, FOURTH));
        assertThat(run(limits)).containsExactly(0, 1, 2, 3);
        runs.over(Set.of(ONE, OTHER, THIRD, FOURTH));
        secondGroup(limits);

        runs.over(Set.of(ONE, OTHER, THIRD, FOURTH));
        assertThat(run(limits)).containsExactly(0, 1, 4, 5);
    }

    /** Broken (each group has all of it): 10 s of the balancer's lock for each group, and as many moves as HBase can make. */
    @Test
    void groupsShareTheTimeAndTheMovesOfARunByTheirServers() {
        runs.over(Set.of(ONE, OTHER, THIRD, FOURTH));
        firstGroup();
        assertThat(runs.searchMsLeft()).isEqualTo(5_000);
        runs.plan(table(0));
        runs.applied(moves(300));

        secondGroup(LIMITS);
        assertThat(runs.searchMsLeft())
                .as("what the first group has left is the second's")
                .isEqualTo(7_000);
        runs.plan(table(9));
        assertThat(maxMoves).containsExactly(350, 400);

        runs.over(Set.of(ONE, OTHER, THIRD, FOURTH));
        secondGroup(LIMITS);
        assertThat(runs.searchMsLeft()).as("of the next run").isEqualTo(5_000);
    }

    /** Broken (all live servers have a part): servers that drain, and a pool of spare ones, keep theirs for ever. */
    @Test
    void serversWithoutATurnHaveNoPartOfTheNextRun() {
        runs.over(Set.of(ONE, OTHER, THIRD, FOURTH));
        firstGroup();
        assertThat(runs.searchMsLeft()).as("of the first run").isEqualTo(5_000);

        runs.over(Set.of(ONE, OTHER, THIRD, FOURTH));
        firstGroup();
        assertThat(runs.searchMsLeft()).isEqualTo(10_000);
    }

    private void firstGroup() {
        runs.started(
                Map.of(table(0), Map.of(ONE, List.of(region(table(0))), OTHER, List.of())),
                LIMITS,
                new ServerAttributes(ServerCapacities.ALIKE, host -> "/r"),
                region -> LocalBytes.UNKNOWN);
    }

    private static List<RegionPlan> moves(int count) {
        List<RegionPlan> moves = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            RegionInfo moved = RegionInfoBuilder.newBuilder(table(0))
                    .setStartKey(Bytes.toBytes(number))
                    .build();
            moves.add(new RegionPlan(moved, ONE, OTHER));
        }
        return moves;
    }

    @Test
    void theTimeThatIsLeftIsThePlanners() {
        run();
        assertThat(runs.searchMsLeft()).isZero();
        runs.over(Set.of());
        runs.started(
                Map.of(),
                LIMITS,
                new ServerAttributes(ServerCapacities.ALIKE, host -> "/r"),
                region -> LocalBytes.UNKNOWN);
        assertThat(runs.searchMsLeft()).isEqualTo(10_000);
    }

    /**
     * Two of four servers serve a tenth at once: most likely HDFS is sick. Broken (nobody asks whether anything may move): the move is
     * made.
     */
    @Test
    void nothingMovesInATableBeyondTheDeadlineWhereTooManyServersAreSuspect() {
        ServerName[] servers = {ONE, OTHER, THIRD, FOURTH};
        Map<ServerName, List<RegionInfo>> ofTable = new TreeMap<>();
        for (int server = 0; server < servers.length; server++) {
            List<RegionInfo> regions = new ArrayList<>();
            for (int region = 0; region < 10; region++) {
                regions.add(RegionInfoBuilder.newBuilder(table(0))
                        .setStartKey(Bytes.toBytes(10 * server + region))
                        .setRegionId(1)
                        .build());
            }
            ofTable.put(servers[server], regions);
        }
        List<RegionPlan> stock = List.of(new RegionPlan(ofTable.get(ONE).get(0), ONE, OTHER));

        observe(ofTable, 60, 1);
        assertThat(unplanned(ofTable, stock)).isEqualTo(stock);
        observe(ofTable, 10, 0.1);
        assertThat(engine.heat().suspects()).hasSize(2);
        assertThat(unplanned(ofTable, stock)).isEmpty();
    }

    private List<RegionPlan> unplanned(Map<ServerName, List<RegionInfo>> ofTable, List<RegionPlan> stock) {
        runs.started(
                Map.of(table(0), ofTable),
                new BalancerRunner.Limits(0.2, 1, 0, 700),
                new ServerAttributes(ServerCapacities.ALIKE, host -> "/r"),
                region -> LocalBytes.UNKNOWN);
        assertThat(runs.hasTimeFor(table(0))).isFalse();
        assertThat(runs.isLeft(table(0))).isTrue();
        return runs.reviewedUnplanned(table(0), stock, why -> {});
    }

    /** So many minutes, in which the first two servers serve this share of what they are asked for. */
    private void observe(Map<ServerName, List<RegionInfo>> ofTable, int minutes, double served) {
        for (int minute = 0; minute < minutes; minute++) {
            nowMs += 60_000;
            List<ServerReport> reports = new ArrayList<>();
            ofTable.forEach((server, regions) -> {
                List<RegionReport> ofServer = new ArrayList<>();
                for (RegionInfo region : regions) {
                    boolean isSick = server.equals(ONE) || server.equals(OTHER);
                    long reads = readsByRegion.merge(region, (long) (60_000 * (isSick ? served : 1)), Long::sum);
                    ofServer.add(new RegionReport(HBaseNames.region(region), HBaseNames.table(table(0)), reads, 0, 0));
                }
                reports.add(new ServerReport(HBaseNames.server(server), nowMs, ofServer));
            });
            engine.observe(reports, nowMs);
        }
    }

    /** Broken (a cap for each table): 700 for each. */
    @Test
    void allTablesOfARunShareTheMovesThatTheMasterCanCarryOut() {
        Map<TableName, Map<ServerName, List<RegionInfo>>> load = Map.of(
                table(0), Map.of(ONE, List.of(region(table(0))), OTHER, List.of()),
                table(1), Map.of(ONE, List.of(region(table(1))), OTHER, List.of()));
        runs.started(
                load, LIMITS, new ServerAttributes(ServerCapacities.ALIKE, host -> "/r"), region -> LocalBytes.UNKNOWN);
        runs.plan(table(0));
        runs.applied(moves(650));
        runs.plan(table(1));

        assertThat(maxMoves).containsExactly(600, 50);
    }
}
