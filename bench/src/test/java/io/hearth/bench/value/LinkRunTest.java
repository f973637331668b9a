// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.bench.value.LinkRun.Exchange;
import io.hearth.testkit.measure.LocalitySnapshot;
import io.hearth.testkit.measure.LocalitySnapshot.RegionBlocks;
import io.hearth.testkit.measure.LocalitySnapshot.StoreFileBlock;
import java.io.IOException;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LinkRunTest {

    private static final List<String> TWO = List.of("host1", "host2");
    private static final List<String> THREE = List.of("host1", "host3");
    private static final List<String> ELSEWHERE = List.of("host3", "host4");

    /** A region with a block for each of these lists of hosts. */
    @SafeVarargs
    private static RegionBlocks region(String name, String server, List<String>... blocks) {
        return new RegionBlocks(
                name, server, List.of(blocks).stream().map(LinkRunTest::block).toList());
    }

    private static StoreFileBlock block(List<String> hosts) {
        TreeMap<String, String> rackByHost = new TreeMap<>();
        hosts.forEach(host -> rackByHost.put(host, "/rack"));
        return new StoreFileBlock(1, 1, 2, false, rackByHost);
    }

    @Test
    void eachRegionIsExchangedForOneThatTheHostHasNothingOfWithTheHostThatHasMostOfIt() throws IOException {
        LocalitySnapshot snapshot = new LocalitySnapshot(List.of(
                region("a", "host1", THREE, THREE, TWO),
                region("b", "host1", TWO, TWO),
                region("c", "host2", ELSEWHERE),
                region("d", "host2", ELSEWHERE, TWO),
                region("e", "host3", ELSEWHERE),
                region("f", "host4", ELSEWHERE)));

        assertThat(LinkRun.exchanges(snapshot, "host1"))
                .containsExactly(new Exchange("a", "host3", "e"), new Exchange("b", "host2", "c"));
    }

    @Test
    void aHostThatHasNothingLeftToGiveGetsNothing() throws IOException {
        LocalitySnapshot snapshot = new LocalitySnapshot(List.of(
                region("a", "host1", TWO),
                region("b", "host1", TWO),
                region("c", "host1", TWO),
                region("d", "host2", ELSEWHERE),
                region("e", "host3", ELSEWHERE),
                region("f", "host4", ELSEWHERE),
                region("g", "host4", ELSEWHERE)));

        assertThat(LinkRun.exchanges(snapshot, "host1"))
                .as("then the one that has most to give, then the first")
                .containsExactly(
                        new Exchange("a", "host2", "d"),
                        new Exchange("b", "host4", "f"),
                        new Exchange("c", "host3", "e"));
    }

    @Test
    void tooFewRegionsToExchangeAreSaid() {
        LocalitySnapshot snapshot = new LocalitySnapshot(
                List.of(region("a", "host1", TWO), region("b", "host1", TWO), region("c", "host2", ELSEWHERE)));

        assertThatThrownBy(() -> LinkRun.exchanges(snapshot, "host1"))
                .isInstanceOf(IOException.class)
                .hasMessage("of all regions only 1 have no replica on host1");
    }
}
