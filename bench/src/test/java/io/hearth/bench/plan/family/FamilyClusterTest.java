// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan.family;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.LoadDimension;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class FamilyClusterTest {

    private static ClusterState cluster(ClusterFamily family, int servers, int regionsPerServer) {
        return FamilyCluster.of(family, servers, regionsPerServer, 7);
    }

    private static double average(ClusterState cluster, LoadDimension dimension) {
        return Arrays.stream(cluster.loadByServer(dimension)).average().orElse(0);
    }

    /**
     * The sums are those of the clusters on which the solver was measured, made by its Python script for 12 servers with 20 regions
     * and seed 7: loads times the region's place among all in the order of servers and names, bytes times the host's number plus 1.
     */
    @ParameterizedTest
    @CsvSource({
        "FAST20, 240, 713329.2949127153, 979446.1201773686, 293820068842823.0, 42170950753595, 12",
        "CAPS, 240, 3007738.59696253, 1406778.5480115323, 279992408638088.0, 42779611042499, 15",
        "ANTI, 240, 2932696.3288963297, 1352552.880836619, 293269632875339.0, 40255013727948, 12",
        "BIMODAL, 240, 2962696.5517976275, 1400016.2148853599, 302709637914987.0, 45565323810527, 12",
        "REPLICAS, 320, 4142347.014429394, 1958431.587237885, 519444424236166.0, 57030675228900, 12",
        "SIGMA1, 240, 2778023.1158235916, 1478181.6921130046, 302716891592818.0, 43073513619569, 12",
        "READS1, 240, 2793579.7031921633, 1481843.072787273, 303767005241967.0, 43073513619569, 12",
        "SIGMA15, 240, 2642278.678678768, 1480952.559869347, 304295930308591.0, 43073513619569, 12"
    })
    void theSolversClustersComeOutAgain(
            ClusterFamily family,
            int regions,
            double reads,
            double writes,
            double bytes,
            long blocks,
            double capacity) {
        ClusterState cluster = cluster(family, 12, 20);
        double[] sums = new double[3];
        long hosts = 0;
        int place = 0;
        for (ServerState server : cluster.servers()) {
            for (RegionState region : server.regions()) {
                place++;
                sums[0] += place * region.plannedLoad().get(LoadDimension.READS);
                sums[1] += place * region.plannedLoad().get(LoadDimension.WRITES);
                sums[2] += place * region.plannedLoad().get(LoadDimension.STORE_SIZE);
                for (var ofHost : region.bytesByHost().bytesByHost().entrySet()) {
                    hosts += ofHost.getValue()
                            * (Integer.parseInt(ofHost.getKey().substring(1)) + 1);
                }
            }
        }

        assertThat(place).isEqualTo(regions);
        assertThat(sums[0]).isCloseTo(reads, within(reads * 1e-12));
        assertThat(sums[1]).isCloseTo(writes, within(writes * 1e-12));
        // A size is cut to a whole byte, which the last bit of a logarithm may change.
        assertThat(sums[2]).isCloseTo(bytes, within(1e6));
        assertThat((double) hosts).isCloseTo(blocks, within(1e6));
        assertThat(cluster.servers().stream().mapToDouble(ServerState::capacity).sum())
                .isEqualTo(capacity);
    }

    @ParameterizedTest
    @EnumSource(
            value = ClusterFamily.class,
            names = {"REPLICAS"},
            mode = EnumSource.Mode.EXCLUDE)
    void everyServerHasItsPartOfTheSameTotal(ClusterFamily family) {
        ClusterState cluster = cluster(family, 12, 20);

        assertThat(cluster.regionCount()).isEqualTo(20 * cluster.servers().size());
        assertThat(average(cluster, LoadDimension.READS)).isCloseTo(2_000, within(1e-6));
        assertThat(average(cluster, LoadDimension.WRITES)).isCloseTo(1_000, within(1e-6));
        assertThat(average(cluster, LoadDimension.STORE_SIZE)).isCloseTo(200e9, within(1e3));
    }

    @Test
    void halfOfADoubledClusterIsEmpty() {
        assertThat(cluster(ClusterFamily.DOUBLED, 12, 20).servers())
                .filteredOn(server -> server.regions().isEmpty())
                .hasSize(6);
    }

    @Test
    void oneRackIsEmpty() {
        List<ServerState> empty = cluster(ClusterFamily.EMPTY_RACK, 13, 20).servers().stream()
                .filter(server -> server.regions().isEmpty())
                .toList();

        assertThat(empty).hasSize(4).allMatch(server -> server.rack().equals("/r2"));
    }

    @Test
    void theHotTableIsOnAQuarterOfTheServers() {
        ClusterState cluster = cluster(ClusterFamily.HOT_TABLE, 12, 20);
        Set<String> hosts = new HashSet<>();
        for (ServerState server : cluster.servers()) {
            assertThat(server.regions()).hasSize(20);
            if (server.regions().stream()
                    .anyMatch(region -> region.table().name().equals("hot"))) {
                hosts.add(server.server().host());
            }
        }

        assertThat(hosts).containsExactlyInAnyOrder("h0", "h1", "h2");
    }

    @Test
    void aGroupHasBlocksOnHostsThatAreNotInIt() {
        ClusterState group = cluster(ClusterFamily.GROUP3, 12, 20);
        Set<String> hosts = new HashSet<>();
        group.servers().forEach(server -> server.regions()
                .forEach(region ->
                        hosts.addAll(region.bytesByHost().bytesByHost().keySet())));

        assertThat(group.servers()).hasSize(3);
        assertThat(hosts).hasSize(12);
        assertThat(cluster(ClusterFamily.GROUP60, 12, 20).servers()).hasSize(60);
    }
}
