// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.canary;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.slo.canary.CanaryPlanner.CanaryRegion;
import io.hearth.slo.canary.CanaryPlanner.Step;
import io.hearth.slo.canary.CanaryPlanner.Step.Move;
import io.hearth.slo.canary.CanaryPlanner.Step.Split;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CanaryPlannerTest {

    /** Regions by server, each with the range of keys that comes to it. */
    private static List<CanaryRegion> layout(String... servers) {
        List<String> keys = new ArrayList<>(CanaryKeyRange.splitKeys(servers.length));
        keys.add(0, "");
        keys.add("");
        List<CanaryRegion> regions = new ArrayList<>();
        for (int region = 0; region < servers.length; region++) {
            regions.add(new CanaryRegion(
                    "r" + region,
                    CanaryKeyRange.of(keys.get(region), keys.get(region + 1)),
                    servers[region].isEmpty() ? Optional.empty() : Optional.of(servers[region])));
        }
        return regions;
    }

    private static Optional<Step> next(List<CanaryRegion> regions, String... servers) {
        return CanaryPlanner.next(regions, Set.of(servers), Set.of(), true);
    }

    @Test
    void aServerWithoutARegionGetsOneOfTheServerThatHasMost() {
        assertThat(next(layout("a", "b", "b", "c", "c", "c"), "a", "b", "c", "d"))
                .contains(new Move("r5", "d"));
        assertThat(next(layout("a", "b"), "a", "b")).isEmpty();
        assertThat(next(layout("a", "b", "b"), "a", "b")).isEmpty();
    }

    @Test
    void aDrainedServersRegionGoesFirstAndItNeedsNone() {
        assertThat(next(layout("a", "b", "b", "drained"), "a", "b", "c")).contains(new Move("r3", "c"));
        assertThat(next(layout("a", "b"), "a", "b")).isEmpty();
    }

    @Test
    void withNoneToSpareTheWidestIsSplitAtItsMiddle() {
        List<CanaryRegion> regions = List.of(
                new CanaryRegion("r0", CanaryKeyRange.of("", "40000000"), Optional.of("a")),
                new CanaryRegion("r1", CanaryKeyRange.of("40000000", ""), Optional.of("b")));
        assertThat(next(regions, "a", "b", "c")).contains(new Split("r1", "a0000000"));
        assertThat(CanaryPlanner.next(regions, Set.of("a", "b", "c"), Set.of(), false))
                .contains(new Split("r1", "a0000000"));
    }

    @Test
    void aTableThatSomebodyHasSplitAtOtherKeysIsLeftAsItIs() {
        assertThat(next(List.of(new CanaryRegion("r0", Optional.empty(), Optional.of("a"))), "a", "b"))
                .isEmpty();
    }

    @Test
    void nothingIsDoneWhileARegionHasNoServer() {
        assertThat(next(layout("a", "a", ""), "a", "b")).isEmpty();
    }

    @Test
    void noRegionIsMovedWhereTheMasterDoesSoNorToAServerThatRefusedOne() {
        List<CanaryRegion> regions = layout("a", "a");
        assertThat(CanaryPlanner.next(regions, Set.of("a", "b"), Set.of(), false))
                .isEmpty();
        assertThat(CanaryPlanner.next(regions, Set.of("a", "b"), Set.of("b"), true))
                .isEmpty();
        assertThat(CanaryPlanner.next(regions, Set.of("a", "b", "c"), Set.of("b"), true))
                .contains(new Move("r1", "c"));
    }

    static IntStream seeds() {
        return IntStream.range(0, 100);
    }

    /** As many splits as regions are missing, as many moves as servers had none, and each server has one. */
    @ParameterizedTest
    @MethodSource("seeds")
    void everyServerComesToARegionInTheFewestSteps(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int servers = random.nextInt(1, 12);
        Set<String> mayHaveOne = IntStream.range(0, servers)
                .mapToObj(server -> "s" + server)
                .collect(Collectors.toCollection(TreeSet::new));
        String[] places = new String[random.nextInt(1, 15)];
        Arrays.setAll(places, region -> "s" + random.nextInt(servers + 2));
        List<CanaryRegion> regions = new ArrayList<>(layout(places));
        Set<String> without = new TreeSet<>(mayHaveOne);
        without.removeAll(Arrays.asList(places));
        int missing = Math.max(0, servers - places.length);

        int moves = 0;
        int splits = 0;
        for (Optional<Step> step = CanaryPlanner.next(regions, mayHaveOne, Set.of(), true);
                step.isPresent();
                step = CanaryPlanner.next(regions, mayHaveOne, Set.of(), true)) {
            if (step.get() instanceof Move) {
                moves++;
            } else {
                splits++;
            }
            make(step.get(), regions);
            assertThat(moves + splits).as("steps of seed %d", seed).isLessThan(100);
        }

        Map<String, Long> byServer = regions.stream()
                .collect(Collectors.groupingBy(region -> region.server().get(), Collectors.counting()));
        assertThat(byServer.keySet())
                .as("servers with a region, of seed %d", seed)
                .containsAll(mayHaveOne);
        assertThat(splits).as("splits of seed %d", seed).isEqualTo(missing);
        assertThat(moves).as("moves of seed %d", seed).isEqualTo(without.size());
    }

    private static void make(Step step, List<CanaryRegion> regions) {
        if (step instanceof Move move) {
            regions.replaceAll(region -> region.name().equals(move.region())
                    ? new CanaryRegion(region.name(), region.keys(), Optional.of(move.server()))
                    : region);
        } else if (step instanceof Split split) {
            CanaryRegion parent = regions.stream()
                    .filter(region -> region.name().equals(split.region()))
                    .findFirst()
                    .orElseThrow();
            long middle = Long.parseLong(split.key(), 16);
            CanaryKeyRange keys = parent.keys().orElseThrow();
            regions.remove(parent);
            regions.add(new CanaryRegion(
                    parent.name() + "a", Optional.of(new CanaryKeyRange(keys.start(), middle)), parent.server()));
            regions.add(new CanaryRegion(
                    parent.name() + "b", Optional.of(new CanaryKeyRange(middle, keys.end())), parent.server()));
        }
    }
}
