// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.balancer.hbase.BalancerView;
import io.hearth.testkit.embedded.EmbeddedCluster;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * HBase's root folder in a stand-in for an object store, and its write-ahead logs in HDFS. Broken, one after the other:
 * StockBalancerConfiguration leaves locality on (the stock finder asks where blocks are), MasterHealer starts all the same (its thread
 * runs), StateFileStore syncs what it writes (the next master remembers nothing). It passes where HearthStochasticBalancer takes Hearth's
 * finder: with locality off nobody uses it.
 */
@Tag("soak")
class ObjectStoreIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private Path folder;

    @Test
    void loadIsEvenedNobodyAsksForBlocksAndPinsOutliveTheMaster() throws Exception {
        String root = "s3a://bucket" + folder.toAbsolutePath() + "/hbase";
        try (EmbeddedCluster cluster = EmbeddedCluster.builder()
                        .hosts(4)
                        .racks(2)
                        .withHearth()
                        .property("fs.s3a.impl", ObjectStoreStandIn.class.getName())
                        .property("hbase.rootdir", root)
                        .property("hearth.balancer.min.requests.per.second", "1")
                        .property("hearth.balancer.heat.min.observed.ms", "5000")
                        .start();
                HotServerLoad hot = HotServerLoad.start(cluster, 24)) {
            assertThat(hot.hotRegionsByServer()).hasSize(1);
            cluster.admin().flush(HotServerLoad.TABLE);
            cluster.admin().balancerSwitch(true, true);
            await("the skew is evened")
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofSeconds(2))
                    .until(() -> cluster.admin()
                                    .balance(BalanceRequest.defaultInstance())
                                    .isBalancerRan()
                            && hot.hotRegionsByServer().size() == 4);
            assertThat(cluster.log()).contains("Heat plan: ");
            assertSaidOncePerMaster(cluster, root, 1);

            RegionInfo manual = cluster.admin().getRegions(HotServerLoad.TABLE).get(20);
            move(cluster, manual);
            assertPinned(manual);
            cluster.restartMaster();
            await("the next master remembers").atMost(PATIENCE).until(() -> cluster.log()
                    .contains("What the last master remembered of moves and pins: "));
            assertPinned(manual);
            assertSaidOncePerMaster(cluster, root, 2);

            assertThat(ObjectStoreStandIn.LOCATIONS_ASKED.get())
                    .as("RegionServers ask, for the locality that they report")
                    .isPositive();
            assertThat(ObjectStoreStandIn.ASKED_BY_BALANCER_OR_HEALER)
                    .as("who of the balancer and the healer asks where blocks are")
                    .isEmpty();
            assertThat(cluster.log().lines().filter(line -> line.matches(".*hearth-healer-\\S+ runs[.]")))
                    .as("threads of the healer, which has nothing to do")
                    .isEmpty();
        }
    }

    private static void assertSaidOncePerMaster(EmbeddedCluster cluster, String root, int masters) {
        for (String line : List.of(
                "hbase.rootdir is " + root + ", in an object store: no block is local to any server, so locality is no"
                        + " part of plans and nobody is asked where blocks are.",
                "hbase.rootdir is " + root
                        + ", in an object store: no block is local to any server, so there is nothing"
                        + " to heal, and healing does not run.")) {
            await(line).atMost(PATIENCE).untilAsserted(() -> assertThat(Pattern.compile(Pattern.quote(line))
                            .matcher(cluster.log())
                            .results()
                            .count())
                    .isEqualTo(masters));
        }
    }

    private static void move(EmbeddedCluster cluster, RegionInfo region) throws IOException {
        HRegionLocation from;
        try (RegionLocator locator = cluster.connection().getRegionLocator(region.getTable())) {
            from = locator.getRegionLocation(region.getStartKey(), true);
        }
        ServerName to = cluster.admin().getRegionServers().stream()
                .filter(server -> !server.equals(from.getServerName()))
                .findFirst()
                .orElseThrow();
        cluster.admin().move(region.getEncodedNameAsBytes(), to);
    }

    private static void assertPinned(RegionInfo region) throws JMException {
        assertThat((String) ManagementFactory.getPlatformMBeanServer()
                        .getAttribute(new ObjectName(BalancerView.NAME), "PinsJson"))
                .contains("{\"region\":\"" + region.getEncodedName() + "\"")
                .contains("\"pin\":\"MOVED_MANUALLY\"");
    }
}
