// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.hbase;

import static io.hearth.ui.model.PageFixtures.region;
import static io.hearth.ui.model.PageFixtures.server;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.balancer.engine.ExcludedServers;
import io.hearth.cli.client.ClusterSummaryReader;
import io.hearth.cli.view.ClusterSummary;
import io.hearth.cli.view.PinsText;
import io.hearth.cli.view.StatusText;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import io.hearth.ui.model.Page;
import io.hearth.ui.model.PageFixtures;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.junit.jupiter.api.Test;

/** What the page writes, as the command line reads it. */
class PageRoundTripTest {

    @Test
    void theServersThatAreGivenNoRegions() throws IOException {
        Page excluded = PageFixtures.excluded(
                List.of(
                        new ExcludedServers.ExcludedServer(
                                new ServerId("a", 16020, 1), "it is sick", OptionalLong.of(700_000)),
                        new ExcludedServers.ExcludedServer(
                                new ServerId("b", 16020, 1), "3 regions did not open", OptionalLong.empty())),
                server("a", "/r1", 1, region("abc", "t", 300, 20.5)));

        assertThat(ClusterSummaryReader.read(PageJson.page(excluded)).balancer().excluded())
                .containsExactly(
                        new ClusterSummary.ExcludedServer("a:16020", "it is sick", OptionalLong.of(700_000)),
                        new ClusterSummary.ExcludedServer("b:16020", "3 regions did not open", OptionalLong.empty()));
    }

    /** Broken (what the master leaves out is no part of a summary): the first 1,000 pins are told as if they were all. */
    @Test
    void howManyPinsAreLeftOut() throws IOException {
        JsonObject page = PageJson.page(PageFixtures.page(server("a", "/r1", 1, region("abc", "t", 300, 20.5))));
        assertThat(ClusterSummaryReader.read(page).pinsLeftOut()).isZero();
        page.getAsJsonObject("plans").addProperty("pinsLeftOut", 2_000);

        ClusterSummary cluster = ClusterSummaryReader.read(page);
        assertThat(cluster.pinsLeftOut()).isEqualTo(2_000);
        assertThat(PinsText.leftOut(2_000)).hasValue("2,000 more pins, which only the bean HearthBalancerView lists");
        assertThat(StatusText.of(cluster, ""))
                .contains("  pins         2,000 regions not to be moved now (bin/hearth balancer pins says why)");
    }

    @Test
    void theServersWithTheirTotalsAndShares() throws IOException {
        Page page = PageFixtures.page(
                server("a", "/r1", 1, region("abc", "t", 300, 20.5)),
                server("b", "/r2", 1, region("def", "t", 100, 0)));

        List<ClusterSummary.Server> servers =
                ClusterSummaryReader.read(PageJson.page(page)).servers();

        assertThat(servers).extracting(ClusterSummary.Server::name).containsExactly("a:16020", "b:16020");
        assertThat(servers.get(0).totals())
                .isEqualTo(page.input().cluster().server(0).totals());
        assertThat(servers.get(0).share(LoadDimension.READS)).isEqualTo(1.5);
        assertThat(servers.get(1).share(LoadDimension.WRITES)).isZero();
    }

    /** Fields of another version may mean something else. */
    @Test
    void aStateOfAnotherVersionIsRefusedInOneLine() {
        JsonObject page = PageJson.page(PageFixtures.page(server("a", "/r1", 1)));
        page.getAsJsonObject("state").addProperty("version", 4);

        assertThatThrownBy(() -> ClusterSummaryReader.read(page))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "what the master says of the cluster is of another version of Hearth: version is 4; it must be 3"
                                + " for this Hearth: use one at least as new as the one that wrote it");
    }
}
