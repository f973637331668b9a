// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.hbase3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.admin.rpc.AdminCall;
import io.hearth.admin.rpc.HearthAdminClient;
import io.hearth.admin.rpc.HearthAdminEndpoint;
import io.hearth.balancer.HearthLoadBalancer;
import io.hearth.balancer.hbase.BalancerMetrics;
import io.hearth.healer.hbase.LocalityHealingObserver;
import io.hearth.ui.hbase.ApiResponse;
import java.time.Duration;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HBaseTestingUtil;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.master.balancer.HBase3BalancerInspector;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.rsgroup.RSGroupBasedLoadBalancer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Both jars in a mini cluster of HBase 3: they load, a skew is evened, and a balancer that is switched off is obeyed. */
class SmokeIT {

    private static final int SERVERS = 3;

    private static HBaseTestingUtil cluster;

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = HBaseConfiguration.create();
        conf.set("hbase.master.loadbalancer.class", HearthLoadBalancer.class.getName());
        conf.set(
                "hbase.coprocessor.master.classes",
                LocalityHealingObserver.class.getName() + "," + HearthAdminEndpoint.class.getName());
        // Only to make time pass faster: reports each second, and heat is known after 5 seconds instead of 60.
        conf.setInt("hbase.regionserver.msginterval", 1000);
        conf.setInt("hearth.balancer.heat.min.observed.ms", 5000);
        // Plans are asked for by the test alone.
        conf.setInt("hbase.balancer.period", Integer.MAX_VALUE);
        cluster = new HBaseTestingUtil(conf);
        cluster.startMiniCluster(SERVERS);
        cluster.getAdmin().balancerSwitch(false, true);
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.shutdownMiniCluster();
    }

    private static HMaster master() {
        return cluster.getMiniHBaseCluster().getMaster();
    }

    private static HearthLoadBalancer balancer() {
        RSGroupBasedLoadBalancer wrapper = master().getLoadBalancer();
        return (HearthLoadBalancer) wrapper.getInternalBalancer();
    }

    @Test
    void theMasterAnswersWhatAnOperatorAsks() {
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(HearthAdminClient.ask(cluster.getAdmin(), AdminCall.GET_STATUS, "{}")
                                .map(ApiResponse::body))
                        .hasValueSatisfying(page -> assertThat(page).contains("\"overview\"", "\"servers\":3")));
    }

    @Test
    void bothClassesAreLoadedAndSeeTheMaster() throws Exception {
        assertThat(master().getMasterCoprocessorHost().findCoprocessor(LocalityHealingObserver.class))
                .isNotNull();
        HBase3BalancerInspector line = new HBase3BalancerInspector(balancer());
        assertThat(line.seesTheMaster()).isTrue();
        assertThat(line.usesHearthsFinder()).isTrue();
        assertThat(line.tableDescriptors())
                .extracting(TableDescriptor::getTableName)
                .contains(TableName.META_TABLE_NAME);
        HRegion meta = cluster.getMiniHBaseCluster()
                .getRegions(TableName.META_TABLE_NAME)
                .get(0);
        assertThat(line.openSeqNum(cluster.getMiniHBaseCluster().getServerHoldingMeta(), meta.getRegionInfo()))
                .hasValue(meta.getOpenSeqNum());
    }

    @Test
    void aSkewIsEvenedOnceTheBalancerIsSwitchedOn() throws Exception {
        long failuresBefore = counter("planFailures");
        try (HBase3HotServerLoad hot = HBase3HotServerLoad.start(cluster, 12)) {
            assertThat(hot.hotRegionsByServer()).hasSize(1);
            await("heat is known: the balancer would plan now")
                    .pollDelay(Duration.ofSeconds(15))
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> true);
            assertThat(cluster.getAdmin()
                            .balance(BalanceRequest.defaultInstance())
                            .isBalancerRan())
                    .isFalse();
            assertThat(hot.hotRegionsByServer()).as("while switched off").hasSize(1);

            cluster.getAdmin().balancerSwitch(true, true);
            await().atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofSeconds(2))
                    .until(() -> {
                        cluster.getAdmin().balance(BalanceRequest.defaultInstance());
                        return hot.hotRegionsByServer().size() == SERVERS;
                    });
            Map<ServerName, Integer> spread = hot.hotRegionsByServer();
            assertThat(spread.values()).as("%s", spread).allMatch(count -> count <= 2);
        } finally {
            cluster.getAdmin().balancerSwitch(false, true);
        }
        assertThat(counter("movesPlanned")).isPositive();
        assertThat(counter("planFailures")).isEqualTo(failuresBefore);
        assertThat(counter("reportFailures")).isZero();
        assertThat(master().isAborted()).isFalse();
    }

    private static long counter(String name) {
        return MetricRegistries.global()
                .get(BalancerMetrics.INFO)
                .orElseThrow()
                .counter(name)
                .getCount();
    }
}
