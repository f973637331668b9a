package io.hearth.sim.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.balancer.load.LoadDimension;
import io.hearth.sim.scenario.Scenario.Deal;
import io.hearth.sim.scenario.Scenario.Happening;
import io.hearth.sim.scenario.Scenario.LoadSpec;
import io.hearth.sim.scenario.Scenario.Noise;
import io.hearth.sim.scenario.Scenario.ServerSpec;
import io.hearth.sim.scenario.Scenario.Spread;
import io.hearth.sim.scenario.Scenario.TableSpec;
import io.hearth.sim.scenario.Scenario.Timing;
import io.hearth.sim.scenario.Scenario.Wave;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScenarioReaderTest {

    private static final List<String> LEAST = List.of(
            "Title: The least there must be",
            "Seed: 7",
            "Lasts: 1h",
            "Cluster:",
            "2 servers",
            "table t of 10 regions of 1 GB",
            "Load:",
            "t takes 100 reads/s evenly",
            "Expect:",
            "nothing moves");

    private static Scenario read(String... more) throws ScenarioProblem {
        List<String> lines = new ArrayList<>(LEAST);
        lines.addAll(List.of(more));
        return ScenarioReader.read("test.txt", lines);
    }

    @Test
    void everyLineIsTakenAtItsWord() throws ScenarioProblem {
        Scenario scenario = read(
                "Cluster: # what follows is a remark",
                "2 servers on 2 racks of capacity 2.5",
                "table big of 1,000 regions of 64 MB with 3 replicas, shuffled",
                "reports come every 5s and 2 % of them are lost",
                "the balancer runs every 1min and a move takes 3s",
                "Load:",
                "big takes 1,000 writes/s like Zipf 0.99, rising and falling by 20 % every 2h, from 10min to 1h 30min",
                "big takes 50 writes/s, 40 of them on server 2",
                "Happens:",
                "at 1h server 2 crashes and its regions go to server 1",
                "at 2h a new, empty server joins of capacity 3",
                "Settings:",
                "hearth.balancer.cool.down.ms = 0",
                "Expect:",
                "max/mean of writes is at most 1.10 from 20min to 1h",
                "no region moves more than once in any 15min");

        assertThat(scenario.name()).isEqualTo("test");
        assertThat(scenario.seed()).isEqualTo(7);
        assertThat(scenario.lastsMs()).isEqualTo(3_600_000);
        assertThat(scenario.servers())
                .containsExactly(
                        new ServerSpec("", 1),
                        new ServerSpec("", 1),
                        new ServerSpec("/rack1", 2.5),
                        new ServerSpec("/rack2", 2.5));
        assertThat(scenario.tables()).contains(new TableSpec("big", 1_000, 64L << 20, 3, Deal.SHUFFLED));
        assertThat(scenario.loads())
                .contains(
                        new LoadSpec(
                                "big",
                                LoadDimension.WRITES,
                                1_000,
                                new Spread.Zipf(0.99),
                                new Wave(0.2, 7_200_000, new Span(600_000, 5_400_000))),
                        new LoadSpec("big", LoadDimension.WRITES, 50, new Spread.OnServer(40, 2), Wave.NONE));
        assertThat(scenario.happenings())
                .containsExactly(
                        new Happening.Crash(3_600_000, 2, OptionalInt.of(1)), new Happening.Join(7_200_000, 3));
        assertThat(scenario.timing()).isEqualTo(new Timing(5_000, 0.02, 0, 60_000, 3_000, false));
        assertThat(scenario.settings()).isEqualTo(Map.of("hearth.balancer.cool.down.ms", "0"));
        assertThat(scenario.expectations())
                .contains(
                        new Expectation.MaxOverMean(
                                "max/mean of writes is at most 1.10 from 20min to 1h",
                                LoadDimension.WRITES,
                                1.10,
                                true,
                                new Span(1_200_000, 3_600_000)),
                        new Expectation.MovesOfOneRegion("no region moves more than once in any 15min", 1, 900_000));
    }

    @Test
    void whatDisturbsIsUnderstoodToo() throws ScenarioProblem {
        Scenario scenario = read(
                "Cluster:",
                "reports come every 3s and 10 % of them are lost and 20 % are seen again after newer ones",
                "the balancer runs every 1min, whatever is on its way, and a move takes 20s",
                "the healer keeps every region at home",
                "Load:",
                "each region has up to 50 % more or fewer, by chance, anew every 5min",
                "Happens:",
                "at 1h the master's clock goes 2h back",
                "Expect:",
                "at most 900 GB are moved");

        assertThat(scenario.timing()).isEqualTo(new Timing(3_000, 0.1, 0.2, 60_000, 20_000, true));
        assertThat(scenario.isHealed()).isTrue();
        assertThat(scenario.noise()).isEqualTo(new Noise(0.5, 300_000));
        assertThat(scenario.happenings()).containsExactly(new Happening.ClockStep(3_600_000, -7_200_000));
        assertThat(scenario.expectations())
                .contains(new Expectation.BytesMoved("at most 900 GB are moved", 900L << 30, Span.ALWAYS));
    }

    @Test
    void noiseIsTheSameForTheSameSeedAndNoMoreThanItsShare() {
        Noise noise = new Noise(0.5, 300_000);
        double[] factors = IntStream.range(0, 1_000)
                .mapToDouble(step -> noise.at(7, step * 300_000L))
                .toArray();

        assertThat(noise.at(7, 299_999)).isEqualTo(factors[0]);
        assertThat(Arrays.stream(factors).min().orElseThrow()).isBetween(0.5, 0.51);
        assertThat(Arrays.stream(factors).max().orElseThrow()).isBetween(1.49, 1.5);
        assertThat(Arrays.stream(factors).average().orElseThrow()).isBetween(0.97, 1.03);
        assertThat(Noise.NONE.at(7, 1)).isEqualTo(1);
    }

    @Test
    void aLineThatIsNotUnderstoodIsNamedWithWhatMayStandThere() {
        assertThatThrownBy(() -> read("Settings:", "cool down: none"))
                .isInstanceOf(ScenarioProblem.class)
                .hasMessage(
                        "test.txt, line 12: \"cool down: none\" is not understood in the section Settings; allowed there:"
                                + " KEY = VALUE, as in hbase-site.xml");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Load: | u takes 5 reads/s evenly | there is no table u; the section Cluster names them",
                "Load: | region 11 of t takes 5 reads/s | t has no region 11; allowed are 1 to 10",
                "Load: | t takes 5 reads/s, 6 of them on server 1 | server 1 can't take 6 of 5",
                "Happens: | at 5min server 3 crashes | there is no server 3; allowed are 1 to 2",
                "Cluster: | table t of 1 regions of 1 GB | there is a table t already",
                "Expect: | region 0 of t stays where it is | t has no region 0; allowed are 1 to 10",
            })
    void whatIsNotThereIsNamed(String section, String line, String problem) {
        assertThatThrownBy(() -> read(section, line)).hasMessage("test.txt, line 12: " + problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | it has no title; a line such as \"Title: A hot region\" gives one",
                "2 | it has no end; a line such as \"Lasts: 6h\" gives one",
                "4 | it has 0 servers; a balancer needs at least 2",
                "7 | it has no load; the section Load gives one",
                "9 | it expects nothing; the section Expect says what should come out",
            })
    void whatIsMissingIsNamed(int missing, String problem) {
        List<String> lines = new ArrayList<>(LEAST);
        lines.remove(missing);

        assertThatThrownBy(() -> ScenarioReader.read("test.txt", lines)).hasMessage("test.txt: " + problem);
    }

    @Test
    void durationsAreReadAndWritten() {
        assertThat(Times.millis("2h 30min")).isEqualTo(9_000_000);
        assertThat(Times.text(9_000_000)).isEqualTo("2h 30min");
        assertThat(Times.millis("1d")).isEqualTo(86_400_000);
        assertThat(Times.text(0)).isEqualTo("0s");
    }
}
