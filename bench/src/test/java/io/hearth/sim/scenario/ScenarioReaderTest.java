// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.common.model.LoadDimension;
import io.hearth.sim.scenario.Scenario.InitialPlacement;
import io.hearth.sim.scenario.Scenario.LoadDistribution;
import io.hearth.sim.scenario.Scenario.LoadSpec;
import io.hearth.sim.scenario.Scenario.Noise;
import io.hearth.sim.scenario.Scenario.ScenarioEvent;
import io.hearth.sim.scenario.Scenario.ServerSpec;
import io.hearth.sim.scenario.Scenario.TableSpec;
import io.hearth.sim.scenario.Scenario.TimeInterval;
import io.hearth.sim.scenario.Scenario.Timing;
import io.hearth.sim.scenario.Scenario.Wave;
import io.hearth.sim.scenario.ScenarioReader.ScenarioFormatException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScenarioReaderTest {

    static final String LEAST =
            """
            title: The least there must be
            lasts: 1h
            cluster:
              servers:
                - {count: 2}
              tables:
                - {name: t, regions: 10, region size: 1 GB}
            load:
              - {table: t, reads: 100/s}
            expect:
              - moves: {at most: 0}
            """;

    /** The message with every dimension that may be there, for one that has those of today. */
    private static String ofAllDimensions(String message) {
        String counters = Arrays.stream(LoadDimension.values())
                .filter(LoadDimension::isCounter)
                .map(LoadDimension::label)
                .collect(Collectors.joining(", "));
        String skews = LoadDimension.shown().stream()
                .map(dimension -> "max/mean of " + dimension.label())
                .collect(Collectors.joining(", "));
        return message.replaceFirst("(allowed are|must be there:) reads, writes", "$1 " + counters)
                .replace("max/mean of reads, max/mean of writes, max/mean of store size", skews);
    }

    private static Scenario read(String text) throws ScenarioFormatException {
        return ScenarioReader.read("test.yaml", text);
    }

    @Test
    void everyLineIsTakenAtItsWord() throws ScenarioFormatException {
        Scenario scenario = read(
                """
                # A story.
                title: "All: of it" # what follows is a remark
                seed: 7
                lasts: 1h
                cluster:
                  servers:
                    - {count: 2}
                    - {count: 2, racks: 2, capacity: 2.5}
                  tables:
                    - {name: big, regions: 1000, region size: 64 MB, replicas: 3, placed: shuffled}
                    - {name: t, regions: 10, region size: 1 GB, placed: all on server 1}
                    - {name: small, count: 2, regions: 1, region size: 1 MB, placed: in turn}
                  reports: {every: 5s, lost: 2.5 %, seen again after newer ones: 20 %}
                  balancer: {every: 1min, a move takes: 3s, while regions move: true}
                  blocks: local
                load:
                  - {table: big, writes: 1000/s, like Zipf: 0.99, rises and falls by: 20 %, every: 2h, from: 10min, to: 1h 30min}
                  - {table: big, writes: 50/s, of which: 40/s, on server: 2}
                  - {table: big, reads: 50.5/s, lognormal with sigma: 0.5}
                  - {table: t, reads: 9/s, front of regions: 3, moves on every: 10min}
                  - {table: t, region: 10, reads: 8/s}
                  - {table: t, reads: 7/s, from: 10min}
                noise: {up to: 50 %, anew every: 5min}
                events:
                  - {at: 1h, server crashes: 2, its regions go to server: 1}
                  - {at: 1h, server crashes: 1}
                  - {at: 1h, server returns: 2}
                  - {at: 2h, server joins with capacity: 3}
                  - {at: 3h, operator moves region: 7, of table: t, to server: 5}
                  - {at: 3h, region splits: 7, of table: t}
                  - {at: 3h, slow server: 1, serves: 33 %}
                  - {at: 1h, master clock goes: 2h back}
                  - {at: 1h, master clock goes: 2h 30min ahead}
                settings:
                  hearth.balancer.cool.down.ms: 0
                  hearth.balancer.noise.filter: false
                expect:
                  - max/mean of writes: {at most: 1.10, from: 20min, to: 1h}
                  - max/mean of reads: {at least: 1.2}
                  - max/mean of store size: {at most: 2}
                  - moves: {at most: 0, from: 1h}
                  - moves: {at most: 5}
                  - moves: {at least: 1}
                  - moves: {at most: 2, in any: 1h}
                  - moves: {at most: 0, to server: 5}
                  - moves of one region: {at most: 1, in any: 15min}
                  - moves of one region: {at most: 2}
                  - moves to and fro: {at most: 0, within: 24h}
                  - moves to and fro: {at most: 3}
                  - bytes moved: {at most: 900 GB}
                  - region stays: {table: t, region: 3, from: 2h}
                  - replicas stay apart: true
                  - split is advised: {table: t, region: 4}
                """);

        assertThat(scenario.name()).isEqualTo("test");
        assertThat(scenario.title()).isEqualTo("All: of it");
        assertThat(scenario.seed()).isEqualTo(7);
        assertThat(scenario.lastsMs()).isEqualTo(3_600_000);
        assertThat(scenario.servers())
                .containsExactly(
                        new ServerSpec("", 1),
                        new ServerSpec("", 1),
                        new ServerSpec("/rack1", 2.5),
                        new ServerSpec("/rack2", 2.5));
        assertThat(scenario.tables())
                .containsExactly(
                        new TableSpec("big", 1_000, 64L << 20, 3, InitialPlacement.SHUFFLED),
                        new TableSpec("small0001", 1, 1L << 20, 1, InitialPlacement.ROUND_ROBIN),
                        new TableSpec("small0002", 1, 1L << 20, 1, InitialPlacement.ROUND_ROBIN),
                        new TableSpec("t", 10, 1L << 30, 1, InitialPlacement.ALL_ON_FIRST));
        assertThat(scenario.loads())
                .containsExactly(
                        new LoadSpec(
                                "big",
                                LoadDimension.WRITES,
                                1_000,
                                new LoadDistribution.Zipf(0.99),
                                new Wave(0.2, 7_200_000, new TimeInterval(600_000, 5_400_000))),
                        new LoadSpec("big", LoadDimension.WRITES, 50, new LoadDistribution.OnServer(40, 2), Wave.NONE),
                        new LoadSpec("big", LoadDimension.READS, 50.5, new LoadDistribution.Lognormal(0.5), Wave.NONE),
                        new LoadSpec(
                                "t", LoadDimension.READS, 9, new LoadDistribution.MovingFront(3, 600_000), Wave.NONE),
                        new LoadSpec("t", LoadDimension.READS, 8, new LoadDistribution.OneRegion(10), Wave.NONE),
                        new LoadSpec(
                                "t",
                                LoadDimension.READS,
                                7,
                                new LoadDistribution.Evenly(),
                                new Wave(0, 1, new TimeInterval(600_000, Long.MAX_VALUE))));
        assertThat(scenario.happenings())
                .containsExactly(
                        new ScenarioEvent.Crash(3_600_000, 2, OptionalInt.of(1)),
                        new ScenarioEvent.Crash(3_600_000, 1, OptionalInt.empty()),
                        new ScenarioEvent.Return(3_600_000, 2),
                        new ScenarioEvent.Join(7_200_000, 3),
                        new ScenarioEvent.ManualMove(10_800_000, "t", 7, 5),
                        new ScenarioEvent.Split(10_800_000, "t", 7),
                        new ScenarioEvent.SlowServer(10_800_000, 1, 0.33),
                        new ScenarioEvent.ClockStep(3_600_000, -7_200_000),
                        new ScenarioEvent.ClockStep(3_600_000, 9_000_000));
        assertThat(scenario.timing()).isEqualTo(new Timing(5_000, 0.025, 0.2, 60_000, 3_000, true));
        assertThat(scenario.blocks()).isEqualTo(Scenario.Blocks.LOCAL);
        assertThat(scenario.noise()).isEqualTo(new Noise(0.5, 300_000));
        assertThat(scenario.settings())
                .isEqualTo(Map.of("hearth.balancer.cool.down.ms", "0", "hearth.balancer.noise.filter", "false"));
        assertThat(scenario.expectations())
                .containsSubsequence(
                        new Expectation.MaxOverMean(
                                LoadDimension.WRITES, 1.10, true, new TimeInterval(1_200_000, 3_600_000)),
                        new Expectation.MovesOfOneRegion(1, 900_000),
                        new Expectation.BytesMoved(900L << 30, TimeInterval.ALWAYS));
        assertThat(scenario.expectations())
                .extracting(Expectation::text)
                .containsExactly(
                        "max/mean of writes is at most 1.10 from 20min to 1h",
                        "max/mean of reads is at least 1.20",
                        "max/mean of store size is at most 2.00",
                        "nothing moves from 1h",
                        "at most 5 moves",
                        "at least 1 moves",
                        "at most 2 moves in any 1h",
                        "nothing moves to server 5",
                        "no region moves more than once in any 15min",
                        "no region moves more than 2 times",
                        "no region goes to and fro within 24h",
                        "at most 3 times a region goes to and fro",
                        "at most 900 GB are moved",
                        "region 3 of t stays where it is from 2h",
                        "replicas of a region never share a server",
                        "the balancer says: split region 4 of t");
    }

    @Test
    void theRatesOfManyTablesAreDrawnWithTheSeed() throws ScenarioFormatException {
        String text = LEAST.replace("load:", "load:\n  - {each table of: s, writes: 20/s, lognormal with sigma: 1}")
                .replace("tables:", "tables:\n    - {name: s, count: 3, regions: 1, region size: 1 MB}");

        List<LoadSpec> loads = read(text).loads();

        assertThat(loads).extracting(LoadSpec::table).containsExactly("s0001", "s0002", "s0003", "t");
        assertThat(loads.stream().mapToDouble(LoadSpec::perSecond).distinct()).hasSize(4);
        assertThat(read(text).loads()).isEqualTo(loads);
        assertThat(read("seed: 2\n" + text).loads()).isNotEqualTo(loads);
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

    /** What stands in line 9 or 11 of the least scenario in the place of what stands there, and what is said. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{table: t, reads: 100/s} | {table: u, reads: 5/s} | line 9: there is no table u; allowed are t",
                "{table: t, reads: 100/s} | {table: t, region: 11, reads: 5/s} | line 9: t has no region 11; allowed are 1 to 10",
                "{table: t, reads: 100/s} | {table: t, reads: 5/s, of which: 6/s, on server: 1}"
                        + " | line 9: server 1 can't take more of them than there are",
                "{table: t, reads: 100/s} | {table: t, reads: 5/s, of which: 4/s, on server: 3}"
                        + " | line 9: there is no server 3; allowed are 1 to 2",
                "{table: t, reads: 100/s} | {table: t, reads: 5/s, region: 1, like Zipf: 0.9}"
                        + " | line 9: there is no key \"like Zipf\" here; allowed are reads, writes, table, each table of, region,"
                        + " from, to, rises and falls by",
                "{table: t, reads: 100/s} | {each table of: s, reads: 5/s, lognormal with sigma: 1}"
                        + " | line 9: there are no tables s with a count; allowed are []",
                "{moves: {at most: 0}} | {region stays: {table: t, region: 0}} | line 11: t has no region 0; allowed are 1 to 10",
                "{name: t, | {name: t, count: 2, | line 9: there is no table t; allowed are t0001, t0002",
                "- {name: t, | - {name: t, regions: 1, region size: 1 GB}\\n    - {name: t, | line 8: there is a table t already",
                "{moves: {at most: 0}} | {locality: {at least: 80 %}}"
                        + " | line 11: \"locality\" is known only of a cluster with \"blocks: healed\"",
                "{moves: {at most: 0}} | {bytes healed: {at most: 1 GB}}"
                        + " | line 11: \"bytes healed\" is known only of a cluster with \"blocks: healed\"",
                "cluster: | cluster:\\n  blocks: somewhere | line 4: blocks is \"somewhere\"; it must be one of: local, healed",
                "region size: 1 GB} | region size: 1 GB, replicas: 2}\\n  blocks: healed"
                        + " | line 4: \"blocks: healed\" is for tables without replicas of their regions",
                "count: 2 | count: 1 | line 4: the cluster has 1 servers; a balancer needs at least 2",
            })
    void whatIsNotThereIsNamed(String old, String with, String problem) {
        assertThatThrownBy(() -> read(replaced(old, with))).hasMessage("test.yaml, " + ofAllDimensions(problem));
    }

    /** What the schema finds too. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "title: The least there must be | | line 2: \"title\" is missing; it is one line such as A hot region",
                "lasts: 1h | | line 1: \"lasts\" is missing; it is a time such as 90s, 20min or 2h 30min",
                "lasts: 1h | lasts: long | line 2: lasts is \"long\"; it must be a time such as 90s, 20min or 2h 30min",
                "lasts: 1h | lasts: 1h\\nend: 2h | line 3: there is no key \"end\" here; allowed are title, seed, lasts, cluster, load,"
                        + " noise, events, settings, expect",
                "100/s | 100 | line 9: reads is \"100\"; it must be a rate such as 12000/s",
                "100/s | {} | line 9: reads is a list or mapping; it must be a rate such as 12000/s",
                "reads: 100/s | reads: 1/s, writes: 1/s | line 9: only one of these keys can be there: reads, writes",
                "reads: 100/s | region: 1 | line 9: one of these keys must be there: reads, writes",
                "1 GB | 1 TB | line 7: region size is \"1 TB\"; it must be a size such as 64 MB or 2 GB",
                "1 GB | 1 GB, placed: anywhere | line 7: placed is \"anywhere\"; it must be one of: in turn, shuffled, all on server 1",
                "regions: 10 | regions: some | line 7: regions is \"some\"; it must be a count such as 12",
                "at most: 0 | at most: 0, at least: 1 | line 11: only one of these keys can be there: at most, at least",
                "moves: | move: | line 11: one of these keys must be there: max/mean of reads, max/mean of writes, max/mean of store size,"
                        + " moves, moves of one region, moves to and fro, locality, bytes healed, bytes moved, region stays, replicas stay apart, split is advised",
                "moves: {at most: 0} | replicas stay apart: false | line 11: replicas stay apart is \"false\"; it must be one of: true",
                "moves: {at most: 0} | moves: few | line 11: moves must be a mapping of keys to values",
                "- moves: {at most: 0} | {} | line 11: expect must be a list with at least one line that begins with \"- \"",
                "expect: | noise: {up to: 101 %, anew every: 1h}\\nexpect:"
                        + " | line 10: up to is \"101 %\"; it must be a share from 0 % to 100 %, such as 20 %",
                "expect: | events: [{at: 1h, master clock goes: 2h}]\\nexpect:"
                        + " | line 10: master clock goes is \"2h\"; it must be a time such as 2h ahead or 2h back",
                "expect: | events: [{at: 1h, slow server: 1}]\\nexpect:"
                        + " | line 10: \"serves\" is missing; it is a share from 0 % to 100 %, such as 20 %",
            })
    void whatCanNotBeReadIsOneLineThatSaysWhatIsAllowed(String old, String with, String problem) {
        String text = replaced(old, with == null ? "" : with);

        assertThatThrownBy(() -> read(text)).hasMessage("test.yaml, " + ofAllDimensions(problem));
        assertThat(ScenarioSchemaTest.problems(text)).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"load", "expect", "cluster"})
    void aSectionThatIsMissingIsNamed(String section) {
        String text = LEAST.replaceFirst("(?m)^" + section + ":\\n(  .*\\n)+", "");

        assertThatThrownBy(() -> read(text))
                .hasMessageStartingWith("test.yaml, line 1: \"" + section + "\" is missing; it is ");
        assertThat(ScenarioSchemaTest.problems(text)).isNotEmpty();
    }

    @Test
    void whatIsNoYamlIsOneLineToo() {
        assertThatThrownBy(() -> read("title: A\nlasts: [1h\n"))
                .hasMessage("test.yaml, line 3: this is not YAML: expected ',' or ']', but got <stream end>");
        assertThatThrownBy(() -> read("")).hasMessage("test.yaml, line 1: the file is empty");
        assertThatThrownBy(() -> read("- a\n"))
                .hasMessage("test.yaml, line 1: the file must be a mapping of keys to values");
        assertThatThrownBy(() -> read("title: A\ntitle: B\n"))
                .hasMessage("test.yaml, line 2: \"title\" stands there twice");
    }

    private static String replaced(String old, String with) {
        assertThat(LEAST).contains(old.strip().replaceFirst("^\\{moves: (.*)}$", "moves: $1"));
        return LEAST.replace(old.replaceFirst("^\\{moves: (.*)}$", "moves: $1"), with.replace("\\n", "\n"));
    }

    @Test
    void durationsAreReadAndWritten() {
        assertThat(ScenarioDurations.millis("2h 30min")).isEqualTo(9_000_000);
        assertThat(ScenarioDurations.text(9_000_000)).isEqualTo("2h 30min");
        assertThat(ScenarioDurations.millis("1d")).isEqualTo(86_400_000);
        assertThat(ScenarioDurations.text(0)).isEqualTo("0s");
    }
}
