// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.healer.hdfs.HdfsAdapter;
import io.hearth.healer.lock.HealerLock;
import io.hearth.healer.lock.HealerLock.LockHolder;
import io.hearth.healer.lock.HealerLock.LockResult;
import io.hearth.testkit.embedded.EmbeddedCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/hearth healer run} and {@code healer} as processes of their own, and who works where there are several. */
@Tag("shared")
class HealCommandIT {

    private static final String ESTIMATE =
            "Started now it takes \\d+ (s|min), until [-0-9]{10} [0-9:]{8} \\S+, held back by [a-zA-Z ]+\\.\n"
                    + "NameNode: \\d+ calls, [0-9.]+ s of a handler\\.\n  busiest DataNodes +in +out +limit of both +time\n"
                    + "  \\S+ +[0-9.]+ .?B +[0-9.]+ .?B +[0-9.]+ .B/s +\\d+ s\n";
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** Of the NameNode: enough for a client that lives to renew its lease many times. */
    private static final Duration SHORT_LEASE = Duration.ofSeconds(5);

    @TempDir
    private Path folder;

    @Test
    @Tag("soak")
    void withoutHearthInTheMasterATableBecomesLocal() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.builder()
                // Only to make time pass faster.
                .property("hearth.heal.poll.ms", "1000")
                .property("hearth.heal.region.stable.ms", "1000")
                .shared()) {
            LocalityTable table = LocalityTable.load(cluster);
            CliProcess.writeConfig(cluster, folder);
            double whole = table.localShare();
            long nonLocalBytes = table.moveEveryOtherRegion();
            double remote = table.localShare();
            assertThat(remote).isLessThan(whole);

            CliProcess noTable = heal("--table", "nosuch");
            assertThat(noTable.exitCode()).isEqualTo(2);
            assertThat(noTable.output())
                    .isEqualTo(
                            "hearth healer run: there is no table nosuch (bin/hearth healer run --help shows the options)\n");
            CliProcess dry = heal("--table", "t", "--dry-run");
            assertThat(dry.exitCode()).as(dry.output()).isZero();
            assertThat(dry.output()).containsPattern("Done: \\d+ moves of [0-9.]+ MB would be made");
            assertThat(dry.output()).containsPattern(ESTIMATE);
            assertThat(table.localShare()).as("a dry run moves nothing").isEqualTo(remote);

            CliProcess heal = healWithSeparateErrors("--table", "t", "--output", "json");
            assertThat(heal.exitCode()).as(heal.output() + heal.errors()).isZero();
            assertThat(table.localShare()).isEqualTo(1.0);
            JsonObject document = onlyDocument(heal);
            assertThat(document.get("result").getAsString()).isEqualTo("done");
            assertThat(document.get("exitCode").getAsInt()).isZero();
            assertThat(document.get("healedBytesBy").getAsString()).isEqualTo("namenode");
            assertThat(document.get("healedBytes").getAsLong())
                    .as("verified bytes, against those that were away")
                    .isBetween(nonLocalBytes, nonLocalBytes * 105 / 100);
            assertThat(document.get("bytesToGo").getAsLong()).isZero();
            assertThat(document.get("locality").getAsDouble()).isEqualTo(1.0);
            assertThat(document.get("regions").getAsInt()).isEqualTo(LocalityTable.REGIONS);
            assertThat(document.get("remoteRegions").getAsInt()).isZero();
            assertThat(document.get("openMoves").getAsInt()).isZero();
            assertThat(heal.errors())
                    .startsWith("Healing table t as ")
                    .containsPattern("(?m)^[0-9.]+ [kMG]?B healed")
                    .doesNotContain("\"healedBytes\"");

            CliProcess again = heal("--table", "t");
            assertThat(again.exitCode()).as(again.output()).isZero();
            assertThat(again.output()).contains("0 B healed", "Done: locality is 1.0000");
            aHolderThatIsKilledLosesTheLock(cluster, table);
        }
    }

    /** The daemon works, is killed without a word, and the lock is another's once the NameNode's soft limit of leases is over. */
    private void aHolderThatIsKilledLosesTheLock(EmbeddedCluster cluster, LocalityTable table) throws Exception {
        try (CliProcess healer = CliProcess.start(folder, "healer", "daemon", "--config", folder.toString())) {
            table.moveEveryOtherRegion();
            await("the daemon makes local what moves")
                    .atMost(PATIENCE)
                    .untilAsserted(() ->
                            assertThat(table.localShare()).as(healer.output()).isEqualTo(1.0));
            // While a server's report is older than the heal, there seems to be work, for which the daemon has the
            // lock.
            await("all is home, which needs no lock").atMost(PATIENCE).untilAsserted(() -> {
                CliProcess nothing = heal("--table", "t", "--target-locality", "1");
                assertThat(nothing.exitCode()).as(nothing.output()).isZero();
            });
            table.moveEveryOtherRegion();
            LockResult held = await("it works")
                    .atMost(PATIENCE)
                    .until(() -> holderOf(cluster), answer -> answer instanceof LockResult.HeldBy);
            assertThat(((LockResult.HeldBy) held).holder().program()).isEqualTo("healer-daemon");
            healer.kill();
        }
        awaitTheLockOfAKilledHealer(cluster);
        CliProcess next = heal("--table", "t");
        assertThat(next.exitCode()).as(next.output()).isZero();
        assertThat(table.localShare()).isEqualTo(1.0);
    }

    private static void awaitTheLockOfAKilledHealer(EmbeddedCluster cluster) throws Exception {
        assertThat(holderOf(cluster)).as("nobody knows yet").isInstanceOf(LockResult.HeldBy.class);
        // The minute that the NameNode leaves it with a client that is silent is HDFS's, and is not waited for.
        cluster.setLeaseSoftLimit(SHORT_LEASE);
        try {
            await("the next one gets it")
                    .atMost(SHORT_LEASE.multipliedBy(4))
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> holderOf(cluster) instanceof LockResult.Held);
        } finally {
            cluster.setLeaseSoftLimit(Duration.ofMillis(HealerLock.LEASE_MS));
        }
    }

    @Test
    void whatLeftUnnoticedIsFoundByAskingTheNameNode() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.builder()
                .property("hearth.heal.poll.ms", "1000")
                // What a server reports is what was so when it opened the file.
                .property("dfs.client.refresh.read-block-locations.ms", "0")
                .start()) {
            LocalityTable table = LocalityTable.load(cluster);
            CliProcess.writeConfig(cluster, folder);
            HRegionLocation localRegion = table.localRegion();
            String region = localRegion.getRegion().getEncodedName();
            table.makeRemote(localRegion);
            await("its replicas are gone").atMost(PATIENCE).until(() -> table.isRemote(localRegion));
            long remote = table.nonLocalBytes(localRegion);

            CliProcess byReports = heal("--region", region);
            assertThat(byReports.exitCode()).as(byReports.output()).isZero();
            assertThat(byReports.output()).endsWith("Done: locality is 1.0000\n");
            assertThat(table.nonLocalBytes(localRegion)).as("which is not true").isEqualTo(remote);

            CliProcess dry = heal("--region", region, "--dry-run", "--verify-all");
            assertThat(dry.exitCode()).as(dry.output()).isZero();
            assertThat(dry.output())
                    .containsPattern(
                            "Done: the NameNode says that locality is 0.0000, \\d+ moves of [0-9.]+ MB would be"
                                    + " made\n$")
                    .containsPattern(ESTIMATE);
            assertThat(table.nonLocalBytes(localRegion))
                    .as("a dry run moves nothing")
                    .isEqualTo(remote);

            CliProcess lower = heal("--region", region, "--verify-all", "--raise-datanode-bandwidth", "1MB");
            assertThat(lower.exitCode()).as(lower.output()).isEqualTo(2);
            assertThat(lower.output())
                    .endsWith("hearth healer run: --raise-datanode-bandwidth: 1.0 MB/s is below the 1.0 GB/s that the"
                            + " DataNodes allow now: it is raised only (hearth.heal.datanode.bandwidth lowers what healing"
                            + " takes)\n");
            assertThat(table.nonLocalBytes(localRegion)).as("nothing is moved").isEqualTo(remote);

            aHealThatHasRaisedTheDataNodesIsKilled(cluster, region);
            CliProcess asking = heal("--region", region, "--verify-all", "--raise-datanode-bandwidth", "2GB");
            assertThat(asking.exitCode()).as(asking.output()).isZero();
            assertThat(asking.output())
                    .contains(
                            "DataNodes are raised from 1.0 GB/s to 2.0 GB/s until this heal is over.\n",
                            "DataNodes allow 1.0 GB/s again.\n")
                    .endsWith("Done: locality is 1.0000\n");
            assertThat(table.nonLocalBytes(localRegion)).isZero();
            awaitBandwidth(cluster, 1L << 30);
        }
    }

    /** The DataNodes stay raised, and only what it wrote to HDFS tells the next one from what. */
    private void aHealThatHasRaisedTheDataNodesIsKilled(EmbeddedCluster cluster, String region) throws Exception {
        Path slow = folder.resolve("slow");
        CliProcess.writeConfig(cluster, Map.of("hearth.heal.cluster.bandwidth", "1"), slow);
        try (CliProcess heal = CliProcess.start(
                folder,
                "healer",
                "run",
                "--config",
                slow.toString(),
                "--region",
                region,
                "--verify-all",
                "--raise-datanode-bandwidth",
                "2GB")) {
            await("it has raised them").atMost(PATIENCE).until(() -> heal.output()
                    .contains("are raised from 1.0 GB/s"));
            heal.kill();
        }
        awaitBandwidth(cluster, 2L << 30);
        awaitTheLockOfAKilledHealer(cluster);
    }

    private static void awaitBandwidth(EmbeddedCluster cluster, long bytesPerSecond) throws Exception {
        Configuration conf = cluster.configuration();
        org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path(conf.get(HConstants.HBASE_DIR));
        try (FileSystem own = FileSystem.newInstance(root.toUri(), conf);
                HdfsAdapter adapter = HdfsAdapter.to(own, root, conf, Runnable::run)) {
            await("every DataNode hears of it with a heartbeat")
                    .atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(adapter.dataNodeBandwidth().ask().values())
                                    .isNotEmpty()
                                    .containsOnly(bytesPerSecond));
        }
    }

    @Test
    void whileTheHealerInTheMasterWorksTheCommandIsRefused() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.builder()
                .withHearth()
                .property("hearth.heal.poll.ms", "1000")
                .property("hearth.heal.region.stable.ms", "1000")
                // So slow that it is at it for as long as this test looks.
                .property("hearth.heal.cluster.bandwidth", "65536")
                .shared()) {
            LocalityTable table = LocalityTable.load(cluster);
            CliProcess.writeConfig(cluster, folder);
            long nonLocalBytes = table.moveEveryOtherRegion();
            await("the healer in the master works")
                    .atMost(PATIENCE)
                    .until(() -> holderOf(cluster) instanceof LockResult.HeldBy);

            CliProcess refused = heal("--table", "t", "--local");
            assertThat(refused.exitCode()).as(refused.output()).isEqualTo(3);
            assertThat(refused.output())
                    .contains("hearth healer run: another healer works on this cluster: HMaster of "
                            + System.getProperty("user.name") + " on "
                            + cluster.master().getServerName().getHostname() + ", since ");

            CliProcess waiting = CliProcess.start(folder, "healer", "daemon", "--config", folder.toString());
            await("the daemon says it once and waits").atMost(PATIENCE).untilAsserted(() -> assertThat(waiting.output())
                    .containsOnlyOnce("Another healer works on this cluster, this one waits: HMaster of "));
            waiting.terminate();
            assertThat(waiting.exitCode()).isEqualTo(143);
            assertThat(waiting.output()).contains("Stopped: no further move starts. None is under way.");
            theMasterIsAskedWhereItHeals(cluster, table, nonLocalBytes);
            assertThat(cluster.master().isAborted()).isFalse();
        }
    }

    private void theMasterIsAskedWhereItHeals(EmbeddedCluster cluster, LocalityTable table, long nonLocalBytes)
            throws Exception {
        CliProcess stopped = healWithSeparateErrors("--table", "t", "--output", "json");
        await("the master is asked").atMost(PATIENCE).until(() -> stopped.errors()
                .contains("Asked for "));
        stopped.terminate();
        assertThat(stopped.exitCode()).isEqualTo(143);
        assertThat(stopped.errors()).contains("Stopped observing: the healer in the master goes on");
        JsonObject ofStopped = onlyDocument(stopped);
        assertThat(ofStopped.get("result").getAsString()).isEqualTo("interrupted");
        // Whether it has heard of the heal's moves from the master before it was stopped or not, it says which.
        assertThat(ofStopped.has("openMoves"))
                .isEqualTo(ofStopped.get("healedBytesBy").getAsString().equals("namenode"));

        CliProcess healed = healWithSeparateErrors("--table", "t", "--output", "json");
        await("the master is asked").atMost(PATIENCE).until(() -> healed.errors()
                .contains("Asked for "));
        assertThat(healed.output()).as("while it works").isEmpty();
        cluster.master().getConfiguration().set("hearth.heal.cluster.bandwidth", "0");
        cluster.admin().updateConfiguration(cluster.master().getServerName());
        assertThat(healed.exitCode()).as(healed.output() + healed.errors()).isZero();
        assertThat(healed.errors()).startsWith("Asking the healer in the master to heal table t.\nAsked for ");
        JsonObject document = onlyDocument(healed);
        assertThat(document.get("result").getAsString()).isEqualTo("done");
        assertThat(document.get("message").getAsString()).isEqualTo("locality is 1.0000");
        assertThat(document.get("healedBytesBy").getAsString()).isEqualTo("namenode");
        assertThat(document.get("healedBytes").getAsLong())
                .as("what this heal's moves have made local, of %d bytes that were away", nonLocalBytes)
                .isBetween(1L, nonLocalBytes * 105 / 100);
        assertThat(document.get("openMoves").getAsInt()).isZero();
        assertThat(document.get("failedMoves").getAsInt()).isZero();
        assertThat(table.localShare()).isEqualTo(1.0);

        CliProcess none = heal("--region", "nosuch");
        assertThat(none.exitCode()).as(none.output()).isEqualTo(2);
        assertThat(none.output())
                .endsWith(
                        "hearth healer run: nothing to heal: no such region is open, or HEARTH_HEAL is off for its table\n");
    }

    private CliProcess heal(String... arguments) throws Exception {
        return CliProcess.start(folder, healArguments(arguments));
    }

    private CliProcess healWithSeparateErrors(String... arguments) throws Exception {
        return CliProcess.startWithSeparateErrors(folder, healArguments(arguments));
    }

    private String[] healArguments(String... arguments) {
        return Stream.concat(Stream.of("healer", "run", "--config", folder.toString()), Stream.of(arguments))
                .toArray(String[]::new);
    }

    /** Standard output, which is one JSON document in one line and nothing else. */
    private static JsonObject onlyDocument(CliProcess heal) {
        assertThat(heal.output()).startsWith("{").endsWith("}\n").containsOnlyOnce("\n");
        return JsonParser.parseString(heal.output()).getAsJsonObject();
    }

    /** What asking for the lock is answered just now; it is given back at once. */
    private static LockResult holderOf(EmbeddedCluster cluster) throws Exception {
        Configuration conf = cluster.configuration();
        org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path(conf.get(HConstants.HBASE_DIR));
        try (FileSystem own = FileSystem.newInstance(root.toUri(), conf);
                HdfsAdapter adapter = HdfsAdapter.to(own, root, conf, Runnable::run)) {
            LockResult answer = adapter.lock().take(new LockHolder("test", "test", "here", Instant.now()));
            adapter.lock().release();
            return answer;
        }
    }
}
