// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.cli.Main;
import io.hearth.healer.hbase.HealingMetricRegistry;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.slo.probe.ProbeKind;
import io.hearth.slo.probe.ProbeResult.Outcome;
import io.hearth.testkit.embedded.ClusterHost;
import io.hearth.testkit.embedded.EmbeddedCluster;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Healing, the admin RPC and the page's actions where HBase and HDFS ask for Kerberos, block access tokens and protected transfer. */
class SecureIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration SLO_LIMIT = Duration.ofSeconds(30);
    private static final Duration SLO_MINUTE = Duration.ofMinutes(1);
    private static final Pattern WAL = Pattern.compile("(.+)[.](\\d+)(|[.]meta)");

    @TempDir
    private static Path folder;

    private static KerberosRealm realm;

    @BeforeAll
    static void startRealm() throws Exception {
        realm = KerberosRealm.start(folder, "healer", "mallory");
    }

    @AfterAll
    static void stopRealm() {
        realm.close();
    }

    private static EmbeddedCluster start(Map<String, String> lines) throws IOException {
        return realm.start(inAHurry(lines));
    }

    /** Only to make time pass faster. */
    private static Map<String, String> inAHurry(Map<String, String> lines) {
        Map<String, String> all = new HashMap<>(lines);
        all.put("hearth.heal.poll.ms", "1000");
        all.put("hearth.heal.region.stable.ms", "2000");
        all.put("dfs.ha.tail-edits.period", "1");
        all.put("hbase.regionserver.logroll.period", "1000");
        all.put("hbase.master.store.region.walroll.period.ms", "1000");
        all.put("hbase.server.thread.wakefrequency", "500");
        return all;
    }

    /**
     * Waits until every write-ahead log goes on in a file that was begun after that time. HDFS's client gives a file up once each DataNode
     * of its pipeline was restarted, and then the server aborts; the four DataNodes here restart within seconds.
     */
    private static void awaitNewWals(FileSystem fs, long sinceMs) {
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(newestWals(fs).values()).isNotEmpty().allMatch(begunMs -> begunMs > sinceMs));
    }

    /** When each write-ahead log's newest file was begun, which is in its name; by the name without it. */
    private static Map<String, Long> newestWals(FileSystem fs) throws IOException {
        Map<String, Long> newest = new HashMap<>();
        for (FileStatus wal : fs.globStatus(new org.apache.hadoop.fs.Path("/hbase/{WALs,MasterData/WALs}/*/*"))) {
            Matcher name = WAL.matcher(wal.getPath().getName());
            if (name.matches()) {
                newest.merge(name.group(1) + name.group(3), Long.valueOf(name.group(2)), Math::max);
            }
        }
        return newest;
    }

    private static long inFlight() {
        return RegisteredMetrics.gauge(HealingMetricRegistry.INFO, HealingGauge.BLOCKS_IN_FLIGHT.metric());
    }

    private static void awaitLocal(LocalityTable table) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(table.localShare()).isEqualTo(1.0));
    }

    /** The NameNodes' keys, from which block tokens and the keys of encrypted transfer are made, do not outlive them. */
    @Test
    @Tag("soak")
    void theMastersOwnPrincipalHealsWithTokensAndEncryptionThroughARollingRestart() throws Exception {
        try (EmbeddedCluster cluster = realm.startWithStandby(inAHurry(Map.of(
                "dfs.encrypt.data.transfer",
                "true",
                "dfs.data.transfer.protection",
                "privacy",
                // HBase's other write-ahead log keeps the NameNodes' old encryption key for ever, and then no region
                // closes.
                "hbase.wal.provider",
                "filesystem",
                // So slow that the restart finds moves under way.
                "hearth.heal.cluster.bandwidth",
                "65536")))) {
            LocalityTable table = LocalityTable.load(cluster);
            awaitLocal(table);
            assertThat(table.moveEveryOtherRegion()).isPositive();
            await("blocks move").atMost(PATIENCE).until(() -> inFlight() > 0);

            cluster.restartNameNodes();
            for (ClusterHost host : cluster.hosts()) {
                cluster.restartDataNode(host.name());
                awaitNewWals(cluster.fileSystem(), System.currentTimeMillis());
            }

            assertThat(table.localShare()).as("it was not over yet").isLessThan(1);
            cluster.master().getConfiguration().set("hearth.heal.cluster.bandwidth", "0");
            cluster.admin().updateConfiguration(cluster.master().getServerName());
            awaitLocal(table);
            assertThat(cluster.log()).contains("Got the block keys from the NameNode again: ");
            assertThat(cluster.master().isAborted()).isFalse();
        }
    }

    @Test
    @Tag("soak")
    void aPrincipalOfTheHealersOwnSaysWhatItLacksAndHealsOnceItHasIt() throws Exception {
        try (EmbeddedCluster cluster = start(Map.of(
                "hearth.healer.kerberos.principal",
                realm.principal("healer"),
                "hearth.healer.keytab.file",
                realm.keytab(),
                "dfs.data.transfer.protection",
                "integrity",
                "fs.permissions.umask-mode",
                "000"))) {
            LocalityTable table = LocalityTable.load(cluster);
            assertThat(table.moveEveryOtherRegion()).isPositive();
            awaitLine(
                    cluster,
                    "No replica can be moved: append to hdfs:.*/hbase/.hearth/healer.lock is not permitted \\("
                            + ".*AccessControlException: .*healer.*\\). Run it as the user of HBase, or"
                            + " add its user to dfs.permissions.superusergroup.");

            open(cluster.fileSystem(), new org.apache.hadoop.fs.Path("/hbase"));
            awaitLine(
                    cluster,
                    "No replica can be moved: dfs.block.access.token.enable is true and the NameNode does not"
                            + " give its block keys \\(getBlockKeys: .*Access denied for user healer. Superuser privilege is"
                            + " required.*\\). Add healer to dfs.permissions.superusergroup of the NameNode, or set"
                            + " hearth.healer.kerberos.principal and hearth.healer.keytab.file to a principal that is in it.");
            theMasterGoesOn(cluster, table);

            TestGroupMapping.SUPERUSERS.add("healer");
            assertThat(new DFSAdmin(cluster.configuration()).run(new String[] {"-refreshUserToGroupsMappings"}))
                    .isZero();
            // HBase's balancer may have brought the regions back to their blocks.
            table.moveEveryOtherRegion();
            awaitLine(cluster, "Got the block keys of ");
            awaitLocal(table);
            theSloWatchFindsEveryServerGoodForAMinute(cluster);
        }
    }

    /** With the healer's keytab, as its daemon does; each DataNode wants a block token of who writes to it and reads from it. */
    private static void theSloWatchFindsEveryServerGoodForAMinute(EmbeddedCluster cluster) throws Exception {
        try (SloWatch watch = new SloWatch(cluster, LocalityTable.NAME, SLO_LIMIT, 1)) {
            assertThat(watch.user()).isEqualTo("healer");
            await("every server has answered").atMost(PATIENCE).untilAsserted(() -> {
                assertThat(watch.answered(ProbeKind.GET))
                        .as("the last problem: %s", watch.lastProblem())
                        .isEqualTo(SloWatch.regionServers(cluster));
                assertThat(watch.answered(ProbeKind.PUT)).isEqualTo(SloWatch.regionServers(cluster));
                assertThat(watch.answered(ProbeKind.ROW_GET)).isNotEmpty();
                assertThat(watch.answered(ProbeKind.HDFS_WRITE)).hasSize(4);
                assertThat(watch.answered(ProbeKind.HDFS_READ)).hasSize(4);
                assertThat(watch.answered(ProbeKind.NAMENODE)).hasSize(1);
                assertThat(watch.answered(ProbeKind.REGISTRY)).hasSize(1);
            });

            long fromMs = System.currentTimeMillis();
            Thread.sleep(SLO_MINUTE.toMillis());

            assertThat(watch.results())
                    .allSatisfy(result ->
                            assertThat(result.outcome()).as("%s", result).isEqualTo(Outcome.ANSWERED));
            for (ProbeKind kind : ProbeKind.values()) {
                assertThat(watch.of(kind).stream().filter(result -> result.dueAtMs() >= fromMs))
                        .as("%s probes of the minute", kind)
                        .hasSizeGreaterThanOrEqualTo(
                                kind == ProbeKind.HDFS_WRITE || kind == ProbeKind.HDFS_READ ? 4 * 2 : 30);
            }
        }
        assertThat(cluster.fileSystem().listStatus(SloWatch.HDFS_FOLDER)).isEmpty();
    }

    /** Lets everybody into a folder and all folders in it; HBase keeps them to itself on a secure cluster. */
    private static void open(FileSystem fs, org.apache.hadoop.fs.Path path) throws IOException {
        fs.setPermission(path, new FsPermission("777"));
        for (FileStatus in : fs.listStatus(path)) {
            if (in.isDirectory()) {
                open(fs, in.getPath());
            }
        }
    }

    private static void awaitLine(EmbeddedCluster cluster, String pattern) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(cluster.log()).containsPattern(pattern));
    }

    /** Who may not heal can still plan, move regions and answer. */
    private static void theMasterGoesOn(EmbeddedCluster cluster, LocalityTable table) throws Exception {
        assertThat(table.localShare()).isLessThan(1);
        assertThat(cluster.admin().balancerSwitch(true, true)).isFalse();
        cluster.admin().balance();
        cluster.admin().balancerSwitch(false, true);
        assertThat(table.isServed()).isTrue();
        assertThat(cluster.master().isAborted()).isFalse();
    }

    @Test
    void whoHasNotTheAdminPermissionChangesNothing() throws Exception {
        try (EmbeddedCluster cluster = start(Map.of(
                "hbase.master.info.port", "0",
                "hbase.master.info.bindAddress", "127.0.0.1",
                // At a port of the system's choice HBase would put another server in front, which redirects.
                "hbase.master.infoserver.redirect", "false",
                "hbase.http.filter.initializers", "io.hearth.ui.hbase.HearthUiFilterInitializer",
                "hbase.security.authentication.ui", "kerberos",
                "hbase.security.authentication.spnego.kerberos.principal", realm.principal("HTTP/localhost"),
                "hbase.security.authentication.spnego.kerberos.keytab", realm.keytab(),
                // HBase's own list lets her in: what is left is the permission.
                "hbase.security.authentication.spnego.admin.users", "hbase,mallory",
                "hearth.ui.actions", "true"))) {
            UserGroupInformation mallory = realm.login("mallory");
            CliProcess.writeConfig(cluster, folder.resolve("conf"));
            URI pause = page(cluster, "/hearth/api/actions/pause-healing");

            assertThat(mallory.doAs((PrivilegedExceptionAction<String>) () -> hearth("healer", "pause")))
                    .isEqualTo(
                            "5 hearth healer pause: HBase's ADMIN permission is needed: Insufficient permissions for user"
                                    + " 'mallory' (global, action=ADMIN)\n");
            assertThat(mallory.doAs((PrivilegedExceptionAction<String>) () -> post(pause)))
                    .startsWith("403 {\"problem\":\"Insufficient permissions for user 'mallory'")
                    .contains("action=ADMIN");
            assertThat(hearth("healer", "pause"))
                    .isEqualTo("0 Healing starts no more moves until it is resumed, also under the next master.\n");
            assertThat(UserGroupInformation.getLoginUser().doAs((PrivilegedExceptionAction<String>) () -> post(pause)))
                    .startsWith("200 ");
            aProcessOfItsOwnLogsInByTheFolderThatItIsGiven(cluster);
        }
    }

    /** It has no ticket, and no core-site.xml on its class path. */
    private static void aProcessOfItsOwnLogsInByTheFolderThatItIsGiven(EmbeddedCluster cluster) throws Exception {
        try (CliProcess status = CliProcess.start(
                folder, "status", "--config", folder.resolve("conf").toString())) {
            assertThat(status.exitCode()).as(status.output()).isEqualTo(5);
            assertThat(status.output()).contains("hearth status: no Kerberos ticket: run kinit");
        }
        Path withKeytab = folder.resolve("conf-of-healer");
        CliProcess.writeConfig(
                cluster,
                Map.of(
                        "hearth.healer.kerberos.principal", realm.principal("healer"),
                        "hearth.healer.keytab.file", realm.keytab()),
                withKeytab);
        try (CliProcess heal =
                CliProcess.start(folder, "healer", "run", "--dry-run", "--config", withKeytab.toString())) {
            assertThat(heal.exitCode()).as(heal.output()).isZero();
            assertThat(heal.output()).contains("Planning to heal the cluster as healer.");
        }
    }

    /** HBase's AccessController leaves the table out of its list without a word. */
    @Test
    @Tag("soak")
    void aTableThatHBaseDoesNotShowToTheHealerIsNamed() throws Exception {
        try (EmbeddedCluster cluster = start(Map.of(
                "hbase.coprocessor.master.classes", "org.apache.hadoop.hbase.security.access.AccessController"))) {
            TableName hidden = TableName.valueOf("hidden");
            byte[] name = Bytes.toBytes("f");
            cluster.admin()
                    .createTable(TableDescriptorBuilder.newBuilder(hidden)
                            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(name))
                            .build());
            try (Table table = cluster.connection().getTable(hidden)) {
                table.put(new Put(name).addColumn(name, name, name));
            }
            cluster.admin().flush(hidden);
            Path conf = folder.resolve("conf-of-hidden");
            CliProcess.writeConfig(
                    cluster,
                    Map.of(
                            "hearth.healer.kerberos.principal", realm.principal("healer"),
                            "hearth.healer.keytab.file", realm.keytab()),
                    conf);
            String line = "hearth healer run: HBase shows no descriptor of hidden: ADMIN or CREATE on it is missing";

            try (CliProcess heal = CliProcess.start(
                    folder,
                    "healer",
                    "run",
                    "--dry-run",
                    "--verify-all",
                    "--table",
                    "hidden",
                    "--config",
                    conf.toString())) {
                assertThat(heal.exitCode()).as(heal.output()).isEqualTo(5);
                assertThat(heal.output()).contains(line);
            }
        }
    }

    /** The exit code of a command, and what it printed on either stream. */
    @SuppressWarnings("deprecation") // HBase has no other way to ask.
    private static URI page(EmbeddedCluster cluster, String path) {
        return URI.create("http://localhost:" + cluster.master().getInfoServer().getPort() + path);
    }

    private static String hearth(String group, String verb) {
        StringWriter said = new StringWriter();
        PrintWriter out = new PrintWriter(said, true);
        int exitCode = Main.run(
                out, out, group, verb, "--config", folder.resolve("conf").toString());
        return exitCode + " " + said;
    }

    /** The status and the answer of an action of the page, asked for as the current user by SPNEGO. */
    private static String post(URI action) throws Exception {
        AuthenticatedURL.Token token = new AuthenticatedURL.Token();
        // It asks by OPTIONS, which an action does not answer.
        new AuthenticatedURL().openConnection(action.resolve("/jmx").toURL(), token);
        HttpURLConnection connection = new AuthenticatedURL().openConnection(action.toURL(), token);
        connection.setRequestMethod("POST");
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", "application/json");
        connection.setRequestProperty("X-XSRF-HEADER", "x");
        connection.getOutputStream().write("{}".getBytes(StandardCharsets.UTF_8));
        int status = connection.getResponseCode();
        try (InputStream answer = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            return status + " " + new String(answer.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
