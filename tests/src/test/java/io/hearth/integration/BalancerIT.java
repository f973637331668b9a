// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.balancer.hbase.BalancerMetrics;
import io.hearth.testkit.embedded.EmbeddedCluster;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.apache.hadoop.hbase.client.BalanceResponse;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The balancer in a real master with real requests, at its default weights. */
@Tag("shared")
class BalancerIT {

    private static EmbeddedCluster.Builder cluster(String balancer) {
        return EmbeddedCluster.builder()
                .hosts(4)
                .racks(2)
                .property("hbase.master.loadbalancer.class", balancer)
                // A busy machine\'s client asks for little.
                .property("hearth.balancer.min.requests.per.second", "1")
                // Only to make time pass faster: heat is known after 5 seconds instead of 60.
                .property("hearth.balancer.heat.min.observed.ms", "5000");
    }

    @Test
    void allLoadOnOneOfFourServersIsSpreadAndASwitchedOffBalancerIsObeyed() throws Exception {
        try (EmbeddedCluster cluster =
                        cluster("io.hearth.balancer.HearthLoadBalancer").shared();
                HotServerLoad hot = HotServerLoad.start(cluster, 24)) {
            assertThat(hot.hotRegionsByServer()).hasSize(1);
            BalanceResponse whileOff = cluster.admin().balance(plainRequest());
            assertThat(whileOff.isBalancerRan()).isFalse();
            assertThat(hot.hotRegionsByServer()).hasSize(1);

            // Until its heat is known stock moves regions for their number, the hot ones among them.
            awaitAPlanForHeat(cluster);
            long movesBefore = RegisteredMetrics.counter(BalancerMetrics.INFO, "movesPlanned");
            cluster.admin().balancerSwitch(true, true);
            await("6 hot regions on 4 servers, 2 at most on each")
                    .atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofSeconds(2))
                    .untilAsserted(() -> {
                        cluster.admin().balance(plainRequest());
                        assertThat(hot.hotRegionsByServer().values()).hasSize(4).allMatch(count -> count <= 2);
                    });
            assertThat(RegisteredMetrics.counter(BalancerMetrics.INFO, "movesPlanned") - movesBefore)
                    .as(
                            "moves of Hearth's: 4 of the 6 hot regions have to go, of which stock may take some for their number")
                    .isBetween(1L, 16L);
            assertThat(cluster.log()).contains("Heat plan for hbase:ensemble:");
        }
    }

    @Test
    void aPlannerThatThrowsLeavesTheStockPlanALogLineAndAMetric() throws Exception {
        try (EmbeddedCluster cluster = cluster(ThrowingPlanner.class.getName()).shared();
                HotServerLoad hot = HotServerLoad.start(cluster, 24)) {
            long failuresBefore = RegisteredMetrics.counter(BalancerMetrics.INFO, "planFailures");
            cluster.admin().balancerSwitch(true, true);

            await().atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofSeconds(2))
                    .until(() -> {
                        cluster.admin().balance(plainRequest());
                        // The stock search, with Hearth's heat costs in it, evens heat out too.
                        return hot.hotRegionsByServer().size() > 1;
                    });

            assertThat(RegisteredMetrics.counter(BalancerMetrics.INFO, "planFailures"))
                    .isGreaterThan(failuresBefore);
            assertThat(cluster.master().isAborted()).isFalse();
            assertThat(cluster.master().isInitialized()).isTrue();
            assertThat(cluster.log())
                    .contains("Hearth could not plan: the stock plan is used.")
                    .contains(ThrowingPlanner.MESSAGE);
        }
    }

    @Test
    void weightsAreReadFromTheTableAndABadOneIsReported() throws Exception {
        try (EmbeddedCluster cluster =
                        cluster("io.hearth.balancer.HearthLoadBalancer").shared();
                HotServerLoad hot = HotServerLoad.start(cluster, 24)) {
            weigh(cluster, "0", "-1");
            cluster.admin().balancerSwitch(true, true);
            long plansBefore = RegisteredMetrics.counter(BalancerMetrics.INFO, "plans");
            int logBefore = cluster.log().length();
            await().atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofSeconds(2))
                    .until(() -> {
                        cluster.admin().balance(plainRequest());
                        return RegisteredMetrics.counter(BalancerMetrics.INFO, "plans") - plansBefore >= 5;
                    });
            assertThat(cluster.log().substring(logBefore).lines())
                    .as("a table with weight 0 is not moved for its heat")
                    .noneMatch(
                            line -> line.matches(".*Heat plan: \\w+ of hot from .* for (reads|writes|store size).*"));
            assertThat(cluster.log())
                    .containsOnlyOnce("HEARTH_SIZE_WEIGHT = '-1' in table hot can't be used: it must be a number from 0"
                            + " to 1000. 1.0 is used instead.");

            weigh(cluster, "3", "1");
            long movesBefore = RegisteredMetrics.counter(BalancerMetrics.INFO, "movesPlanned");
            await("the weight counts from the next run on")
                    .atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofSeconds(2))
                    .until(() -> {
                        cluster.admin().balance(plainRequest());
                        return RegisteredMetrics.counter(BalancerMetrics.INFO, "movesPlanned") > movesBefore
                                && hot.hotRegionsByServer().size() > 1;
                    });
        }
    }

    private static void awaitAPlanForHeat(EmbeddedCluster cluster) {
        long before = RegisteredMetrics.counter(BalancerMetrics.INFO, "movesPlanned");
        await("a dry run has a plan for heat")
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofSeconds(2))
                .until(() -> {
                    cluster.admin()
                            .balance(BalanceRequest.newBuilder().setDryRun(true).build());
                    return RegisteredMetrics.counter(BalancerMetrics.INFO, "movesPlanned") > before;
                });
    }

    /** What the shell's {@code alter 'hot', METADATA => {...}} does, without its reopening of every region. */
    private static void weigh(EmbeddedCluster cluster, String heat, String size) throws IOException {
        cluster.admin()
                .modifyTable(
                        TableDescriptorBuilder.newBuilder(cluster.admin().getDescriptor(HotServerLoad.TABLE))
                                .setValue("HEARTH_READ_WEIGHT", heat)
                                .setValue("HEARTH_WRITE_WEIGHT", heat)
                                .setValue("HEARTH_SIZE_WEIGHT", size)
                                .build(),
                        false);
    }

    private static BalanceRequest plainRequest() {
        return BalanceRequest.defaultInstance();
    }
}
