// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.share.Skew;
import io.hearth.common.model.LoadDimension;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.master.balancer.HeatCostFunction.ReadHeatCostFunction;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeatCostFunctionTest {

    private static final int SERVERS = 5;

    private final Map<RegionInfo, Double> loadByRegion = new HashMap<>();
    private final List<Throwable> failures = new ArrayList<>();
    private boolean fails;
    private boolean planned;
    private boolean asked;

    private final HeatCostFunction.LoadSource loads = new HeatCostFunction.LoadSource() {
        @Override
        public double load(RegionInfo region, LoadDimension dimension) {
            if (fails) {
                throw new IllegalStateException("no heat today");
            }
            assertThat(dimension).isEqualTo(LoadDimension.READS);
            return loadByRegion.getOrDefault(region, 0.0);
        }

        @Override
        public boolean isPlanned() {
            return planned;
        }

        @Override
        public boolean isInNeedsBalance() {
            return asked;
        }

        @Override
        public void failed(Throwable cause) {
            failures.add(cause);
        }
    };

    private final HeatCostFunction function = new ReadHeatCostFunction(200, 0, loads);

    private BalancerClusterState cluster(Random random, int regions) {
        Map<ServerName, List<RegionInfo>> regionsByServer = new TreeMap<>();
        for (int server = 0; server < SERVERS; server++) {
            regionsByServer.put(ServerName.valueOf("host" + server, 16020, 1), new ArrayList<>());
        }
        for (int index = 0; index < regions; index++) {
            RegionInfo region = RegionInfoBuilder.newBuilder(TableName.valueOf("t"))
                    .setStartKey(Bytes.toBytes(index))
                    .setEndKey(Bytes.toBytes(index + 1))
                    .build();
            loadByRegion.put(region, random.nextDouble() * 100);
            regionsByServer
                    .get(ServerName.valueOf("host" + random.nextInt(SERVERS), 16020, 1))
                    .add(region);
        }
        return new BalancerClusterState(regionsByServer, new HashMap<>(), null, null);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void followsEveryStepOfTheSearchAndItsUndoing(long seed) {
        Random random = new Random(seed);
        BalancerClusterState cluster = cluster(random, 40);
        function.prepare(cluster);
        assertThat(function.cost()).as("seed %d", seed).isCloseTo(naive(cluster), within(1e-9));
        for (int step = 0; step < 200; step++) {
            int region = random.nextInt(40);
            int from = cluster.regionIndexToServerIndex[region];
            int to = (from + 1 + random.nextInt(SERVERS - 1)) % SERVERS;
            BalanceAction action = new MoveRegionAction(region, from, to);
            if (step % 3 == 0) {
                take(cluster, action);
                take(cluster, action.undoAction());
            } else {
                take(cluster, action);
            }
            assertThat(function.cost()).as("seed %d step %d", seed, step).isCloseTo(naive(cluster), within(1e-6));
        }
    }

    private void take(BalancerClusterState cluster, BalanceAction action) {
        cluster.doAction(action);
        function.postAction(action);
    }

    private double naive(BalancerClusterState cluster) {
        double[] byServer = new double[SERVERS];
        for (int region = 0; region < cluster.numRegions; region++) {
            byServer[cluster.regionIndexToServerIndex[region]] += loadByRegion.get(cluster.regions[region]);
        }
        return Skew.asCost(Skew.coefficientOfVariation(byServer));
    }

    @Test
    void aFailureCountsAsNoCostAndTheSearchGoesOn() {
        BalancerClusterState cluster = cluster(new Random(1), 10);
        function.prepare(cluster);
        assertThat(function.cost()).isPositive();

        fails = true;
        function.prepare(cluster);
        take(cluster, new MoveRegionAction(0, cluster.regionIndexToServerIndex[0], 1));

        assertThat(function.cost()).isZero();
        assertThat(failures).singleElement().isInstanceOf(IllegalStateException.class);
    }

    /** HBase tells of a server that it has not shown before; the search goes on without heat. */
    @Test
    void aFailureInAStepOfTheSearchCountsAsNoCostToo() {
        function.prepare(cluster(new Random(1), 10));

        function.regionMoved(0, 0, SERVERS);
        function.regionMoved(0, SERVERS, 0);

        assertThat(function.cost()).isZero();
        assertThat(failures).singleElement().isInstanceOf(IndexOutOfBoundsException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void whatIsEvenEnoughCostsNothing(long seed) {
        BalancerClusterState cluster = cluster(new Random(seed), 40);
        function.prepare(cluster);
        double variation = function.cost() / (1 - function.cost());
        HeatCostFunction tolerant = new ReadHeatCostFunction(200, variation * 1.01, loads);
        HeatCostFunction strict = new ReadHeatCostFunction(200, variation * 0.99, loads);

        tolerant.prepare(cluster);
        strict.prepare(cluster);

        assertThat(tolerant.cost()).as("seed %d", seed).isZero();
        assertThat(strict.cost()).as("seed %d", seed).isPositive();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void whatThePlannerLeftCostsNothingAndWhatMakesItWorseDoes(long seed) {
        planned = true;
        BalancerClusterState cluster = cluster(new Random(seed), 40);
        function.prepare(cluster);
        assertThat(naive(cluster)).as("seed %d", seed).isPositive();
        assertThat(function.cost()).as("seed %d", seed).isZero();

        double before = naive(cluster);
        for (int region = 0; region < 40; region++) {
            int from = cluster.regionIndexToServerIndex[region];
            if (from != 0) {
                take(cluster, new MoveRegionAction(region, from, 0));
            }
        }

        assertThat(function.cost()).as("seed %d", seed).isCloseTo(naive(cluster) - before, within(1e-6));
    }

    @Test
    void aCostOfNothingHasNoSayInWhetherToSearch() {
        BalancerClusterState cluster = cluster(new Random(1), 40);
        function.prepare(cluster);
        asked = true;
        assertThat(function.getMultiplier()).as("uneven").isEqualTo(200f);

        planned = true;
        function.prepare(cluster);
        assertThat(function.getMultiplier()).as("nothing to search for").isEqualTo(0.001f);
        asked = false;
        assertThat(function.getMultiplier()).as("while it searches").isEqualTo(200f);

        asked = true;
        HeatCostFunction off = new ReadHeatCostFunction(0, 0, loads);
        off.prepare(cluster);
        assertThat(off.getMultiplier()).isZero();
    }

    @Test
    void hasTheWeightThatItWasGiven() {
        assertThat(function.getMultiplier()).isEqualTo(200f);
    }
}
