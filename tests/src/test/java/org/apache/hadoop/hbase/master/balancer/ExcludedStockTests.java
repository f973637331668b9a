// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import java.util.Map;

/** The tests of HBase's in the balancer's package that are not run with Hearth's balancer in place, each with its reason. */
final class ExcludedStockTests {

    private static final String ANOTHER_BALANCER = "it tests another balancer of HBase's";
    private static final String NO_BALANCER = "it tests no balancer";

    /** Reason by class. */
    static final Map<String, String> CLASSES = Map.ofEntries(
            Map.entry("TestBaseLoadBalancer", "it tests a balancer of its own that extends BaseLoadBalancer"),
            Map.entry("TestCacheAwareLoadBalancer", ANOTHER_BALANCER),
            Map.entry("TestCacheAwareLoadBalancerCostFunctions", ANOTHER_BALANCER),
            Map.entry("TestFavoredNodeTableImport", ANOTHER_BALANCER),
            Map.entry("TestFavoredStochasticBalancerPickers", ANOTHER_BALANCER),
            Map.entry("TestFavoredStochasticLoadBalancer", ANOTHER_BALANCER),
            Map.entry("TestSimpleLoadBalancer", ANOTHER_BALANCER),
            Map.entry("TestLoadBalancerStateStore", NO_BALANCER),
            Map.entry("TestServerAndLoad", NO_BALANCER),
            Map.entry("TestRegionLocationFinder", "it reads the cache of the stock finder, which Hearth's replaces"),
            Map.entry("TestStochasticBalancerJmxMetrics", "each test makes a stock balancer of its own"),
            Map.entry(
                    "TestRegionsOnMasterOptions",
                    "the master carries regions, which is deprecated: Hearth leaves such a cluster to the stock balancer"),
            Map.entry(
                    "TestBalancerStatusTagInJMXMetrics",
                    "it is about balance_switch in a mini cluster of its own: BalancerIT holds that"));

    /** Reason by class and method. */
    static final Map<String, String> METHODS = Map.of(
            "TestStochasticLoadBalancer.testDefaultCostFunctionList",
            "Hearth's heat replaces three stock costs: StockBalancerConfigurationTest holds which");

    /**
     * What a class is given beside its own settings, by class and key.
     *
     * <p>{@code TestBalancerDecision} wants more than 160 records of plans: the stock balancer itself leaves 163 or 164 when its
     * searches end by their steps, and 131 when the clock cuts them off after 0.3 s. So they get the time.
     */
    static final Map<String, Map<String, String>> SETTINGS =
            Map.of("TestBalancerDecision", Map.of(StochasticLoadBalancer.MAX_RUNNING_TIME_KEY, "600000"));

    private ExcludedStockTests() {}
}
