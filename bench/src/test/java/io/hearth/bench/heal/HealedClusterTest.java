// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.heal;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.heat.RegionHeat;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import io.hearth.healer.config.HealingSettings;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class HealedClusterTest {

    private static final EncodedRegionName REGION = new EncodedRegionName("r");
    private static final TableId TABLE = new TableId("t");
    private static final long BYTES = (1L << 30) + 1;

    private final HealedCluster cluster = new HealedCluster(
            racks(8, 2),
            HealingSettings.read("test", new MapSettings(Map.of())).config(),
            region -> new RegionHeat.Unknown(RegionHeat.Reason.NEVER_REPORTED),
            1);

    private static Map<String, String> racks(int hosts, int racks) {
        Map<String, String> rackByHost = new TreeMap<>();
        for (int host = 0; host < hosts; host++) {
            rackByHost.put("host" + host, racks == 0 ? "" : "/rack" + host % racks);
        }
        return rackByHost;
    }

    private static ServerId on(String host) {
        return new ServerId(host, 16020, 1);
    }

    private String hostWithoutReplicas() {
        return racks(8, 2).keySet().stream()
                .filter(host -> !cluster.bytesByHost(REGION).containsKey(host))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aFileIsWrittenOnItsHostAndOnTwoOfAnotherRack() {
        cluster.write(REGION, TABLE, BYTES, "host0");
        cluster.opened(REGION, on("host0"));

        assertThat(cluster.bytesByHost(REGION).get("host0")).isEqualTo(BYTES);
        assertThat(cluster.bytesByHost(REGION).values().stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .isEqualTo(3 * BYTES);
        assertThat(cluster.bytesByHost(REGION)).doesNotContainKeys("host2", "host4", "host6");
        assertThat(cluster.bytes(REGION)).isEqualTo(BYTES);
        assertThat(cluster.locality()).isEqualTo(1);
        cluster.advanceTo(600_000);
        assertThat(cluster.movedBytes()).isZero();
    }

    @Test
    void blocksFollowARegionAndOneThatComesBackToThemNeedsNone() {
        cluster.write(REGION, TABLE, BYTES, "host0");
        cluster.opened(REGION, on("host0"));
        cluster.advanceTo(120_000);
        String away = hostWithoutReplicas();

        cluster.closed(REGION);
        cluster.opened(REGION, on(away));
        assertThat(cluster.locality()).isZero();
        cluster.advanceTo(600_000);

        assertThat(cluster.locality()).isEqualTo(1);
        assertThat(cluster.movedBytes()).isEqualTo(BYTES);
        assertThat(cluster.bytesByHost(REGION).values().stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .as("replicas left over are deleted")
                .isEqualTo(3 * BYTES);

        String other = cluster.bytesByHost(REGION).entrySet().stream()
                .filter(host -> !host.getKey().equals(away) && host.getValue() == BYTES)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(away);
        cluster.closed(REGION);
        cluster.opened(REGION, on(other));
        cluster.advanceTo(1_200_000);

        assertThat(cluster.locality()).isEqualTo(1);
        assertThat(cluster.movedBytes()).as("no byte more").isEqualTo(BYTES);
    }

    @Test
    void daughtersHaveHalfOfTheBlocksEachAndAreHealed() {
        EncodedRegionName first = new EncodedRegionName("ra");
        EncodedRegionName second = new EncodedRegionName("rb");
        cluster.write(REGION, TABLE, BYTES, "host0");
        cluster.opened(REGION, on("host0"));
        String away = hostWithoutReplicas();
        cluster.closed(REGION);
        cluster.split(REGION, first, second);
        cluster.opened(first, on("host0"));
        cluster.opened(second, on(away));

        assertThat(cluster.bytes(first) + cluster.bytes(second)).isEqualTo(BYTES);
        cluster.advanceTo(600_000);

        assertThat(cluster.locality()).isEqualTo(1);
        assertThat(cluster.movedBytes()).isEqualTo(cluster.bytes(second));
    }

    @Test
    void twoHostsHaveTwoReplicas() {
        HealedCluster small = new HealedCluster(
                racks(2, 0),
                HealingSettings.read("test", new MapSettings(Map.of())).config(),
                region -> new RegionHeat.Unknown(RegionHeat.Reason.NEVER_REPORTED),
                1);
        small.write(REGION, TABLE, BYTES, "host1");

        assertThat(small.bytesByHost(REGION)).isEqualTo(Map.of("host0", BYTES, "host1", BYTES));
    }
}
