// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.hearth.balancer.hbase.BalancerMetrics;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.RegionState.State;
import org.apache.hadoop.hbase.master.assignment.AssignmentManager;
import org.apache.hadoop.hbase.master.assignment.RegionStateNode;
import org.apache.hadoop.hbase.master.assignment.RegionStates;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What a placement reads of the master's states of regions. */
class PlacementClusterViewTest {

    private static final TableName CANARY = TableName.valueOf("hearth_canary");
    private static final ServerName A = ServerName.valueOf("a", 16020, 1);
    private static final ServerName B = ServerName.valueOf("b", 16020, 1);

    private final RegionStates states = new RegionStates();
    private final HearthStochasticBalancer balancer = new HearthStochasticBalancer() {};
    private final BalancerMetrics metrics = new BalancerMetrics();
    private final BalancerFailureHandler failures = new BalancerFailureHandler(
            metrics, LoggerFactory.getLogger(PlacementClusterViewTest.class), failure -> false);
    private final HearthRegionLocationFinder finder =
            new HearthRegionLocationFinder(() -> 0, failures, (region, host) -> {});
    private final PlacementClusterView view = new PlacementClusterView(
            balancer,
            CANARY::equals,
            finder,
            metrics,
            failures,
            LoggerFactory.getLogger(PlacementClusterViewTest.class));

    @BeforeEach
    void giveItAMaster() {
        Configuration site = HBaseConfiguration.create();
        site.unset(HConstants.HBASE_DIR);
        MasterServices master = mock(MasterServices.class);
        when(master.getConfiguration()).thenReturn(site);
        AssignmentManager assignments = mock(AssignmentManager.class);
        when(master.getAssignmentManager()).thenReturn(assignments);
        when(assignments.getRegionStates()).thenReturn(states);
        HBaseVersionSupport.attach(balancer, master);
    }

    @AfterEach
    void stop() {
        finder.close();
        balancer.stop("the test is over");
    }

    private RegionStateNode node(int number, ServerName server) {
        RegionInfo region = RegionInfoBuilder.newBuilder(CANARY)
                .setStartKey(Bytes.toBytes(number))
                .setEndKey(Bytes.toBytes(number + 1))
                .setRegionId(1)
                .build();
        RegionStateNode node = states.getOrCreateRegionStateNode(region);
        node.setState(State.OPENING);
        node.setRegionLocation(server);
        return node;
    }

    @Test
    void oneWithoutAServerIsMissing() {
        RegionStateNode onA = node(1, A);
        RegionStateNode nowhere = node(2, null);
        RegionStateNode onB = node(3, B);

        assertThat(view.serverByRegion(CANARY))
                .containsExactlyInAnyOrderEntriesOf(Map.of(onA.getRegionInfo(), A, onB.getRegionInfo(), B))
                .doesNotContainKey(nowhere.getRegionInfo());
        assertThat(view.serverByRegion(TableName.valueOf("another"))).isEmpty();
    }

    /**
     * HBase's procedure of a region holds its lock while it writes to hbase:meta. Broken ({@code RegionStates.getRegionServerOfRegion}): the
     * thread that assigns regions waits as well, and meta stays without a server.
     */
    @Test
    void aRegionWhoseProcedureWaitsForMetaKeepsNobodyWaiting() throws Exception {
        RegionStateNode node = node(1, A);
        node.lock();
        try {
            assertThat(CompletableFuture.supplyAsync(() -> view.serverByRegion(CANARY))
                            .get(1, TimeUnit.MINUTES))
                    .containsExactly(Map.entry(node.getRegionInfo(), A));
        } finally {
            node.unlock();
        }
    }
}
