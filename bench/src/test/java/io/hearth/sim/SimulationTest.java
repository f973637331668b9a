// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import io.hearth.balancer.state.ClusterState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import io.hearth.sim.scenario.Scenario;
import io.hearth.sim.scenario.ScenarioReader;
import io.hearth.sim.scenario.ScenarioReader.ScenarioFormatException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SimulationTest {

    private static final EncodedRegionName MOVED = new EncodedRegionName("t-0001");

    private static final String TWO_SERVERS =
            """
            title: A test
            lasts: 30min
            cluster:
              servers: [{count: 2}]
              tables: [{name: t, regions: 4, region size: 1 GB, placed: in turn}]
            load:
              - {table: t, reads: 400/s}
              - {table: t, writes: 40/s, of which: 30/s, on server: 1}
            expect:
              - moves: {at most: 0}
            """;

    private static Scenario scenario() throws ScenarioFormatException {
        return ScenarioReader.read("test.yaml", TWO_SERVERS);
    }

    /** Keeps every report, and moves one region of the first server to the second in its second run. */
    private static final class Recorder implements SimBalancer {

        private final List<List<ServerReport>> rounds = new ArrayList<>();
        private int runs;

        @Override
        public void reported(List<ServerReport> reports, long nowMs, long monotonicMs) {
            rounds.add(reports);
        }

        @Override
        public List<Move> balance(ClusterState assignments, long nowMs) {
            runs++;
            if (runs != 2) {
                return List.of();
            }
            List<ServerId> servers = assignments.serverIds();
            return List.of(new Move(MOVED, servers.get(0), servers.get(1)));
        }

        @Override
        public void regionMovedManually(Move move, TableId table, long nowMs) {}

        @Override
        public Set<EncodedRegionName> toSplit() {
            return Set.of();
        }
    }

    @Test
    void countersRiseByTheTrueRatePerSecondOfReportTime() throws ScenarioFormatException {
        Recorder recorder = new Recorder();

        new Simulation(scenario(), recorder).run();

        ServerReport first = recorder.rounds.get(0).get(0);
        ServerReport later = recorder.rounds.get(3).get(0);
        double seconds = (later.reportTimeMs() - first.reportTimeMs()) / 1000.0;
        RegionReport before = first.regions().get(0);
        RegionReport after = later.regions().get(0);
        assertThat((after.load().get(LoadDimension.READS) - before.load().get(LoadDimension.READS)) / seconds)
                .isBetween(99.0, 101.0);
        assertThat((after.load().get(LoadDimension.WRITES) - before.load().get(LoadDimension.WRITES)) / seconds)
                .isBetween(14.8, 15.2);
    }

    @Test
    void aMoveBeginsCountersAnewAndIsInTheHistory() throws ScenarioFormatException {
        Recorder recorder = new Recorder();

        SimHistory history = new Simulation(scenario(), recorder).run();

        assertThat(history.moves()).hasSize(1);
        assertThat(history.moves().get(0).region()).isEqualTo(MOVED);
        List<Long> reads = recorder.rounds.stream()
                .flatMap(List::stream)
                .filter(report -> report.server().host().equals("server-02"))
                .flatMap(report -> report.regions().stream())
                .filter(region -> region.region().equals(MOVED))
                .map(report -> report.load().get(LoadDimension.READS))
                .toList();
        assertThat(reads).isNotEmpty().isSorted();
        assertThat(reads.get(0)).isLessThan(6_500);
    }

    @Test
    void theSameScenarioIsTheSameRun() throws ScenarioFormatException {
        Scenario scenario = ScenarioReader.read("test.yaml", TWO_SERVERS + "  - max/mean of writes: {at least: 1.4}\n");

        assertThat(ScenarioRun.of(scenario)).isEqualTo(ScenarioRun.of(scenario));
    }

    @Test
    void theTrueMaxOverMeanIsSampled() throws ScenarioFormatException {
        SimHistory history = new Simulation(scenario(), new Recorder()).run();

        assertThat(history.first(LoadDimension.WRITES)).hasValue(1.5);
        assertThat(history.first(LoadDimension.READS)).hasValue(1.0);
        assertThat(history.last(LoadDimension.READS)).hasValue(1.5);
    }

    @Test
    void aCrashedServersRegionsAreServedByTheOthersAndItComesBackEmpty() throws ScenarioFormatException {
        Scenario scenario = ScenarioReader.read(
                "test.yaml",
                """
                title: A crash
                lasts: 20min
                cluster:
                  servers: [{count: 3}]
                  tables: [{name: t, regions: 6, region size: 1 GB, placed: in turn}]
                load:
                  - {table: t, reads: 600/s}
                events:
                  - {at: 5min, server crashes: 1, its regions go to server: 3}
                  - {at: 10min, server returns: 1}
                expect:
                  - moves: {at most: 0}
                """);
        Recorder recorder = new Recorder();

        SimHistory history = new Simulation(scenario, recorder).run();

        assertThat(history.samples().get(7).maxOverMean(LoadDimension.READS)).isCloseTo(4 / 3.0, within());
        assertThat(history.samples().get(12).maxOverMean(LoadDimension.READS)).isCloseTo(2.0, within());
        assertThat(recorder.rounds.get(recorder.rounds.size() - 1))
                .extracting(report -> report.regions().size())
                .contains(0);
    }

    private static org.assertj.core.data.Offset<Double> within() {
        return org.assertj.core.data.Offset.offset(1e-9);
    }
}
