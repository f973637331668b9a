// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.hbase;

import static io.hearth.ui.model.PageFixtures.region;
import static io.hearth.ui.model.PageFixtures.server;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.engine.ExcludedServers;
import io.hearth.cli.client.ClusterSummaryReader;
import io.hearth.cli.view.ClusterSummary;
import io.hearth.common.model.ServerId;
import io.hearth.ui.model.Page;
import io.hearth.ui.model.PageFixtures;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What the page writes, as the command line reads it. */
class PageRoundTripTest {

    @Test
    void theServersThatAreGivenNoRegions() {
        Page closed = PageFixtures.closed(
                List.of(
                        new ExcludedServers.ExcludedServer(
                                new ServerId("a", 16020, 1), "it is sick", OptionalLong.of(700_000)),
                        new ExcludedServers.ExcludedServer(
                                new ServerId("b", 16020, 1), "3 regions did not open", OptionalLong.empty())),
                server("a", "/r1", 1, region("abc", "t", 300, 20.5)));

        assertThat(ClusterSummaryReader.read(PageJson.page(closed)).balancer().closed())
                .containsExactly(
                        new ClusterSummary.ClosedServer("a:16020", "it is sick", OptionalLong.of(700_000)),
                        new ClusterSummary.ClosedServer("b:16020", "3 regions did not open", OptionalLong.empty()));
    }
}
