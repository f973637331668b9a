// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.hbase3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.admin.rpc.AdminCall;
import io.hearth.admin.rpc.HearthAdminClient;
import io.hearth.admin.rpc.HearthAdminEndpoint;
import io.hearth.balancer.HearthLoadBalancer;
import io.hearth.healer.hbase.LocalityHealingObserver;
import io.hearth.ui.hbase.ApiResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HBaseTestingUtil;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.StartTestingClusterOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.rsgroup.RSGroupInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Both jars in a mini cluster of HBase 3 with two masters, one of which dies, and three RegionServers, one of which dies. They share one
 * host, which the dead one's regions do not lose: HBase keeps them there, and everything is local.
 */
class CrashAndFailoverIT {

    private static final int SERVERS = 3;
    private static final int REGIONS = 12;
    private static final TableName TABLE = TableName.valueOf("t");
    private static final byte[] FAMILY = Bytes.toBytes("f");
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static HBaseTestingUtil cluster;

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = HBaseConfiguration.create();
        conf.set("hbase.master.loadbalancer.class", HearthLoadBalancer.class.getName());
        conf.set(
                "hbase.coprocessor.master.classes",
                LocalityHealingObserver.class.getName() + "," + HearthAdminEndpoint.class.getName());
        conf.setInt("hbase.regionserver.msginterval", 1000);
        conf.setInt("hearth.balancer.heat.min.observed.ms", 5000);
        conf.setInt("hbase.balancer.period", Integer.MAX_VALUE);
        // The second master finds one server less than the mini cluster would have it wait for.
        conf.setInt("hbase.master.wait.on.regionservers.mintostart", SERVERS - 1);
        // The balancer sees reports as often, and places by what they say.
        conf.setInt("hbase.balancer.statusPeriod", 1000);
        cluster = new HBaseTestingUtil(conf);
        cluster.startMiniCluster(StartTestingClusterOption.builder()
                .numMasters(2)
                .numRegionServers(SERVERS)
                .numDataNodes(SERVERS)
                .build());
        cluster.getAdmin()
                .createTable(
                        HBase3HotServerLoad.table(TABLE, RSGroupInfo.DEFAULT_GROUP),
                        HBase3HotServerLoad.splits(REGIONS));
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.shutdownMiniCluster();
    }

    @Test
    void theRegionsOfADeadServerOpenElsewhereAndAnotherMasterGoesOn() throws Exception {
        for (int region = 0; region < REGIONS; region++) {
            put(region);
        }
        await("Hearth has seen a report of each server with these regions")
                .pollDelay(Duration.ofSeconds(5))
                .atMost(PATIENCE)
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(HearthAdminClient.ask(cluster.getAdmin(), AdminCall.GET_STATUS, "{}")
                                .map(ApiResponse::body))
                        .hasValueSatisfying(page -> assertThat(page).contains("\"servers\":3")));
        ServerName dead = ofTable().iterator().next();
        cluster.getMiniHBaseCluster().killRegionServer(dead);
        await("every region is open elsewhere").atMost(PATIENCE).until(() -> openRegions(dead) == REGIONS);
        everyRowIsThere();

        HMaster before = cluster.getMiniHBaseCluster().getMaster();
        cluster.getMiniHBaseCluster().killMaster(before.getServerName());
        await("another master is active").atMost(PATIENCE).until(() -> {
            HMaster now = cluster.getMiniHBaseCluster().getMaster();
            return now != null && now != before && now.isInitialized();
        });
        await("it answers what an operator asks")
                .atMost(PATIENCE)
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(HearthAdminClient.ask(cluster.getAdmin(), AdminCall.GET_STATUS, "{}")
                                .map(ApiResponse::body))
                        .hasValueSatisfying(page -> assertThat(page).contains("\"overview\"", "\"servers\":2")));
        assertThat(cluster.getMiniHBaseCluster()
                        .getMaster()
                        .getMasterCoprocessorHost()
                        .findCoprocessor(LocalityHealingObserver.class))
                .isNotNull();
        everyRowIsThere();
        assertThat(cluster.getMiniHBaseCluster().getMaster().isAborted()).isFalse();
    }

    private static byte[] row(int region) {
        return Bytes.toBytes(String.format("%04d-row", region));
    }

    private static void put(int region) throws IOException {
        try (Table table = cluster.getConnection().getTable(TABLE)) {
            table.put(new Put(row(region)).addColumn(FAMILY, FAMILY, Bytes.toBytes(region)));
        }
    }

    private static void everyRowIsThere() throws IOException {
        try (Table table = cluster.getConnection().getTable(TABLE)) {
            for (int region = 0; region < REGIONS; region++) {
                assertThat(table.get(new Get(row(region))).getValue(FAMILY, FAMILY))
                        .isEqualTo(Bytes.toBytes(region));
            }
        }
    }

    /** The servers that have regions of the table. */
    private static Set<ServerName> ofTable() throws IOException {
        return cluster.getConnection().getRegionLocator(TABLE).getAllRegionLocations().stream()
                .map(location -> location.getServerName())
                .collect(Collectors.toSet());
    }

    private static int openRegions(ServerName but) throws IOException {
        int open = 0;
        for (ServerName server : cluster.getAdmin().getRegionServers()) {
            if (!server.equals(but)) {
                List<RegionInfo> regions = cluster.getAdmin().getRegions(server);
                open += (int) regions.stream()
                        .filter(region -> region.getTable().equals(TABLE))
                        .count();
            }
        }
        return open;
    }
}
