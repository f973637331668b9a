// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.cluster.MoveRounds.MoveScenario;
import io.hearth.bench.cluster.MoveRounds.RemoteMoveScenario;
import io.hearth.bench.cluster.MoveRounds.ReturnMoveScenario;
import io.hearth.testkit.embedded.ClusterHost;
import io.hearth.testkit.measure.LocalitySnapshot;
import io.hearth.testkit.measure.LocalitySnapshot.RegionBlocks;
import io.hearth.testkit.measure.LocalitySnapshot.StoreFileBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class MoveRoundsTest {

    private static RegionBlocks region(String name, String host, String... holders) {
        Map<String, String> racks = new TreeMap<>();
        List.of(holders).forEach(holder -> racks.put(holder, "/rack1"));
        return new RegionBlocks(
                name, host, List.of(new StoreFileBlock(name.hashCode(), 10, 3, false, new TreeMap<>(racks))));
    }

    @Test
    void aRoundTakesRegionsOfWhichTheHostHasNothing() {
        LocalitySnapshot localitySnapshot = new LocalitySnapshot(List.of(
                region("served there", "a", "b"),
                region("has a replica there", "b", "a", "b"),
                region("has none there", "b", "b", "c")));

        assertThat(RemoteMoveScenario.without(localitySnapshot, "a", 9)).containsExactly("has none there");
    }

    @Test
    void aRoundTakesNoMoreThanAnEmptyHostGets() {
        List<RegionBlocks> regions = new ArrayList<>();
        for (int number = 10; number < 30; number++) {
            regions.add(region("r" + number, "b", "b"));
        }

        assertThat(RemoteMoveScenario.without(new LocalitySnapshot(regions), "a", MoveScenario.most(48)))
                .hasSize(9)
                .contains("r10", "r18");
    }

    @Test
    void whatAHostLacksIsWhatWouldComeToIt() {
        LocalitySnapshot localitySnapshot =
                new LocalitySnapshot(List.of(region("one", "b", "b"), region("two", "b", "b", "c")));

        assertThat(RemoteMoveScenario.bytesWithout(localitySnapshot, "a", 9)).isEqualTo(20);
        assertThat(RemoteMoveScenario.bytesWithout(localitySnapshot, "a", 1)).isEqualTo(10);
        assertThat(RemoteMoveScenario.bytesWithout(localitySnapshot, "c", 9)).isEqualTo(10);
        assertThat(RemoteMoveScenario.bytesWithout(localitySnapshot, "b", 9)).isZero();
    }

    @Test
    void regionsThatComeBackWereAllAtHome() {
        LocalitySnapshot localitySnapshot = new LocalitySnapshot(
                List.of(region("local", "a", "a"), region("remote", "a", "b"), region("of another", "b", "a", "b")));

        assertThat(ReturnMoveScenario.localRegions(localitySnapshot, "a", 9)).containsExactly("local");
    }

    @Test
    void theyGoToAnotherHostOfTheRackMeanwhile() {
        List<ClusterHost> hosts = List.of(
                new ClusterHost("a", "10.0.0.1", "/rack1"),
                new ClusterHost("b", "10.0.0.2", "/rack2"),
                new ClusterHost("c", "10.0.0.3", "/rack1"),
                new ClusterHost("d", "10.0.0.4", "/rack2"));

        assertThat(ReturnMoveScenario.neighbour(hosts, "a")).isEqualTo("c");
        assertThat(ReturnMoveScenario.neighbour(hosts, "c")).isEqualTo("a");
        assertThat(ReturnMoveScenario.neighbour(hosts, "d")).isEqualTo("b");
    }

    @Test
    void ofTwoRoundsInTheMiddleTheLongerCounts() {
        MoveRoundsResult healthy = SampleResults.rounds(4, 10);
        assertThat(healthy.medianSeconds()).isEqualTo(4);
        assertThat(withSeconds(1.0, 2.0).medianSeconds()).isEqualTo(2);
        assertThat(withSeconds(1.0, Double.POSITIVE_INFINITY).medianSeconds()).isInfinite();
    }

    @Test
    void ofFewerAndLargerRegionsAsLargeAShareComes() {
        assertThat(MoveScenario.most(8)).isEqualTo(2);
        assertThat(MoveScenario.most(1)).isEqualTo(1);
    }

    private static MoveRoundsResult withSeconds(Double... seconds) {
        MoveRoundsResult any = SampleResults.rounds(4, 10);
        return new MoveRoundsResult(
                List.of(seconds).stream().map(SampleResults::round).toList(), any.gets(), any.multigets());
    }
}
