// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.TableId;
import io.hearth.sim.scenario.Scenario;
import io.hearth.sim.scenario.Scenario.TimeInterval;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A rolling restart whose blocks the healing loop moves: its expectations hold, and the balancer saves moves of blocks. */
class HealedScenarioTest {

    static final Path FILE = Path.of("src", "main", "scenarios", "rolling-restart-healed.yaml");

    /** Hearth's balancer, to which nobody tells where blocks are. */
    private static final class BlindBalancer implements SimBalancer {

        private final SimBalancer balancer;

        BlindBalancer(SimBalancer balancer) {
            this.balancer = balancer;
        }

        @Override
        public void reported(List<ServerReport> reports, long nowMs, long monotonicMs) {
            balancer.reported(reports, nowMs, monotonicMs);
        }

        @Override
        public List<Move> balance(ClusterState assignments, long nowMs) {
            List<ServerState> blind = assignments.servers().stream()
                    .map(server -> server.withRegions(server.regions().stream()
                            .map(BlindBalancer::withoutBlocks)
                            .toList()))
                    .toList();
            return balancer.balance(new ClusterState(0, "the simulator", ClusterState.UNKNOWN, blind), nowMs);
        }

        private static RegionState withoutBlocks(RegionState region) {
            return new RegionState(
                    region.region(),
                    region.primary(),
                    region.table(),
                    LoadVector.ZERO,
                    Pin.HEAT_UNKNOWN,
                    LocalBytes.UNKNOWN);
        }

        @Override
        public void regionMovedManually(Move move, TableId table, long nowMs) {
            balancer.regionMovedManually(move, table, nowMs);
        }

        @Override
        public Set<EncodedRegionName> toSplit() {
            return balancer.toSplit();
        }
    }

    @Test
    void regionsAreGivenBackToWhereTheirBlocksAre() throws Exception {
        Scenario scenario = ScenarioFiles.read(FILE);
        ScenarioRun run = ScenarioRun.of(scenario);
        assertThat(run.failed()).as(ScenarioResultTable.of(List.of(run))).isEmpty();

        SimHistory seeing = run.history();
        SimHistory blind = ScenarioRun.of(
                        scenario,
                        new BlindBalancer(new HearthSimBalancer(scenario.settings(), ScenarioRun.tables(scenario))))
                .history();

        assertThat((double) seeing.healedBytes() / blind.healedBytes())
                .as(
                        "%d MB of blocks were moved after %d moves, and %d MB after %d by a balancer that does not know of blocks",
                        seeing.healedBytes() >> 20,
                        seeing.moves(TimeInterval.ALWAYS).size(),
                        blind.healedBytes() >> 20,
                        blind.moves(TimeInterval.ALWAYS).size())
                .isLessThan(0.9);
    }
}
