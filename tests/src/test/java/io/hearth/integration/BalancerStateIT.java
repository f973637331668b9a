// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.balancer.hbase.BalancerView;
import io.hearth.balancer.hbase.SnapshotFile;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.planner.DirectedPlanner;
import io.hearth.healer.hbase.HealerAdmin;
import io.hearth.testkit.embedded.EmbeddedCluster;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the balancer remembers between runs, in a real master. */
@Tag("shared")
class BalancerStateIT {

    private static final int BUDGET = 2;
    private static final Pattern ADVISED_MOVES = Pattern.compile("Hearth would make [1-9]");

    @Test
    void advisesThenActsWithinABudgetAndRemembersManualMovesInTheNextMaster() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.builder()
                        .hosts(4)
                        .racks(2)
                        .withHearth()
                        .property("hearth.heal.mode", "advise")
                        // A busy machine's client asks for little.
                        .property("hearth.balancer.min.requests.per.second", "1")
                        .property("hearth.balancer.heat.min.observed.ms", "5000")
                        .property("hearth.balancer.mode", "advise")
                        .shared();
                HotServerLoad hot = HotServerLoad.start(cluster, 24)) {
            assertThat(hot.hotRegionsByServer()).hasSize(1);
            cluster.admin().balancerSwitch(true, true);
            Map<String, ServerName> before = serverByRegion(cluster);
            // By dry runs: until heat is known the stock balancer would make it even by chance, and nothing would be
            // left to advise.
            await("a plan with moves is only advice")
                    .atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofSeconds(2))
                    .until(() -> dryRun(cluster)
                            && ADVISED_MOVES.matcher(log(cluster)).find()
                            && shown("PlanSummariesJson")
                                    .contains("\"adviseOnly\":\"hearth.balancer.mode is advise\""));
            assertTheSnapshotGivesTheLivePlanAgain();
            await("the stock balancer goes on")
                    .atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofSeconds(2))
                    .until(() -> balanced(cluster));
            assertThat(log(cluster))
                    .contains(
                            "Advice only for hbase:ensemble, because hearth.balancer.mode is advise. Hearth would make ")
                    .contains(". The stock balancer makes ");
            assertThat(shown("Mode")).isEqualTo("advise: hearth.balancer.mode is advise");
            assertThat(shown("AdviceJson")).contains("\"stock\":{\"moves\":").contains("\"costs\":\"its cost ");
            Map<String, ServerName> advised = serverByRegion(cluster);
            String log = log(cluster);
            assertThat(advised.keySet())
                    .as("what is moved, the stock balancer moves")
                    .allMatch(region -> advised.get(region).equals(before.get(region))
                            || log.contains("The stock balancer moves " + region + " of "));
            before.putAll(advised);
            // By chance the stock balancer may have parted the hot regions.
            hot.chooseRows();

            limitMoves(cluster);
            int logged = log(cluster).length();
            setLive(cluster, "hearth.balancer.mode", "act");
            await("moves are made")
                    .atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofSeconds(2))
                    .until(() -> balanced(cluster) && movedForHeat(before, cluster, logged) == BUDGET);
            for (int run = 0; run < 5; run++) {
                balanced(cluster);
            }
            assertThat(movedForHeat(before, cluster, logged))
                    .as("moves for heat of a table with a budget")
                    .isEqualTo(BUDGET);

            RegionInfo movedManually =
                    cluster.admin().getRegions(HotServerLoad.TABLE).get(20);
            move(cluster, movedManually);
            assertPinned(movedManually);
            pauseHealing(cluster, "a disk is being changed");
            int loggedBefore = log(cluster).length();
            cluster.restartMaster();
            await("the next master remembers").atMost(Duration.ofMinutes(2)).untilAsserted(() -> assertThat(
                            log(cluster).substring(loggedBefore).lines())
                    .filteredOn(line -> line.contains("HearthLoadBalancer"))
                    .anyMatch(line -> line.contains("What the last master remembered of moves and pins: ")));
            assertPinned(movedManually);
            await("and healing stays paused")
                    .untilAsserted(() -> assertThat(pauseOfHealing(cluster)).contains("a disk is being changed"));
            assertThat(log(cluster))
                    .contains("Healing stays paused, as under the master before: a disk is being changed");
        }
    }

    private static void pauseHealing(EmbeddedCluster cluster, String why) throws IOException {
        HealerAdmin.of(cluster.master().getConfiguration())
                .orElseThrow()
                .pauseSwitch()
                .pause(why);
        Path pauseSwitch = new Path(cluster.configuration().get(HConstants.HBASE_DIR), ".hearth/healer.paused");
        FileSystem files = FileSystem.get(pauseSwitch.toUri(), cluster.configuration());
        await("the pause is written down").until(() -> files.exists(pauseSwitch));
    }

    private static Optional<String> pauseOfHealing(EmbeddedCluster cluster) {
        return HealerAdmin.of(cluster.master().getConfiguration())
                .flatMap(healerAdmin -> healerAdmin.pauseSwitch().paused());
    }

    private static boolean balanced(EmbeddedCluster cluster) throws IOException {
        return cluster.admin().balance(BalanceRequest.defaultInstance()).isBalancerRan();
    }

    private static boolean dryRun(EmbeddedCluster cluster) throws IOException {
        return cluster.admin()
                .balance(BalanceRequest.newBuilder().setDryRun(true).build())
                .isBalancerRan();
    }

    private static String log(EmbeddedCluster cluster) throws IOException {
        return cluster.log();
    }

    private static void assertTheSnapshotGivesTheLivePlanAgain() throws Exception {
        String text = (String) ManagementFactory.getPlatformMBeanServer()
                .invoke(new ObjectName(BalancerView.NAME), "snapshotOfLastPlan", new Object[0], new String[0]);
        java.nio.file.Path file = Files.createTempFile("snapshot", ".json");
        try {
            Files.writeString(file, text);
            SnapshotFile snapshot = SnapshotFile.read(file);
            Plan again = new DirectedPlanner().plan(snapshot.state(), snapshot.goals());
            String[] live = (String[]) ManagementFactory.getPlatformMBeanServer()
                    .getAttribute(new ObjectName(BalancerView.NAME), "LastPlan");
            assertThat(again.moves()).isNotEmpty();
            assertThat(again.explain()).containsExactly(live);
        } finally {
            Files.delete(file);
        }
    }

    private static String shown(String attribute) throws JMException {
        return (String)
                ManagementFactory.getPlatformMBeanServer().getAttribute(new ObjectName(BalancerView.NAME), attribute);
    }

    private static void assertPinned(RegionInfo region) throws JMException {
        assertThat(shown("PinsJson"))
                .contains("{\"region\":\"" + region.getEncodedName() + "\"")
                .contains("\"pin\":\"MOVED_MANUALLY\"")
                .contains("\"who\":\"" + System.getProperty("user.name"));
    }

    private static void setLive(EmbeddedCluster cluster, String key, String value) throws IOException {
        cluster.master().getConfiguration().set(key, value);
        cluster.admin().updateConfiguration(cluster.master().getServerName());
    }

    private static void limitMoves(EmbeddedCluster cluster) throws IOException {
        cluster.admin()
                .modifyTable(
                        TableDescriptorBuilder.newBuilder(cluster.admin().getDescriptor(HotServerLoad.TABLE))
                                .setValue("HEARTH_MAX_MOVES_PER_HOUR", String.valueOf(BUDGET))
                                .build(),
                        false);
    }

    private static void move(EmbeddedCluster cluster, RegionInfo region) throws IOException {
        ServerName from = serverByRegion(cluster).get(region.getEncodedName());
        ServerName to = cluster.admin().getRegionServers().stream()
                .filter(server -> !server.equals(from))
                .findFirst()
                .orElseThrow();
        cluster.admin().move(region.getEncodedNameAsBytes(), to);
    }

    /**
     * How many regions have moved and were planned to for heat; numbers of regions are evened besides, whatever the budget.
     *
     * @param logged how long the log was when Hearth began to act
     */
    private static long movedForHeat(Map<String, ServerName> before, EmbeddedCluster cluster, int logged)
            throws IOException {
        Map<String, ServerName> now = serverByRegion(cluster);
        Set<String> planned = Pattern.compile("Heat plan: (\\S+) of " + HotServerLoad.TABLE
                        + " from \\S+ to \\S+ for (?:reads|writes|store size|memstore)\\b")
                .matcher(log(cluster).substring(logged))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
        return before.keySet().stream()
                .filter(region ->
                        planned.contains(region) && !before.get(region).equals(now.get(region)))
                .count();
    }

    /** The regions of the hot table. */
    private static Map<String, ServerName> serverByRegion(EmbeddedCluster cluster) throws IOException {
        Map<String, ServerName> all = new TreeMap<>();
        for (ServerName server : cluster.admin().getRegionServers()) {
            cluster.admin().getRegions(server).stream()
                    .filter(region -> region.getTable().equals(HotServerLoad.TABLE))
                    .forEach(region -> all.put(region.getEncodedName(), server));
        }
        return all;
    }
}
