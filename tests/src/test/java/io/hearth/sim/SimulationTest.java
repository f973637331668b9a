package io.hearth.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.ingest.RegionReport;
import io.hearth.balancer.ingest.ServerReport;
import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.TableId;
import io.hearth.sim.scenario.Scenario;
import io.hearth.sim.scenario.ScenarioProblem;
import io.hearth.sim.scenario.ScenarioReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SimulationTest {

    private static final RegionId MOVED = new RegionId("t-0001");

    private static Scenario scenario(String... more) throws ScenarioProblem {
        List<String> lines = new ArrayList<>(List.of(
                "Title: A test",
                "Lasts: 30min",
                "Cluster:",
                "2 servers",
                "table t of 4 regions of 1 GB, dealt in turn",
                "Load:",
                "t takes 400 reads/s evenly",
                "t takes 40 writes/s, 30 of them on server 1",
                "Expect:",
                "nothing moves"));
        lines.addAll(List.of(more));
        return ScenarioReader.read("test.txt", lines);
    }

    /** Keeps every report, and moves one region of the first server to the second in its second run. */
    private static final class Recorder implements SimBalancer {

        private final List<List<ServerReport>> rounds = new ArrayList<>();
        private int runs;

        @Override
        public void reported(List<ServerReport> reports, long nowMs) {
            rounds.add(reports);
        }

        @Override
        public List<Move> balance(Assignments assignments, long nowMs) {
            runs++;
            if (runs != 2) {
                return List.of();
            }
            var servers = assignments.regionsByServer().keySet().stream()
                    .map(state -> state.server())
                    .sorted()
                    .toList();
            return List.of(new Move(MOVED, servers.get(0), servers.get(1)));
        }

        @Override
        public void movedByHand(Move move, TableId table, long nowMs) {}

        @Override
        public Set<RegionId> toSplit() {
            return Set.of();
        }
    }

    @Test
    void countersRiseByTheTrueRatePerSecondOfReportTime() throws ScenarioProblem {
        Recorder recorder = new Recorder();

        new Simulation(scenario(), recorder).run();

        ServerReport first = recorder.rounds.get(0).get(0);
        ServerReport later = recorder.rounds.get(3).get(0);
        double seconds = (later.reportTimeMs() - first.reportTimeMs()) / 1000.0;
        RegionReport before = first.regions().get(0);
        RegionReport after = later.regions().get(0);
        assertThat((after.readRequests() - before.readRequests()) / seconds).isBetween(99.0, 101.0);
        assertThat((after.writeRequests() - before.writeRequests()) / seconds).isBetween(14.8, 15.2);
    }

    @Test
    void aMoveBeginsCountersAnewAndIsInTheHistory() throws ScenarioProblem {
        Recorder recorder = new Recorder();

        History history = new Simulation(scenario(), recorder).run();

        assertThat(history.moves()).hasSize(1);
        assertThat(history.moves().get(0).region()).isEqualTo(MOVED);
        List<Long> reads = recorder.rounds.stream()
                .flatMap(List::stream)
                .filter(report -> report.server().host().equals("server-02"))
                .flatMap(report -> report.regions().stream())
                .filter(region -> region.region().equals(MOVED))
                .map(RegionReport::readRequests)
                .toList();
        assertThat(reads).isNotEmpty().isSorted();
        assertThat(reads.get(0)).isLessThan(6_500);
    }

    @Test
    void theSameScenarioIsTheSameRun() throws ScenarioProblem {
        Scenario scenario = scenario("max/mean of writes is at least 1.4");

        assertThat(ScenarioRun.of(scenario)).isEqualTo(ScenarioRun.of(scenario));
    }

    @Test
    void theTrueMaxOverMeanIsSampled() throws ScenarioProblem {
        History history = new Simulation(scenario(), new Recorder()).run();

        assertThat(history.first(LoadDimension.WRITES)).hasValue(1.5);
        assertThat(history.first(LoadDimension.READS)).hasValue(1.0);
        assertThat(history.last(LoadDimension.READS)).hasValue(1.5);
    }

    @Test
    void aCrashedServersRegionsAreServedByTheOthersAndItComesBackEmpty() throws ScenarioProblem {
        Scenario scenario = ScenarioReader.read(
                "test.txt",
                List.of(
                        "Title: A crash",
                        "Lasts: 20min",
                        "Cluster:",
                        "3 servers",
                        "table t of 6 regions of 1 GB, dealt in turn",
                        "Load:",
                        "t takes 600 reads/s evenly",
                        "Happens:",
                        "at 5min server 1 crashes and its regions go to server 3",
                        "at 10min server 1 returns",
                        "Expect:",
                        "nothing moves"));
        Recorder recorder = new Recorder();

        History history = new Simulation(scenario, recorder).run();

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
