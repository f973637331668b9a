// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.testkit.measure.LocalitySnapshot.RegionBlocks;
import io.hearth.testkit.measure.LocalitySnapshot.StoreFileBlock;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LinkRunTest {

    private static final Set<String> HOSTS = Set.of("host2", "host3", "host4");

    /** A region of host1 with a block of its own for each of these lists of hosts. */
    @SafeVarargs
    private static RegionBlocks region(String name, List<String>... blocks) {
        return new RegionBlocks(
                name, "host1", List.of(blocks).stream().map(LinkRunTest::block).toList());
    }

    private static StoreFileBlock block(List<String> hosts) {
        TreeMap<String, String> rackByHost = new TreeMap<>();
        hosts.forEach(host -> rackByHost.put(host, "/rack"));
        return new StoreFileBlock(1, 1, 3, false, rackByHost);
    }

    @Test
    void regionsThatSeveralHostsHaveAreSpreadOverThem() {
        List<String> everywhere = List.of("host1", "host2", "host3", "host4");
        List<RegionBlocks> alike = List.of(
                region("a", everywhere), region("b", everywhere), region("c", everywhere), region("d", everywhere));

        assertThat(LinkRun.hostsWithMost(alike, HOSTS)).containsExactly("host2", "host3", "host4", "host2");
    }

    @Test
    void aHostWithMoreOfTheBlocksComesFirstHoweverManyItHasReceived() {
        List<String> three = List.of("host1", "host3");
        List<String> four = List.of("host1", "host4");
        RegionBlocks mostlyOnThree = region("a", three, three, four);

        assertThat(LinkRun.hostsWithMost(List.of(mostlyOnThree, mostlyOnThree, mostlyOnThree), HOSTS))
                .containsExactly("host3", "host3", "host3");
    }
}
