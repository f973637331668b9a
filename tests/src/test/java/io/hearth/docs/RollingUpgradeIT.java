// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hearth.chaos.SoakLoad.Totals;
import io.hearth.testkit.process.FastTimings;
import io.hearth.testkit.process.JmxClient;
import io.hearth.testkit.process.layout.Daemon.DaemonRole;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An operator upgrades Hearth as docs/upgrade.md says, host by host and under load, and goes back: from the release before, built from its
 * commit, to this tree. What the HMasters remember is kept over each step, healing and the command line work, and no row is lost or wrong.
 */
@Tag("release-checks")
class RollingUpgradeIT {

    private static final List<String> MASTERS = List.of("master1", "master2");
    private static final List<String> WORKERS = List.of("host1", "host2", "host3", "host4");
    private static final int REQUESTS_PER_SECOND = 200;
    private static final int LEAST_REQUESTS = 20_000;
    private static final String TABLE = "kept";
    private static final String HEALING = "Hadoop:service=HBase,name=Master,sub=HearthHealing";
    private static final String DELETION_DELAY = "Hadoop:service=DataNode,name=HearthDeletionDelay";
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private static final Pattern ACTIVE = Pattern.compile("\\{\"process\":\"(master\\d)\"[^}]*\"detail\":\"active\"}");
    private static final Pattern HEAT_IS_BACK =
            Pattern.compile("The heat of [1-9]\\d* regions from \\d+ s ago was restored");
    private static final Pattern ABORTS = Pattern.compile(" ABORTING master ");

    /** The logs of the last run: those of the cluster go with it. */
    private static final Path KEPT_LOGS = Path.of("target", "rolling-upgrade-logs");

    @TempDir
    private Path temp;

    @TempDir
    private Path builds;

    private final Map<String, HearthBuild> buildByMaster = new HashMap<>();
    private ScriptedCluster script;
    private HearthBuild before;
    private HearthBuild now;
    private HearthBuild cli;
    private @Nullable AdminClientProcess client;
    private @Nullable VerifiedLoad load;
    private @Nullable HBaseFiles files;

    @AfterEach
    void stop() throws Exception {
        if (load != null) {
            load.close();
        }
        if (client != null) {
            client.close();
        }
        if (files != null) {
            files.close();
        }
        if (script != null) {
            try {
                endedByThemselves().forEach(System.out::println);
                keepLogs();
            } finally {
                script.run("cluster", "stop");
            }
        }
    }

    /** Why RegionServers and HMasters ended that nobody ended, by their logs: the next restart starts them again without a word. */
    private List<String> endedByThemselves() throws IOException {
        List<String> lines = new ArrayList<>();
        for (int number = 1; number <= WORKERS.size(); number++) {
            lines.addAll(linesOf("regionserver" + number, InstallIT.GIVES_UP));
        }
        for (String master : MASTERS) {
            lines.addAll(linesOf(master, ABORTS));
        }
        return lines;
    }

    private List<String> linesOf(String process, Pattern pattern) throws IOException {
        if (!Files.exists(logs().resolve(process + ".log"))) {
            return List.of();
        }
        return log(process).stream()
                .filter(line -> pattern.matcher(line).find())
                .map(line -> process + ": " + line)
                .toList();
    }

    /** And what the load and the client have printed. */
    private void keepLogs() throws IOException {
        Files.createDirectories(KEPT_LOGS);
        for (Path folder : List.of(logs(), temp)) {
            try (Stream<Path> files = Files.isDirectory(folder) ? Files.list(folder) : Stream.<Path>empty()) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    Files.copy(file, KEPT_LOGS.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }

    @Test
    void nothingIsLostOnTheWayUpAndBack() throws Exception {
        build();
        start();
        load = VerifiedLoad.start(temp, script.conf(), REQUESTS_PER_SECOND);
        client("create_uncached", TABLE, WORKERS.get(0));
        done("table", "set", TABLE, "HEARTH_READ_WEIGHT=2");
        healATable();
        pause();

        replaceMaster(backup(), now);
        replaceMaster(active(), now);
        replaceDataNodes(WORKERS, now);
        cli = now;
        String newerFile = leaveFilesOfANewerVersion();

        cli = before;
        List<String> backwards = new ArrayList<>(WORKERS);
        Collections.reverse(backwards);
        replaceDataNodes(backwards, before);
        replaceMaster(active(), before);
        replaceMaster(active(), before);
        assertThat(buildByMaster.values()).containsOnly(before);
        files.filesOfANewerVersionAreAsTheyWere(newerFile);

        Totals totals = load.end();
        System.out.println("What came of the load: " + totals);
        assertThat(List.of(totals.lost(), totals.wrong(), totals.errors()))
                .as("rows lost and wrong, requests failed")
                .containsOnly(0L);
        assertThat(totals.requests()).isGreaterThan(LEAST_REQUESTS);
        assertThat(endedByThemselves()).isEmpty();
        assertThat(HearthLogLines.ofThisBuild().errors(logs())).isEmpty();
    }

    /** Both releases; where there is none before this one it can't be tested, which is not the same as that it works. */
    private void build() throws Exception {
        String commit = "";
        try {
            commit = HearthBuild.commitBefore();
        } catch (IOException notThere) {
            assertThat(HearthBuild.isHistoryCutOff())
                    .as("this clone has not the commits before: git fetch --unshallow --tags")
                    .isFalse();
            abort("There is no release before this one to upgrade from: " + notThere.getMessage());
        }
        System.out.println("The release before is that of commit " + commit);
        Path hbase = builds.resolve("hbase");
        HBaseRelease.layOut(hbase);
        before = HearthBuild.ofCommit(commit, builds.resolve("sources"), builds.resolve("before"), hbase);
        now = HearthBuild.ofThisTree(builds.resolve("now"), hbase);
        cli = before;
        assertThat(now.commit()).isNotEqualTo(before.commit());
    }

    /** All of the release before. Without the page's filter RegionServers need nothing of it. Only who stops writes the state. */
    private void start() throws Exception {
        script = new ScriptedCluster(temp);
        List<String> words = new ArrayList<>(
                List.of("cluster", "start", "--hosts", "" + WORKERS.size(), "--masters", "" + MASTERS.size()));
        Map<String, String> settings = new HashMap<>(FastTimings.with(Map.of(
                "hearth.heal.cluster.bandwidth", "50000000",
                "hearth.heal.namenode.share", "1",
                "hearth.balancer.heat.store.interval.ms", "86400000",
                "hbase.http.filter.initializers", "org.apache.hadoop.hbase.http.lib.StaticUserWebFilter",
                "dfs.replication", "2",
                "dfs.datanode.fsdataset.factory",
                        "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.HearthDatasetFactory",
                "hearth.datanode.deletion.delay.ms", "30000")));
        // HBase's own: no server dies here but by a command, and there are more processes than processors.
        settings.put("zookeeper.session.timeout", "90000");
        // By default a RegionServer writes its log for six hours to none of three DataNodes that it once could not
        // reach: of four one is left, and when that one restarts the RegionServer aborts.
        settings.put("hbase.regionserver.async.wal.max.exclude.datanode.count", "1");
        settings.forEach((key, value) -> words.addAll(List.of("--set", key + "=" + value)));
        for (String master : MASTERS) {
            HearthBuild.MASTER_JARS.forEach(jar -> words.addAll(List.of("--jar", master + "=" + before.jar(jar))));
            buildByMaster.put(master, before);
        }
        for (String worker : WORKERS) {
            words.addAll(List.of("--jar", worker + "=" + before.jar(HearthBuild.DATANODE_JAR)));
        }
        script.done(words.toArray(String[]::new));
        files = HBaseFiles.of(script);
    }

    /** Puts the jars there and restarts it; afterwards all is as it was. Returns what the active HMaster has logged since. */
    private List<String> replaceMaster(String master, HearthBuild build) throws Exception {
        String activeBefore = active();
        JsonObject pinBefore = pin();
        Map<String, Integer> linesBefore = new HashMap<>();
        for (String each : MASTERS) {
            linesBefore.put(each, log(each).size());
        }
        for (String jar : HearthBuild.MASTER_JARS) {
            put(build, jar, master);
        }
        script.done("cluster", "restart", "MASTER", "--host", master, "--gracefully");
        buildByMaster.put(master, build);

        String activeNow = active();
        assertThat(activeNow.equals(activeBefore))
                .as("the other HMaster takes over where the active one is restarted")
                .isEqualTo(!master.equals(activeBefore));
        if (master.equals(activeBefore)) {
            await("its state").atMost(PATIENCE).untilAsserted(() -> assertThat(log(activeNow, linesBefore))
                    .anyMatch(line -> HEAT_IS_BACK.matcher(line).find())
                    .anyMatch(line -> line.contains(
                            "What the last master remembered of moves and pins: what was remembered is back.")));
        }
        everythingIsKept(pinBefore);
        return log(activeNow, linesBefore);
    }

    private void everythingIsKept(JsonObject pinBefore) throws Exception {
        String commit = buildByMaster.get(active()).commit();
        await("the version in the HMaster").atMost(PATIENCE).untilAsserted(() -> assertThat(done("version"))
                .contains("(" + commit + ") in the HMaster"));
        await("the pause").atMost(PATIENCE).untilAsserted(() -> assertThat(
                        bean(active(), DaemonRole.MASTER, HEALING).get("Paused").getAsInt())
                .isEqualTo(1));
        await("the pin").atMost(PATIENCE).untilAsserted(() -> assertThat(pin()).isEqualTo(pinBefore));
        assertThat(done("table", "set", TABLE, "HEARTH_READ_WEIGHT=2")).contains(" says so already.");
        for (HearthBuild each : List.of(before, now)) {
            HearthScript.Result status = each.run(script, "balancer", "status");
            assertThat(status.exitCode()).as(status.output()).isZero();
        }
        done("healer", "resume");
        healATable();
        pause();
    }

    private void replaceDataNodes(List<String> hosts, HearthBuild build) throws Exception {
        done("healer", "resume");
        for (String host : hosts) {
            put(build, HearthBuild.DATANODE_JAR, host);
            script.done("cluster", "restart", "DATANODE", "--host", host, "--gracefully");
            assertThat(bean(host, DaemonRole.DATANODE, DELETION_DELAY).size()).isPositive();
            healATable();
        }
        pause();
    }

    /** What a later release might have written: a state file, whose name is returned, and a line of the file with the pause. */
    private String leaveFilesOfANewerVersion() throws Exception {
        files.addLineOfANewerVersionToPause();
        String state = files.writeStateOfANewerVersion();

        List<String> log = replaceMaster(active(), now);

        assertThat(log.stream()
                        .filter(line -> line.contains("A newer version of Hearth has written " + state
                                + ": what this version knows of it is used, and it is left as it is.")))
                .hasSize(1);
        assertThat(log.stream()
                        .filter(line -> line.contains("healer.paused was written by a newer version of Hearth"
                                + " (its form is 2, and 1 is known here)")))
                .hasSize(1);
        return state;
    }

    private void put(HearthBuild build, String jar, String host) throws IOException {
        // In the place of the file that a JVM may have open, which stays as it is.
        Path target = script.folder().resolve("lib").resolve(host).resolve(jar);
        Files.copy(build.jar(jar), target, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Moves the region of the table to where its blocks are not, manually, which pins it; they follow. */
    private void healATable() throws Exception {
        String region = client("regions").stream()
                .map(line -> line.split(" "))
                .filter(words -> words[0].equals(TABLE))
                .map(words -> words[1])
                .findFirst()
                .orElseThrow();
        // To the NameNode a replica is there until it is deleted, for which a DataNode waits half a minute where it was
        // read: two moves later every host may have one.
        String target = await("a host without its blocks")
                .atMost(PATIENCE)
                .until(() -> hostWithoutAllBlocks(region), Optional::isPresent)
                .orElseThrow();
        client("move", region, target);
        await("its blocks are on " + target).atMost(PATIENCE).until(() -> files.hostsWithAllBlocks(TABLE, region)
                .contains(target));
    }

    private Optional<String> hostWithoutAllBlocks(String region) throws IOException {
        Set<String> hosts = files.hostsWithAllBlocks(TABLE, region);
        return WORKERS.stream().filter(host -> !hosts.contains(host)).findFirst();
    }

    private void pause() throws Exception {
        done("healer", "pause");
        await("the next HMaster can know of it").atMost(PATIENCE).until(() -> files.pause()
                .contains("\npaused "));
    }

    /** That of the table, without what changes by itself. */
    private JsonObject pin() throws Exception {
        String list = done("balancer", "pins", "--output", "json")
                .lines()
                .filter(line -> line.startsWith("["))
                .findFirst()
                .orElseThrow();
        for (JsonElement each : JsonParser.parseString(list).getAsJsonArray()) {
            JsonObject pin = each.getAsJsonObject();
            if (pin.get("table").getAsString().equals(TABLE)) {
                return pin;
            }
        }
        throw new AssertionError("The region of " + TABLE + " is not pinned: " + list);
    }

    private String active() throws Exception {
        return await("an active HMaster")
                .atMost(PATIENCE)
                .until(
                        () -> ACTIVE.matcher(script.run("cluster", "status", "--output", "json")
                                        .output())
                                .results()
                                .map(found -> found.group(1))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    private String backup() throws Exception {
        String active = active();
        return MASTERS.stream()
                .filter(master -> !master.equals(active))
                .findFirst()
                .orElseThrow();
    }

    /** As soon as it is there. */
    private JsonObject bean(String host, DaemonRole role, String name) throws Exception {
        JmxClient jmx = new JmxClient();
        String address = script.address(host);
        await(name).atMost(PATIENCE).until(() -> jmx.bean(address, role.watchedPort(), name)
                .isPresent());
        return jmx.bean(address, role.watchedPort(), name).orElseThrow();
    }

    private Path logs() {
        return script.folder().resolve("logs");
    }

    private List<String> log(String master) throws IOException {
        return Files.readAllLines(logs().resolve(master + ".log"), StandardCharsets.ISO_8859_1);
    }

    private List<String> log(String master, Map<String, Integer> linesBefore) throws IOException {
        List<String> lines = log(master);
        return lines.subList(linesBefore.get(master), lines.size());
    }

    /** By the command line of the release that the operator has by now. */
    private String done(String... arguments) throws Exception {
        HearthScript.Result result = cli.run(script, arguments);
        assertThat(result.exitCode()).as(result.output()).isZero();
        return result.output();
    }

    private List<String> client(String... words) throws Exception {
        if (client == null) {
            client = AdminClientProcess.start(temp, script.conf(), "");
        }
        return client.ask(words);
    }
}
