// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.hbase3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.balancer.HearthLoadBalancer;
import io.hearth.balancer.hbase.BalancerMetrics;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HBaseTestingUtil;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.net.Address;
import org.apache.hadoop.hbase.rsgroup.RSGroupUtil;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Hearth's balancer in HBase's RSGroups, which ask it for a plan for each group, one after the other: a skew is evened within its
 * group, no region leaves its group, and another group is left as it is.
 */
class RSGroupsIT {

    private static final String WARM = "warm";
    private static final String QUIET = "quiet";
    private static final TableName QUIET_TABLE = TableName.valueOf("quiet");

    private static final Map<String, Set<Address>> SERVERS_BY_GROUP = new TreeMap<>();

    private static HBaseTestingUtil cluster;

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = HBaseConfiguration.create();
        RSGroupUtil.enableRSGroup(conf);
        conf.set("hbase.rsgroup.grouploadbalancer.class", HearthLoadBalancer.class.getName());
        // Only to make time pass faster: reports each second, and heat is known after 5 seconds instead of 60.
        conf.setInt("hbase.regionserver.msginterval", 1000);
        conf.setInt("hearth.balancer.heat.min.observed.ms", 5000);
        // Plans are asked for by the test alone.
        conf.setInt("hbase.balancer.period", Integer.MAX_VALUE);
        cluster = new HBaseTestingUtil(conf);
        cluster.startMiniCluster(6);
        await().atMost(Duration.ofMinutes(1))
                .ignoreExceptions()
                .until(() -> !cluster.getAdmin().listRSGroups().isEmpty());
        Iterator<ServerName> servers = new TreeSet<>(cluster.getAdmin().getRegionServers()).iterator();
        group(WARM, servers, 3);
        group(QUIET, servers, 2);
    }

    private static void group(String group, Iterator<ServerName> servers, int size) throws IOException {
        Set<Address> addresses = new TreeSet<>();
        for (int server = 0; server < size; server++) {
            addresses.add(servers.next().getAddress());
        }
        cluster.getAdmin().addRSGroup(group);
        cluster.getAdmin().moveServersToRSGroup(addresses, group);
        SERVERS_BY_GROUP.put(group, addresses);
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.shutdownMiniCluster();
    }

    private static Map<String, Address> serverByRegion(TableName table) throws IOException {
        Map<String, Address> servers = new TreeMap<>();
        try (RegionLocator locator = cluster.getConnection().getRegionLocator(table)) {
            locator.clearRegionLocationCache();
            for (HRegionLocation location : locator.getAllRegionLocations()) {
                servers.put(
                        location.getRegion().getEncodedName(),
                        location.getServerName().getAddress());
            }
        }
        return servers;
    }

    private static void requireThatNoneHasLeft(TableName table, String group) throws IOException {
        assertThat(serverByRegion(table))
                .allSatisfy((region, server) ->
                        assertThat(server).as("server of %s", region).isIn(SERVERS_BY_GROUP.get(group)));
    }

    @Test
    void aSkewIsEvenedWithinItsGroupAndTheOtherGroupIsLeftAlone() throws Exception {
        cluster.getAdmin().createTable(HBase3HotServerLoad.table(QUIET_TABLE, QUIET), HBase3HotServerLoad.splits(8));
        Map<String, Address> quietBefore = serverByRegion(QUIET_TABLE);
        try (HBase3HotServerLoad hot = HBase3HotServerLoad.start(cluster, 12, WARM)) {
            assertThat(hot.hotRegionsByServer()).hasSize(1);
            requireThatNoneHasLeft(HBase3HotServerLoad.TABLE, WARM);
            requireThatNoneHasLeft(QUIET_TABLE, QUIET);

            await().atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofSeconds(2))
                    .until(() -> {
                        cluster.getAdmin().balance(BalanceRequest.defaultInstance());
                        requireThatNoneHasLeft(HBase3HotServerLoad.TABLE, WARM);
                        return hot.hotRegionsByServer().size() == 3;
                    });
            Map<ServerName, Integer> spread = hot.hotRegionsByServer();
            assertThat(spread.values()).as("%s", spread).allMatch(count -> count <= 2);
            requireThatNoneHasLeft(HBase3HotServerLoad.TABLE, WARM);
        }
        assertThat(serverByRegion(QUIET_TABLE)).isEqualTo(quietBefore);
        assertThat(counter("movesPlanned")).isPositive();
        assertThat(counter("planFailures")).isZero();
        assertThat(counter("reportFailures")).isZero();
    }

    private static long counter(String name) {
        return MetricRegistries.global()
                .get(BalancerMetrics.INFO)
                .orElseThrow()
                .counter(name)
                .getCount();
    }
}
