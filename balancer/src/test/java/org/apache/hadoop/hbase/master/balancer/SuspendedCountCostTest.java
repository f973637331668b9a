// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.junit.jupiter.api.Test;

class SuspendedCountCostTest {

    private final Configuration conf = new Configuration(false);
    private final List<CostFunction> stock = List.of(
            new RegionCountSkewCostFunction(conf),
            new TableSkewCostFunction(conf),
            new PrimaryRegionCountSkewCostFunction(conf),
            new MoveCostFunctionOfOthers());
    private final List<CostFunction> costs = new ArrayList<>(stock);

    /** A cost that has nothing to do with numbers of regions. */
    private static final class MoveCostFunctionOfOthers extends CostFunction {
        @Override
        protected double cost() {
            return 0.5;
        }
    }

    private static BalancerClusterState cluster() {
        return new BalancerClusterState(
                Map.of(
                        ServerName.valueOf("host0", 16020, 1),
                        List.of(RegionInfoBuilder.newBuilder(TableName.valueOf("t"))
                                .build())),
                new HashMap<>(),
                null,
                null);
    }

    @Test
    void eachCostOfCountsKeepsItsWeightAndCostsNothing() {
        SuspendedCountCost aside = SuspendedCountCost.ofAllCounts(costs);

        assertThat(costs.subList(0, 3)).doesNotContainAnyElementsOf(stock).allSatisfy(cost -> assertThat(cost.cost())
                .isZero());
        for (int place = 0; place < costs.size(); place++) {
            assertThat(costs.get(place).getMultiplier())
                    .isEqualTo(stock.get(place).getMultiplier());
        }
        assertThat(costs.get(3)).isSameAs(stock.get(3));

        aside.putBack();
        assertThat(costs).isEqualTo(stock);
    }

    /** Broken (what stands in its place always matters): 500 more of weight, and every other cost has twice as far to its threshold. */
    @Test
    void aCostThatDoesNotMatterToThisClusterHasNoWeight() {
        SuspendedCountCost.ofAllCounts(costs);
        BalancerClusterState withoutReplicas = cluster();
        costs.forEach(cost -> cost.prepare(withoutReplicas));

        assertThat(costs.stream().map(CostFunction::isNeeded)).containsExactly(true, true, false, true);
    }
}
