// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.model.LoadDimension;
import io.hearth.sim.RegionGenerator.PlacedRegion;
import io.hearth.sim.scenario.Scenario;
import io.hearth.sim.scenario.Scenario.TimeInterval;
import io.hearth.sim.scenario.ScenarioReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How even the noise of {@code noise-and-a-lasting-skew.yaml} lets a placement be: of many that are even by the true means none holds
 * what the story that the scenario comes from asks for, 1.40 from 13 h. Whoever would hold it has to know the noise beforehand. And how
 * even what is planned is beside those.
 */
class NoiseFloorTest {

    private static final Path FILE = Path.of("src", "main", "scenarios", "noise-and-a-lasting-skew.yaml");
    private static final int PLACEMENTS = 2_000;
    private static final int FEW_PLACEMENTS = 200;
    private static final double EVEN = 1.03;
    private static final double ASKED_FOR = 1.40;
    private static final long FROM_MS = 13 * 3_600_000L;
    private static final long STEP_MS = 600_000;
    private static final long SKEWED_MS = 12 * 3_600_000L;
    private static final Set<String> HOT = Set.of("u-0005", "u-0017", "u-0029");
    /** Three regions of 0.8 of a fair share each, in swings of 60 %: with 13 of seeds 3 to 22 it takes 5 minutes at most, with 6 up to 90, with one 220. */
    private static final long SEEN_WITHIN_MS = 4 * 3_600_000L;

    /** Noise widens what a plan is made for: with seeds 3 to 22 it is 1.05 to 1.12. */
    private static final double ABOUT = 1.15;

    static LongStream seeds() {
        return LongStream.rangeClosed(3, 2 + 2L * Integer.getInteger("hearth.test.repetitions", 1));
    }

    /** The story's seed is 3, the file's 4. */
    @ParameterizedTest
    @ValueSource(longs = {3, 4})
    void noPlacementThatIsEvenByTheMeansHoldsWhatTheStoryAsksFor(long seed) throws Exception {
        double[] highest = skewsOfEvenPlacements(scenario(seed), seed, PLACEMENTS)
                .mapToDouble(skews -> Arrays.stream(skews).max().orElseThrow())
                .sorted()
                .toArray();

        System.out.printf(
                "seed %d: the highest max/mean of reads after 13 h of %d placements that are even within 3 %% by the means: %.2f to %.2f%n",
                seed, highest.length, highest[0], highest[highest.length - 1]);
        assertThat(highest[0]).isGreaterThan(ASKED_FOR);
    }

    /** Whatever the seed: the highest of many hours is chance, their mean is not. */
    @ParameterizedTest
    @MethodSource("seeds")
    void theLastingSkewIsSeenAndWhatIsPlannedIsAboutAsEvenAsThosePlacements(long seed) throws Exception {
        Scenario scenario = scenario(seed);
        double even = skewsOfEvenPlacements(scenario, seed, FEW_PLACEMENTS)
                .flatMapToDouble(Arrays::stream)
                .average()
                .orElseThrow();

        SimHistory history = ScenarioRun.of(scenario).history();
        Set<String> hot = hotFrom12h(scenario, seed, history);

        double planned = history.samples(new TimeInterval(FROM_MS, scenario.lastsMs())).stream()
                .mapToDouble(sample -> sample.maxOverMean(LoadDimension.READS))
                .average()
                .orElseThrow();
        OptionalLong firstMs = history.moves(new TimeInterval(SKEWED_MS, scenario.lastsMs())).stream()
                .filter(move -> hot.contains(move.from().host()))
                .mapToLong(move -> move.timeMs() - SKEWED_MS)
                .min();
        System.out.printf(
                "seed %d: max/mean of reads after 13 h, mean of the time: %.3f; of even placements %.3f; off the hot servers after %d min%n",
                seed, planned, even, firstMs.orElse(-1) / 60_000);
        assertThat(firstMs).as("a move off the servers that became hot").isPresent();
        assertThat(firstMs.getAsLong()).isLessThanOrEqualTo(SEEN_WITHIN_MS);
        assertThat(planned).isLessThanOrEqualTo(even * ABOUT);
        assertThat(history.mostMovesOfOneRegion(Long.MAX_VALUE)).isLessThanOrEqualTo(3);
    }

    /** Where the regions are then that will be hot: at first, and after the moves until then. */
    private static Set<String> hotFrom12h(Scenario scenario, long seed, SimHistory history) {
        Map<String, String> hostByRegion = new HashMap<>();
        new RegionGenerator(scenario, new Random(seed))
                .regions()
                .forEach(placed -> hostByRegion.put(placed.region().id.encodedName(), SimServer.host(placed.server())));
        history.moves(new TimeInterval(0, SKEWED_MS))
                .forEach(move ->
                        hostByRegion.put(move.region().encodedName(), move.to().host()));
        return HOT.stream().map(hostByRegion::get).collect(Collectors.toSet());
    }

    private static Scenario scenario(long seed) throws Exception {
        return ScenarioReader.read(
                FILE.getFileName().toString(),
                Files.readString(FILE).replaceFirst("(?m)^seed: \\d+$", "seed: " + seed));
    }

    /** Of each placement max/mean of reads at each step from 13 h on. */
    private static Stream<double[]> skewsOfEvenPlacements(Scenario scenario, long seed, int count) {
        List<SimRegion> regions = new RegionGenerator(scenario, new Random(seed))
                .regions().stream().map(PlacedRegion::region).toList();
        double[] means = regions.stream()
                .mapToDouble(region -> region.requestRates().stream()
                        .filter(rate -> rate.dimension() == LoadDimension.READS)
                        .mapToDouble(rate -> rate.perSecond() * rate.wave().at(FROM_MS))
                        .sum())
                .toArray();
        double[][] loadsByStep = LongStream.iterate(
                        FROM_MS + STEP_MS / 2, ms -> ms < scenario.lastsMs(), ms -> ms + STEP_MS)
                .mapToObj(timeMs -> regions.stream()
                        .mapToDouble(region -> region.load(LoadDimension.READS, timeMs))
                        .toArray())
                .toArray(double[][]::new);
        int servers = scenario.servers().size();
        Random random = new Random(seed);
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> placement(means, servers, random))
                .filter(placement -> skew(means, placement, servers) <= EVEN)
                .limit(count)
                .map(serverByRegion -> Arrays.stream(loadsByStep)
                        .mapToDouble(loads -> skew(loads, serverByRegion, servers))
                        .toArray());
    }

    /** Each to the server with the least, the large ones first, but for chance. */
    private static int[] placement(double[] means, int servers, Random random) {
        double[] keys = Arrays.stream(means)
                .map(mean -> mean * (0.5 + random.nextDouble()))
                .toArray();
        double[] loads = new double[servers];
        int[] serverByRegion = new int[means.length];
        IntStream.range(0, means.length)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer region) -> -keys[region]))
                .forEach(region -> {
                    int least = IntStream.range(0, servers)
                            .boxed()
                            .min(Comparator.comparingDouble(server -> loads[server]))
                            .orElseThrow();
                    serverByRegion[region] = least;
                    loads[least] += means[region];
                });
        return serverByRegion;
    }

    private static double skew(double[] loads, int[] serverByRegion, int servers) {
        double[] sums = new double[servers];
        for (int region = 0; region < loads.length; region++) {
            sums[serverByRegion[region]] += loads[region];
        }
        return Arrays.stream(sums).max().orElseThrow()
                * servers
                / Arrays.stream(sums).sum();
    }
}
