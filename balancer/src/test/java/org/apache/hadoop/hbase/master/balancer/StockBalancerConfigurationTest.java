// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.hearth.balancer.HearthLoadBalancer;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.balancer.HeatCostFunction.ReadHeatCostFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which cost functions the stock search has once Hearth's configuration has been through HBase. */
class StockBalancerConfigurationTest {

    private static final String PREFIX = "hbase.master.balancer.stochastic.";

    private final Configuration site = HBaseConfiguration.create();
    private final StochasticLoadBalancer balancer = new HearthLoadBalancer();

    private List<String> functions() {
        MasterServices master = mock(MasterServices.class);
        when(master.getConfiguration()).thenReturn(site);
        when(master.getServerName()).thenReturn(ServerName.valueOf("master", 16000, 1));
        HBaseVersionSupport.attach(balancer, master);
        balancer.initialize();
        return List.of(balancer.getCostFunctionNames());
    }

    @AfterEach
    void stop() {
        balancer.stop("the test is over");
    }

    @Test
    void heatStandsInForTheStockCostsThatItReplaces() {
        assertThat(functions())
                .contains("ReadHeatCostFunction", "WriteHeatCostFunction", "MemStoreSizeCostFunction")
                .doesNotContain("ReadRequestCostFunction", "WriteRequestCostFunction", "StoreFileCostFunction");
    }

    @Test
    void aHeatThatWeighsNothingIsNotAsked() {
        site.set(PREFIX + "readHeatCost", "0");

        assertThat(functions()).contains("WriteHeatCostFunction").doesNotContain("ReadHeatCostFunction");
    }

    @Test
    void theSitesOwnAdditionalCostsStayAndComeLast() {
        site.set(PREFIX + "additionalCostFunctions", OfTheSite.class.getName());

        assertThat(functions()).contains("ReadHeatCostFunction").last().isEqualTo("OfTheSite");
    }

    @Test
    void switchedOffItLeavesTheStockCosts() {
        site.setBoolean("hearth.balancer.enabled", false);

        assertThat(functions())
                .contains("ReadRequestCostFunction", "StoreFileCostFunction")
                .noneMatch(name -> name.contains("Heat"));
    }

    @Test
    void theSitesConfigurationIsLeftAsItIs() {
        functions();

        assertThat(site.get(PREFIX + "readRequestCost")).isNull();
        assertThat(site.get(PREFIX + "additionalCostFunctions")).isNull();
    }

    @Test
    void oneOfOursThatASiteNamesItselfWeighsNothing() {
        HeatCostFunction namedBySite = new ReadHeatCostFunction(site);

        assertThat(namedBySite.getMultiplier()).isZero();
    }

    /** A cost function of the site's. */
    static final class OfTheSite extends CostFunction {

        @Override
        protected double cost() {
            return 0;
        }
    }
}
