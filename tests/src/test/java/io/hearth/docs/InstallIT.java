// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hearth.checks.MavenRun;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.testkit.process.JmxClient;
import io.hearth.testkit.process.layout.ClusterLayout;
import io.hearth.testkit.process.layout.Daemon;
import io.hearth.testkit.process.layout.Daemon.DaemonRole;
import io.hearth.testkit.process.system.SystemCommand;
import java.io.File;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An operator follows docs/install.md on a cluster of processes that has HBase's AccessController and rsgroups: nothing of them is lost,
 * nothing is moved by Hearth before {@code act}, and the stock balancer goes on; no region leaves its group at any time.
 */
@Tag("soak")
@Tag("alone")
class InstallIT {

    /** HBase's module of that name for 2.6, of which not every release can be had from Maven. */
    private static final String RSGROUP = "org.apache.hbase:hbase-rsgroup:2.6.1-hadoop3";

    private static final String COPROCESSORS = "org.apache.hadoop.hbase.security.access.AccessController,"
            + "org.apache.hadoop.hbase.rsgroup.RSGroupAdminEndpoint,"
            + "org.apache.hadoop.hbase.security.access.CoprocessorWhitelistMasterObserver";
    private static final String OF_RSGROUPS = "org.apache.hadoop.hbase.rsgroup.RSGroupBasedLoadBalancer";
    private static final String VIEW = "Hadoop:service=HBase,name=Master,sub=HearthBalancerView";
    private static final String HEALING = "Hadoop:service=HBase,name=Master,sub=HearthHealing";
    private static final String SYSTEM_TABLES = "hbase:meta,hbase:namespace,hbase:rsgroup,hbase:acl";
    private static final Set<String> SYSTEM_HOSTS = Set.of("host3", "host4");
    private static final String WEAK_HOST = "host1";
    private static final String NEW_HOST = "host5";
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final int LOAD_REGIONS = 12;

    /** Until the heat of what is read is known: twice what has to be observed, and two reports. */
    private static final int WARM_SECONDS = 30;

    /** Two runs of the process cluster's balancer, and what it observes before the first. */
    private static final int READ_SECONDS = 75;

    /** What HBase's master logs of each move that it makes for its balancer. */
    private static final Pattern MADE = Pattern.compile("balance hri=(\\w+), source=.*destination=(\\w+),");

    /** What Hearth logs of each move that the stock balancer plans beside its advice. */
    private static final Pattern STOCKS = Pattern.compile("The stock balancer moves (\\w+) ");

    /** What Hearth logs of each move that it plans for heat. */
    private static final Pattern OURS = Pattern.compile("Heat plan: \\w+ of \\S+ from ");

    /** What HBase logs of a server that gives up, and the JVM prints when there is no memory left. */
    static final Pattern GIVES_UP =
            Pattern.compile(" ABORTING region server| STOPPING region server|Terminating due to ");

    @TempDir
    private Path temp;

    private ScriptedCluster script;
    private @Nullable AdminClientProcess client;

    @BeforeEach
    void nameIt() {
        script = new ScriptedCluster(temp);
    }

    @AfterEach
    void stop() throws Exception {
        if (client != null) {
            client.close();
        }
        script.run("cluster", "stop");
    }

    @Test
    void nothingIsLostAndNothingIsMovedByHearthUntilAct() throws Exception {
        try {
            followTheGuide();
        } catch (Exception | AssertionError failure) {
            throw new AssertionError(
                    "Ended by themselves: " + endedByThemselves() + "\n" + failure.getMessage(), failure);
        }
    }

    /** Why processes of the cluster ended that nobody ended: by their logs, which are gone with the test, and by the kernel's. */
    private List<String> endedByThemselves() throws InterruptedException {
        List<String> lines = new ArrayList<>();
        try {
            SystemCommand.tryRun("dmesg")
                    .output()
                    .lines()
                    .filter(line -> line.contains("Killed process"))
                    .forEach(lines::add);
            addWhoGivesUp(lines);
        } catch (IOException unreadable) {
            lines.add(unreadable.toString());
        }
        return lines;
    }

    private void addWhoGivesUp(List<String> lines) throws IOException {
        if (!Files.isDirectory(script.folder().resolve("logs"))) {
            return;
        }
        try (Stream<Path> files = Files.list(script.folder().resolve("logs"))) {
            for (Path file : files.sorted().toList()) {
                String content = Files.readString(file, StandardCharsets.ISO_8859_1);
                content.lines()
                        .filter(line -> GIVES_UP.matcher(line).find())
                        .limit(3)
                        .forEach(line -> lines.add(file.getFileName() + ": " + line));
            }
        }
    }

    private void followTheGuide() throws Exception {
        startWithGroupsAndAccessController();
        // The stock balancer may even the group of the system tables at any time.
        client("balance_switch", "false");
        Map<String, String> regionsBefore = hostByRegion();
        Map<String, String> merged = check();

        // 1. The jars. 2. The merged values. 3. The restart.
        for (String jar : new String[] {"balancer", "coprocessor"}) {
            Files.copy(
                    HearthScript.ROOT.resolve(jar + "/target/hearth-" + jar + ".jar"),
                    script.folder().resolve("lib/hearth-" + jar + ".jar"));
        }
        script.edit("hbase-site.xml", lines -> lines.putAll(merged));
        script.done("cluster", "restart", "MASTER");

        assertThat(masterStatus())
                .contains("AccessController", "RSGroupAdminEndpoint", "CoprocessorWhitelistMasterObserver")
                .contains("LocalityHealingObserver", "HearthAdminEndpoint");
        assertThat(client("create_as", "mallory")).containsExactly("AccessDeniedException");
        assertThat(bean().get("Mode").getAsString()).isEqualTo("advise: hearth.balancer.mode is advise");
        assertThat(hostByRegion()).as("the restart moved nothing").containsAllEntriesOf(regionsBefore);
        client("balance_switch", "true");

        Process load = HearthScript.start(
                temp,
                Map.of("TMPDIR", temp.toString()),
                ("load --rate 400 --seconds 1500 --data-mb 8 --distribution UNIFORM --keep --regions " + LOAD_REGIONS)
                        .split(" "));
        try {
            stockGoesOnWhileHearthAdvises();
            aTableIsSetWithoutReopeningARegion();
            actMovesRegionsButNoneOfASystemTable();
        } finally {
            load.destroy();
            load.waitFor();
        }
        noRegionLeavesItsGroupThroughARestartOfEveryRegionServer();
        noBlockIsMoved();
    }

    /** hearth.heal.mode is advise to the end, whatever regions were moved by stock, by Hearth and by the restarts. */
    private void noBlockIsMoved() throws Exception {
        JsonObject healing = bean(HEALING);
        assertThat(counted(healing, HealingCounter.BLOCKS_ADVISED))
                .as("the healer is at work, and would have had something to do: %s", healing)
                .isPositive();
        assertThat(List.of(
                        HealingCounter.BLOCKS_PLANNED,
                        HealingCounter.BYTES_PLANNED,
                        HealingCounter.BLOCKS_VERIFIED,
                        HealingCounter.BYTES_VERIFIED))
                .allSatisfy(counter -> assertThat(counted(healing, counter))
                        .as(counter.metric())
                        .isZero());
    }

    /** By the page's name for it, which begins with a capital letter; one that is not there has counted nothing. */
    private static long counted(JsonObject bean, HealingCounter counter) {
        String key = Character.toUpperCase(counter.metric().charAt(0))
                + counter.metric().substring(1);
        return bean.has(key) ? bean.get(key).getAsLong() : 0;
    }

    private void startWithGroupsAndAccessController() throws Exception {
        MavenRun.run(
                "rsgroup",
                3,
                "-q",
                "-N",
                "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy",
                "-Dartifact=" + RSGROUP,
                "-DoutputDirectory=" + temp.resolve("jars"));
        script.done(
                "cluster",
                "start",
                "--stock",
                "--hosts",
                "4",
                "--jar",
                rsgroupJar().toString(),
                "--set",
                "hbase.coprocessor.master.classes=" + COPROCESSORS,
                "--set",
                "hbase.master.loadbalancer.class=" + OF_RSGROUPS,
                "--set",
                "hbase.security.authorization=true",
                // HBase's own: no server dies here but by a command, and this cluster has more processes than the
                // machine has processors.
                "--set",
                "zookeeper.session.timeout=90000",
                "--set",
                "hearth.balancer.heat.half.life.ms=10000",
                "--set",
                "hearth.balancer.heat.min.observed.ms=10000",
                "--set",
                "hearth.balancer.noise.filter=false",
                // So that there is something to even wherever regions are: its fair share is a quarter of the others'.
                "--set",
                "hearth.server." + WEAK_HOST + ".capacity=0.25");
        assertThat(masterStatus())
                .contains("AccessController", "RSGroupAdminEndpoint")
                .doesNotContain("LocalityHealingObserver");
        client("group", "system", String.join(",", SYSTEM_HOSTS), SYSTEM_TABLES);
        await("the system tables are in their group").atMost(PATIENCE).untilAsserted(this::everyRegionIsInItsGroup);
    }

    private Path rsgroupJar() throws IOException {
        try (Stream<Path> jars = Files.list(temp.resolve("jars"))) {
            return jars.findFirst().orElseThrow();
        }
    }

    /** By {@code install --check}, before anything is changed: the merged values. */
    private Map<String, String> check() throws Exception {
        String before = Files.readString(script.conf().resolve("hbase-site.xml"));
        String[] command = {
            "install", "--check", "--config", script.conf().toString(), "--java", System.getProperty("java.home")
        };
        String text = script.done(command);
        String[] inJson = Arrays.copyOf(command, command.length + 2);
        inJson[command.length] = "--output";
        inJson[command.length + 1] = "json";
        String json = script.done(inJson);
        assertThat(script.conf().resolve("hbase-site.xml"))
                .as("it changes nothing")
                .hasContent(before);

        assertThat(text).contains("hbase.rsgroup.grouploadbalancer.class", OF_RSGROUPS);
        JsonObject found = JsonParser.parseString(json.lines()
                        .filter(line -> line.startsWith("{"))
                        .findFirst()
                        .orElseThrow())
                .getAsJsonObject();
        assertThat(found.getAsJsonArray("problems")).isEmpty();
        Map<String, String> merged = new LinkedHashMap<>();
        for (JsonElement each : found.getAsJsonArray("properties")) {
            JsonObject property = each.getAsJsonObject();
            if (!property.get("optional").getAsBoolean()) {
                merged.put(
                        property.get("key").getAsString(), property.get("after").getAsString());
            }
        }
        assertThat(merged)
                .containsOnly(
                        Map.entry("hbase.rsgroup.grouploadbalancer.class", "io.hearth.balancer.HearthLoadBalancer"),
                        Map.entry(
                                "hbase.coprocessor.master.classes",
                                COPROCESSORS + ",io.hearth.healer.hbase.LocalityHealingObserver,"
                                        + "io.hearth.admin.rpc.HearthAdminEndpoint"),
                        Map.entry("hearth.balancer.mode", "advise"),
                        Map.entry("hearth.heal.mode", "advise"));
        return merged;
    }

    private void stockGoesOnWhileHearthAdvises() throws Exception {
        await("Hearth would move something")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofSeconds(3))
                .until(this::hearthWould);
        // An empty server is what stock balances for by itself: numbers of regions.
        script.done("cluster", "add-host");
        await("the stock balancer fills the new host")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofSeconds(3))
                .until(() -> made(MADE).containsValue(NEW_HOST));
        assertThat(script.done("balancer", "pins", "--config", script.conf().toString()))
                .as("no move is Hearth's")
                .doesNotContain("Hearth");
        assertThat(made(STOCKS).keySet())
                .as("what the master moved, by its log, is what stock planned")
                .containsAll(made(MADE).keySet());
        everyRegionIsInItsGroup();
    }

    private boolean hearthWould() throws Exception {
        return JsonParser.parseString(bean().get("AdviceJson").getAsString()).getAsJsonArray().asList().stream()
                .anyMatch(run -> run.getAsJsonObject()
                                .getAsJsonObject("hearth")
                                .get("moves")
                                .getAsInt()
                        > 0);
    }

    /** By the HMaster's log, of all its lives: regions, and where they went if the pattern says so. */
    private Map<String, String> made(Pattern pattern) throws IOException {
        Map<String, String> hosts = new TreeMap<>();
        masterLog()
                .map(pattern::matcher)
                .filter(Matcher::find)
                .forEach(line -> hosts.put(line.group(1), line.groupCount() > 1 ? line.group(2) : ""));
        return hosts;
    }

    /** How many moves the master has made for its balancer, of whatever regions. */
    private long moves() throws IOException {
        return masterLog().filter(line -> MADE.matcher(line).find()).count();
    }

    private Stream<String> masterLog() throws IOException {
        return Files.readAllLines(script.folder().resolve("logs/" + master().name() + ".log")).stream();
    }

    private void aTableIsSetWithoutReopeningARegion() throws Exception {
        String table = tableOfTheLoad();
        await("what the stock balancer moves has arrived")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(hostByRegion()).containsAllEntriesOf(made(MADE)));
        // In this order, and at the end in the other: a move between the two counts is none too few.
        long moved = moves();
        long opened = opened(table);
        assertThat(opened).as("the log tells of each opening").isGreaterThanOrEqualTo(LOAD_REGIONS);

        assertThat(script.done(
                        "table",
                        "set",
                        table,
                        "HEARTH_READ_WEIGHT=2",
                        "HEARTH_HEAL=first",
                        "--config",
                        script.conf().toString()))
                .endsWith("says so now, and its " + LOAD_REGIONS + " regions stayed open.\n");
        assertThat(script.done(
                        "table",
                        "set",
                        table,
                        "HEARTH_READ_WEIGHT=2",
                        "--config",
                        script.conf().toString()))
                .endsWith("says so already.\n");

        assertThat(masterLog().filter(line -> line.contains("ReopenTableRegionsProcedure")))
                .as("the master reopened nothing")
                .isEmpty();
        assertThat(opened(table) - opened)
                .as("no region was opened again but what stock has moved meanwhile")
                .isLessThanOrEqualTo(moves() - moved);
    }

    /**
     * As the guide has it: the line is taken out of the file, and {@code update_all_config}. Meanwhile one server of the system tables'
     * group is read a lot and the other is not, which is what Hearth evens for other tables.
     */
    private void actMovesRegionsButNoneOfASystemTable() throws Exception {
        List<String> onOneHost = systemTables().entrySet().stream()
                .collect(Collectors.groupingBy(
                        Map.Entry::getValue, Collectors.mapping(Map.Entry::getKey, Collectors.toList())))
                .values()
                .stream()
                .max(Comparator.comparingInt(List::size))
                .orElseThrow();
        assertThat(onOneHost).as("there would be something to move").hasSizeGreaterThan(1);
        client("read", String.join(",", onOneHost), "" + WARM_SECONDS);
        script.edit("hbase-site.xml", lines -> lines.put("hearth.balancer.mode", "act"));
        client("update_all_config");
        assertThat(bean().get("Mode").getAsString()).isEqualTo("act");
        await("Hearth plans to move what is hot")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> masterLog().anyMatch(line -> OURS.matcher(line).find()));
        // Each question is a JVM of its own, which takes the processors from the cluster for seconds.
        await("Hearth moves what is hot")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofSeconds(10))
                .until(() -> script.done(
                                "balancer", "pins", "--config", script.conf().toString())
                        .contains("Hearth"));
        client("read", String.join(",", onOneHost), "" + READ_SECONDS);
        assertThat(masterLog().filter(line -> OURS.matcher(line).find()))
                .as("moves for heat")
                .isNotEmpty()
                .noneMatch(line -> line.contains(" of hbase:"));
        everyRegionIsInItsGroup();
    }

    /** Each has one region; the hosts by their names. */
    private Map<String, String> systemTables() throws Exception {
        return client("regions").stream()
                .map(line -> line.split(" "))
                .filter(words -> words[0].startsWith("hbase:"))
                .collect(Collectors.toMap(words -> words[0], words -> words[2]));
    }

    private void noRegionLeavesItsGroupThroughARestartOfEveryRegionServer() throws Exception {
        script.done("cluster", "restart", "REGIONSERVER");
        await("all regions are served again").atMost(PATIENCE).untilAsserted(() -> {
            assertThat(hostByRegion()).hasSizeGreaterThan(LOAD_REGIONS);
            everyRegionIsInItsGroup();
        });
        assertThat(masterStatus()).contains("AccessController", "RSGroupAdminEndpoint");
    }

    /** That of hbase:meta among them. */
    private void everyRegionIsInItsGroup() throws Exception {
        List<String> regions = client("regions");
        assertThat(regions.stream().map(line -> line.split(" ")[0])).contains(SYSTEM_TABLES.split(","));
        for (String line : regions) {
            String[] words = line.split(" ");
            assertThat(SYSTEM_HOSTS.contains(words[2])).as(line).isEqualTo(words[0].startsWith("hbase:"));
        }
    }

    private Map<String, String> hostByRegion() throws Exception {
        Map<String, String> hosts = new TreeMap<>();
        client("regions").forEach(line -> hosts.put(line.split(" ")[1], line.split(" ")[2]));
        return hosts;
    }

    private List<String> client(String... words) throws Exception {
        if (client == null) {
            client = AdminClientProcess.start(temp, script.conf(), File.pathSeparator + rsgroupJar());
        }
        return client.ask(words);
    }

    private Daemon master() throws IOException {
        JsonObject state = JsonParser.parseString(
                        Files.readString(script.folder().resolve("state.json")))
                .getAsJsonObject();
        return new Gson()
                .fromJson(state.get("layout"), ClusterLayout.class)
                .daemons(DaemonRole.MASTER)
                .get(0);
    }

    /**
     * The master's page, as soon as there is one: stock HBase answers with 500 until it has made hbase:rsgroup, and
     * whenever a RegionServer that has just started is in no group yet (RegionServerListTmpl asks for its group's name).
     */
    private String masterStatus() throws Exception {
        URI page = URI.create(
                "http://" + master().host().address() + ":" + DaemonRole.MASTER.watchedPort() + "/master-status");
        HttpClient http = HttpClient.newHttpClient();
        return await(page + " is served")
                .atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(
                        () -> http.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString()),
                        answer -> answer.statusCode() == HttpURLConnection.HTTP_OK)
                .body();
    }

    private JsonObject bean() throws Exception {
        return bean(VIEW);
    }

    private JsonObject bean(String name) throws Exception {
        String address = master().host().address();
        JmxClient jmx = new JmxClient();
        await(name + " is shown").atMost(PATIENCE).until(() -> jmx.bean(address, DaemonRole.MASTER.watchedPort(), name)
                .isPresent());
        return jmx.bean(address, DaemonRole.MASTER.watchedPort(), name).orElseThrow();
    }

    private String tableOfTheLoad() throws Exception {
        return client("regions").stream()
                .map(line -> line.split(" ")[0])
                .filter(table -> !table.startsWith("hbase:"))
                .findFirst()
                .orElseThrow();
    }

    /** How often a region of the table was opened, by the logs of all RegionServers. */
    private long opened(String table) throws IOException {
        long opened = 0;
        try (Stream<Path> logs = Files.list(script.folder().resolve("logs"))) {
            for (Path log : logs.filter(file -> file.getFileName().toString().matches("regionserver.*\\.log"))
                    .toList()) {
                try (Stream<String> lines = Files.lines(log)) {
                    opened += lines.filter(line -> line.contains("Opened " + table + ","))
                            .count();
                }
            }
        }
        return opened;
    }
}
