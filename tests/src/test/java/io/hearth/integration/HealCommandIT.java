// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.healer.hdfs.HdfsAdapter;
import io.hearth.healer.lock.HealerLock;
import io.hearth.healer.lock.LockHolder;
import io.hearth.healer.lock.LockResult;
import io.hearth.testkit.embedded.EmbeddedCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/hearth healer run} and {@code healer} as processes of their own, and who works where there are several. */
@Tag("shared")
class HealCommandIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Pattern VERIFIED = Pattern.compile("\"healedBytes\":(\\d+),\"healedBytesBy\":\"namenode\"");

    @TempDir
    private Path folder;

    @Test
    @Tag("soak")
    void withoutHearthInTheMasterATableComesHome() throws Exception {
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
            assertThat(table.localShare()).as("a dry run moves nothing").isEqualTo(remote);

            CliProcess heal = heal("--table", "t", "--output", "json");
            assertThat(heal.exitCode()).as(heal.output()).isZero();
            assertThat(table.localShare()).isEqualTo(1.0);
            Matcher verified = VERIFIED.matcher(heal.output());
            assertThat(verified.find()).as(heal.output()).isTrue();
            assertThat(Long.parseLong(verified.group(1)))
                    .as("verified bytes, against those that were away")
                    .isBetween(nonLocalBytes, nonLocalBytes * 105 / 100);

            CliProcess again = heal("--table", "t");
            assertThat(again.exitCode()).as(again.output()).isZero();
            assertThat(again.output()).contains("0 B healed", "Done: locality is 1.0000");
            aHolderThatIsKilledLosesTheLock(cluster, table);
        }
    }

    /** The daemon works, is killed without a word, and the lock is another's within two lives of it. */
    private void aHolderThatIsKilledLosesTheLock(EmbeddedCluster cluster, LocalityTable table) throws Exception {
        try (CliProcess healer = CliProcess.start(folder, "healer", "daemon", "--config", folder.toString())) {
            table.moveEveryOtherRegion();
            await("the daemon brings home what moves")
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
        Instant killed = Instant.now();
        assertThat(holderOf(cluster)).as("nobody knows yet").isInstanceOf(LockResult.HeldBy.class);
        await("the next one gets it")
                .atMost(Duration.ofMillis(2 * HealerLock.LEASE_MS))
                .pollInterval(Duration.ofSeconds(2))
                .until(() -> holderOf(cluster) instanceof LockResult.Held);
        System.out.printf(
                "A killed holder's lock was taken after %d s.%n",
                Duration.between(killed, Instant.now()).toSeconds());
        CliProcess next = heal("--table", "t");
        assertThat(next.exitCode()).as(next.output()).isZero();
        assertThat(table.localShare()).isEqualTo(1.0);
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
            await("its replicas are gone").atMost(PATIENCE).until(() -> table.nonLocalBytes(localRegion) > 0);
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
                                    + " made\n$");
            assertThat(table.nonLocalBytes(localRegion))
                    .as("a dry run moves nothing")
                    .isEqualTo(remote);

            CliProcess asking = heal("--region", region, "--verify-all");
            assertThat(asking.exitCode()).as(asking.output()).isZero();
            assertThat(asking.output()).endsWith("Done: locality is 1.0000\n");
            assertThat(table.nonLocalBytes(localRegion)).isZero();
        }
    }

    @Test
    void whileTheHealerInTheMasterWorksTheCommandIsRefused() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.builder()
                .withHearth()
                .property("hearth.heal.poll.ms", "1000")
                .property("hearth.heal.region.stable.ms", "1000")
                // So slow that it is at it for as long as this test looks.
                .property("hearth.heal.bandwidth", "65536")
                .shared()) {
            LocalityTable table = LocalityTable.load(cluster);
            CliProcess.writeConfig(cluster, folder);
            table.moveEveryOtherRegion();
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
            theMasterIsAskedWhereItHeals(cluster, table);
            assertThat(cluster.master().isAborted()).isFalse();
        }
    }

    private void theMasterIsAskedWhereItHeals(EmbeddedCluster cluster, LocalityTable table) throws Exception {
        CliProcess healed = heal("--table", "t");
        await("the master is asked").atMost(PATIENCE).until(() -> healed.output()
                .contains("Asked for "));
        cluster.master().getConfiguration().set("hearth.heal.bandwidth", "0");
        cluster.admin().updateConfiguration(cluster.master().getServerName());
        assertThat(healed.exitCode()).as(healed.output()).isZero();
        assertThat(healed.output())
                .startsWith("Asking the healer in the master to heal table t.\nAsked for ")
                .endsWith("Done: locality is 1.0000\n");
        assertThat(table.localShare()).isEqualTo(1.0);

        CliProcess none = heal("--region", "nosuch");
        assertThat(none.exitCode()).as(none.output()).isEqualTo(2);
        assertThat(none.output())
                .endsWith(
                        "hearth healer run: nothing to heal: no such region is open, or HEARTH_HEAL is off for its table\n");
    }

    private CliProcess heal(String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of("healer", "run", "--config", folder.toString()));
        all.addAll(List.of(arguments));
        return CliProcess.start(folder, all.toArray(String[]::new));
    }

    /** What asking for the lock is answered just now; it is given back at once. */
    private static LockResult holderOf(EmbeddedCluster cluster) throws Exception {
        Configuration conf = cluster.configuration();
        org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path(conf.get(HConstants.HBASE_DIR));
        try (FileSystem own = FileSystem.newInstance(root.toUri(), conf);
                HdfsAdapter adapter = HdfsAdapter.to(own, root, conf)) {
            LockResult answer = adapter.lock().take(new LockHolder("test", "test", "here", Instant.now()));
            adapter.lock().release();
            return answer;
        }
    }
}
