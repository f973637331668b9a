// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.planner.DirectedPlanner;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DryRunPlansTest {

    private static final ServerId HOT = new ServerId("hot", 16020, 1);
    private static final ServerId COOL = new ServerId("cool", 16020, 1);

    private final BalanceEngine engine = new BalanceEngine(
            BalancerConfig.read("test", new MapSettings(Map.of()), key -> false), new DirectedPlanner()::plan);

    /** Two regions of this table, both on one server. */
    private void decideUneven(String table) {
        decide(table, Map.of(HOT, List.of(region(table + "1", table), region(table + "2", table)), COOL, List.of()));
    }

    private void decideEven(String table) {
        decide(table, Map.of(HOT, List.of(region(table + "1", table)), COOL, List.of(region(table + "2", table))));
    }

    private void decide(String table, Map<ServerId, List<RegionState>> regions) {
        engine.decide(table, ClusterState.of(regions), engine.goals(HBasePlanLimits.of(0.2, 2, 1), 0), 0);
    }

    private static RegionState region(String name, String table) {
        return new RegionState(new EncodedRegionName(name), new TableId(table), LoadVector.ofReads(500), Pin.FREE);
    }

    /** Planned one by one; the engine keeps the last 50. */
    @Test
    void everyTableOfARunIsToldOf() throws IOException {
        List<String> tables =
                IntStream.range(0, 60).mapToObj(number -> "t" + number).toList();

        DryRunPlans plans = DryRunPlans.of(engine, () -> {
            tables.forEach(table -> decideUneven(table));
            return true;
        });

        assertThat(engine.decisions()).hasSize(50);
        assertThat(plans.decisions()).extracting(Decision::scope).isEqualTo(tables);
        assertThat(plans.notPlanned()).isEmpty();
        assertThat(engine.hasPlanListeners()).isFalse();
    }

    /** A run of the master's own came between. */
    @Test
    void ofTwoDecisionsAboutATableTheLastOneCounts() throws IOException {
        DryRunPlans plans = DryRunPlans.of(engine, () -> {
            decideUneven("t");
            decideEven("t");
            return true;
        });

        assertThat(plans).isEqualTo(new DryRunPlans(List.of(), true, Optional.empty()));
    }

    /** HBase plans each group of servers by itself; one may have a single server. */
    @Test
    void ofTwoGroupsOneMayHaveAPlanAndTheOtherNone() throws IOException {
        DryRunPlans plans = DryRunPlans.of(engine, () -> {
            decideUneven("t");
            engine.notPlanned("t", () -> Set.of(HOT), "a plan needs two servers");
            return true;
        });

        assertThat(plans.decisions()).extracting(Decision::scope).containsExactly("t");
        assertThat(plans.notPlanned()).contains("No plan is made for t: a plan needs two servers");
    }

    @Test
    void whatThereIsNoPlanForIsOneLine() throws IOException {
        DryRunPlans plans = DryRunPlans.of(engine, () -> {
            decideUneven("t");
            engine.notPlanned("b", () -> Set.of(HOT, COOL), "planning failed");
            engine.notPlanned("a", () -> Set.of(HOT, COOL), "the run had no time left");
            engine.notPlanned("c", () -> Set.of(HOT, COOL), "the run had no time left");
            return true;
        });

        assertThat(plans.decisions()).hasSize(1);
        assertThat(plans.notPlanned()).contains("No plan is made for a and 2 more: the run had no time left");
    }

    @Test
    void withoutARunThereIsNone() {
        assertThatThrownBy(() -> DryRunPlans.of(engine, () -> false))
                .isInstanceOf(RegionExplainer.NoRunException.class);
        assertThat(engine.hasPlanListeners()).isFalse();
    }
}
