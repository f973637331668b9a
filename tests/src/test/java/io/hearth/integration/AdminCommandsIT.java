// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hearth.balancer.hbase.BalancerMetrics;
import io.hearth.balancer.hbase.MasterComponentRegistry;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.tracking.MoveTracker;
import io.hearth.balancer.tracking.PinnedRegion;
import io.hearth.cli.Main;
import io.hearth.cli.client.ClusterClient;
import io.hearth.cli.client.PlanClient;
import io.hearth.cli.client.PlanFiles;
import io.hearth.healer.hbase.HealerAdmin;
import io.hearth.testkit.embedded.EmbeddedCluster;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.RegionMover;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/hearth} status, top, ui and what balancer and healer have, on a cluster with and without Hearth in its master. */
@Tag("shared")
class AdminCommandsIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final Pattern STOPPED = Pattern.compile(
            "hearth balancer apply: stopped: (\\d+) of \\d+ moves are made, (\\d+) have not begun and do not any more");

    @TempDir
    private Path folder;

    /** What a command printed on either stream, and how it ended. */
    private record Result(int exitCode, String out, String err) {}

    private Result hearth(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--config", folder.toString()));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), all.toArray(String[]::new));
        return new Result(exitCode, out.toString(), err.toString());
    }

    private Result done(String... arguments) {
        Result result = hearth(arguments);
        assertThat(result.exitCode())
                .as(Arrays.toString(arguments) + ": " + result)
                .isZero();
        return result;
    }

    private static JsonObject object(String json) {
        return JsonParser.parseString(json).getAsJsonObject();
    }

    private static double readSkew(JsonObject page) {
        return page.getAsJsonObject("overview")
                .getAsJsonArray("balance")
                .get(0)
                .getAsJsonObject()
                .get("maxOverMean")
                .getAsDouble();
    }

    private static Map<String, String> serverByRegion(EmbeddedCluster cluster) throws Exception {
        Map<String, String> serverByRegion = new TreeMap<>();
        for (ServerName server : cluster.admin().getRegionServers()) {
            for (RegionInfo region : cluster.admin().getRegions(server)) {
                serverByRegion.put(region.getEncodedName(), server.getServerName());
            }
        }
        return serverByRegion;
    }

    private static void move(EmbeddedCluster cluster, String region, String server) throws Exception {
        cluster.admin().move(Bytes.toBytes(region), ServerName.valueOf(server));
    }

    @Test
    void throughHearthInTheMaster() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.builder()
                        .hosts(4)
                        .racks(2)
                        .withHearth()
                        .property("hbase.security.authorization", "true")
                        .property("hbase.superuser", System.getProperty("user.name"))
                        // A busy machine\'s client asks for little.
                        .property("hearth.balancer.min.requests.per.second", "1")
                        // Only to make time pass faster.
                        .property("hearth.balancer.heat.min.observed.ms", "5000")
                        .shared();
                // Eight hot regions of half of a fair share: with six, each would be as large as changes what plans do
                // with numbers.
                HotServerLoad hot = HotServerLoad.start(cluster, 32)) {
            CliProcess.writeConfig(cluster, folder);
            cluster.admin().balancerSwitch(false, true);
            // Before a region's heat is known its first rates are shown, and are too little to matter.
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(done("status").out()).contains("UNEVEN, most on "));
            assertThat(readSkew(object(done("status", "--output", "json").out())))
                    .isGreaterThan(1.5);
            assertThat(done("status").out())
                    .startsWith("4 servers, ")
                    .contains(
                            " by Hearth in the master ",
                            "UNEVEN, most on ",
                            "balancer     acts; switched off (balance_switch)",
                            "healing      on");
            theStatusOfEachPartIsPartOfIt();
            aFleetHasARowForThisClusterAndForOneThatIsDead(true, 4);
            aLookIsPrintedAgainAndAgain();
            aTerminalIsDrawnOnUntilQ();
            aUserWithoutThePermissionIsToldSo();
            healingIsPausedAndGoesOn(cluster);
            aPlanIsMadeKeptAndCarriedOut(cluster);
            aPinIsListedAndRemoved(cluster, whatHBasesRegionMoverTakesOffAndBringsBackIsNotPinned(cluster));
            plansAreAdviceUntilTheyAreNot(cluster);
            assertThat(cluster.master().isAborted()).isFalse();
            assertThat(Thread.getAllStackTraces().keySet().stream().map(Thread::getName))
                    .as("somebody looks after the backup masters")
                    .contains("hearth-backup-masters");
            assertThat(hot.hotRegionsByServer()).hasSizeGreaterThan(1);
        }
    }

    private void theStatusOfEachPartIsPartOfIt() {
        assertThat(done("balancer", "status").out())
                .contains("UNEVEN, most on ", "mode         act\n", "balancer     acts; switched off (balance_switch)")
                .doesNotContain("healing ");
        assertThat(done("healer", "status").out())
                .contains("mode         act\n", "locality     ", "healing      on")
                .doesNotContain("UNEVEN");
        assertThat(object(done("balancer", "status", "--output", "json").out()).keySet())
                .containsExactlyInAnyOrder("overview", "plans");
        assertThat(object(done("healer", "status", "--output", "json").out()).keySet())
                .containsExactly("healing");
        assertThat(done("balancer", "status", "--output", "csv").out()).contains("\nreads,", ",UNBALANCED,");
    }

    /** The dead one has the address of nobody; the one without a folder is said by its name. Returns the row of this cluster. */
    private JsonObject aFleetHasARowForThisClusterAndForOneThatIsDead(boolean byMaster, int servers) throws Exception {
        Path dead = Files.createDirectories(folder.resolve("dead"));
        Files.writeString(
                dead.resolve("hbase-site.xml"),
                "<configuration><property><name>hbase.zookeeper.quorum</name><value>127.0.0.1</value></property>"
                        + "<property><name>hbase.zookeeper.property.clientPort</name><value>1</value></property>"
                        + "</configuration>");
        Path file =
                Files.writeString(folder.resolve("clusters.txt"), "here .\ndead dead\nnowhere no-such-folder\nbad\n");
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();

        int exitCode = Main.run(
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                "fleet",
                "--clusters",
                file.toString(),
                "--html",
                folder.resolve("fleet.html").toString(),
                "--output",
                "json");

        assertThat(exitCode).as(out + "" + err).isEqualTo(1);
        assertThat(err.toString())
                .startsWith(file + ", line 4: 'bad' can't be used: ")
                .hasLineCount(1);
        List<JsonElement> rows =
                object(out.toString()).getAsJsonArray("clusters").asList();
        JsonObject here = rows.get(0).getAsJsonObject();
        assertThat(here.get("byMaster").getAsBoolean()).isEqualTo(byMaster);
        assertThat(here.get("servers").getAsInt()).isEqualTo(servers);
        assertThat(here.getAsJsonObject("balance")
                        .getAsJsonObject("readsPerSecond")
                        .get("maxOverMean")
                        .getAsDouble())
                .isGreaterThan(1.5);
        assertThat(rows.get(1).getAsJsonObject().get("answered").getAsBoolean()).isFalse();
        assertThat(rows.get(2).getAsJsonObject().get("problem").getAsString())
                .isEqualTo("the cluster can't be asked: " + folder.resolve("no-such-folder")
                        + " has no hbase-site.xml that can be read");
        assertThat(folder.resolve("fleet.html")).content().contains("<th scope=\"row\">here</th>", "NO ANSWER: ");
        return here;
    }

    private void aLookIsPrintedAgainAndAgain() {
        assertThat(done("top", "--every", "1", "--times", "2").out())
                .containsPattern("(?s)SERVER.*HOTTEST REGIONS.*SERVER.*HOTTEST REGIONS");
    }

    private void aTerminalIsDrawnOnUntilQ() throws Exception {
        try (CliProcess top = CliProcess.startOnATerminal(folder, "top", "--config", folder.toString())) {
            await().atMost(PATIENCE).until(() -> top.output().contains("HOTTEST REGIONS"));
            top.type("q");
            assertThat(top.exitCode()).as(top.output()).isZero();
            assertThat(top.output())
                    .contains("\u001b[?1049h", "\u001b[H", "SERVER ")
                    .endsWith("\u001b[?25h\u001b[?1049l");
        }
    }

    private void aUserWithoutThePermissionIsToldSo() throws Exception {
        UserGroupInformation mallory = UserGroupInformation.createRemoteUser("mallory");
        for (String command : List.of("status", "balancer plan", "healer pause", "balancer pins")) {
            Result refused = mallory.doAs((PrivilegedExceptionAction<Result>) () -> hearth(command.split(" ")));
            assertThat(refused.exitCode()).as(refused.toString()).isEqualTo(5);
            assertThat(refused.out()).isEmpty();
            assertThat(refused.err())
                    .isEqualTo("hearth " + command
                            + ": HBase's ADMIN permission is needed: Insufficient permissions for user 'mallory'"
                            + " (global, action=ADMIN)\n");
        }
    }

    private void healingIsPausedAndGoesOn(EmbeddedCluster cluster) {
        HealerAdmin healerAdmin =
                HealerAdmin.of(cluster.master().getConfiguration()).orElseThrow();
        assertThat(done("healer", "pause").out())
                .isEqualTo("Healing starts no more moves until it is resumed, also under the next master.\n");
        assertThat(healerAdmin.pauseSwitch().paused()).contains(System.getProperty("user.name") + " by bin/hearth");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(done("status").out()).contains("healing      paused ("));
        assertThat(done("healer", "resume", "--output", "json").out()).isEqualTo("{\"done\":\"Healing continues.\"}\n");
        assertThat(healerAdmin.pauseSwitch().paused()).isEmpty();
    }

    /** All hot regions by one plan: each command plans on the load of its moment, and the next plan may move others of them. */
    private void regionsAreExplained(List<String> hot) {
        Stream<String> command = Stream.of("balancer", "plan", "--output", "csv");
        List<String> lines = done(Stream.concat(command, hot.stream().flatMap(region -> Stream.of("--why", region)))
                        .toArray(String[]::new))
                .out()
                .lines()
                .toList();
        assertThat(lines).hasSize(hot.size() + 1).startsWith("region,table,server,reason,text");
        assertThat(lines.stream().skip(1).map(line -> line.split(",")[0])).containsExactlyInAnyOrderElementsOf(hot);
        assertThat(lines)
                .as("some are moved, and others stay")
                .anyMatch(line -> line.contains(",MOVED,"))
                .anyMatch(line -> line.contains(" stays on "));
        assertThat(done("balancer", "plan", "--why", "1588230740").out())
                .contains("1588230740 of hbase:meta stays on ")
                .hasLineCount(1);
        Result unknown = hearth("balancer", "plan", "--why", "0123");
        assertThat(unknown.exitCode()).isEqualTo(2);
        assertThat(unknown.err()).contains("--why: the master has no region 0123");
    }

    private void aPlanIsMadeKeptAndCarriedOut(EmbeddedCluster cluster) throws Exception {
        Map<String, String> before = serverByRegion(cluster);
        Path file = folder.resolve("plan.json");
        Result plan = done("balancer", "plan", "--out", file.toString());
        assertThat(plan.out())
                .contains(" moves; max/mean of reads ", "Planned by Hearth in the master; nothing was moved.")
                .contains(file + " can be carried out by bin/hearth balancer apply until ");
        assertThat(serverByRegion(cluster)).as("a plan moves nothing").isEqualTo(before);
        assertThat(done("balancer", "plan", "--output", "csv").out())
                .matches("region,table,from,to\n([0-9a-f]{32},hot,\\S+,\\S+\n)+");
        assertThat(done("balancer", "plan", "--explain").out()).contains("gain ", "no plan comes below ");
        JsonArray moves = object(Files.readString(file)).getAsJsonArray("moves");
        assertThat(moves).isNotEmpty();
        String region = moves.get(0).getAsJsonObject().get("region").getAsString();
        String from = moves.get(0).getAsJsonObject().get("from").getAsString();
        String to = moves.get(0).getAsJsonObject().get("to").getAsString();
        regionsAreExplained(cluster.admin().getRegions(HotServerLoad.TABLE).stream()
                .map(RegionInfo::getEncodedName)
                .toList());

        Path edited = Files.writeString(
                folder.resolve("edited.json"),
                Files.readString(file).replace("\"expiresAtMs\": 1", "\"expiresAtMs\": 9"));
        assertRefused(edited, "it was changed after it was written: its hash does not fit");
        move(cluster, region, to);
        assertRefused(file, "the cluster has moved on: ");
        move(cluster, region, from);

        Result applied = done("balancer", "apply", file.toString());
        assertThat(applied.out()).endsWith("Done: " + moves.size() + " of " + moves.size() + " moves are made\n");
        Map<String, String> after = serverByRegion(cluster);
        for (JsonElement move : moves) {
            assertThat(after)
                    .containsEntry(
                            move.getAsJsonObject().get("region").getAsString(),
                            move.getAsJsonObject().get("to").getAsString());
        }
        assertThat(manuallyPinned(cluster)).as("they are moves of Hearth's").isEmpty();
        assertRefused(file, "the cluster has moved on: ");
    }

    private void assertRefused(Path file, String why) {
        Result refused = hearth("balancer", "apply", file.toString());
        assertThat(refused.exitCode()).as(refused.toString()).isEqualTo(7);
        assertThat(refused.err()).startsWith("hearth balancer apply: " + file + " is not carried out: " + why);
        assertThat(refused.out()).isEmpty();
    }

    private static List<String> manuallyPinned(EmbeddedCluster cluster) {
        return MasterComponentRegistry.engine(cluster.master().getConfiguration())
                .orElseThrow()
                .tracker()
                .pinned(System.currentTimeMillis())
                .stream()
                .filter(pinned -> pinned.pin() == Pin.MOVED_MANUALLY)
                .map(PinnedRegion::region)
                .map(region -> region.encodedName())
                .toList();
    }

    private void plansAreAdviceUntilTheyAreNot(EmbeddedCluster cluster) {
        MoveTracker tracker = MasterComponentRegistry.engine(cluster.master().getConfiguration())
                .orElseThrow()
                .tracker();
        assertThat(done("balancer", "mode", "advise").out())
                .isEqualTo(
                        "Plans are advice from the next run on, and the stock balancer plans and acts alone; the next master"
                                + " knows nothing of it.\n");
        assertThat(tracker.adviseOnly()).isPresent();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(done("balancer", "mode").out()).startsWith("advise, because "));
        assertThat(RegisteredMetrics.gauge(BalancerMetrics.INFO, BalancerMetrics.ADVICE_ONLY))
                .isEqualTo(1);
        assertThat(done("balancer", "mode", "act", "--output", "json").out())
                .isEqualTo("{\"done\":\"Plans are carried out from the next run on.\"}\n");
        assertThat(tracker.adviseOnly()).isEmpty();
        assertThat(RegisteredMetrics.gauge(BalancerMetrics.INFO, BalancerMetrics.ADVICE_ONLY))
                .isZero();
    }

    /** Returns the server that it was: what is moved off it or onto it by the same user within half an hour belongs to that. */
    private ServerName whatHBasesRegionMoverTakesOffAndBringsBackIsNotPinned(EmbeddedCluster cluster) throws Exception {
        Map<String, String> before = serverByRegion(cluster);
        ServerName server = cluster.admin().getRegionServers().stream()
                .max(Comparator.comparingLong(each -> Collections.frequency(before.values(), each.getServerName())))
                .orElseThrow();
        try (RegionMover mover = new RegionMover.RegionMoverBuilder(
                        server.getHostname() + ":" + server.getPort(), cluster.configuration())
                .filename(folder.resolve("moved").toString())
                .build()) {
            assertThat(mover.unload()).isTrue();
            assertThat(cluster.admin().getRegions(server)).isEmpty();
            staysWithoutPins(cluster);
            assertThat(mover.load()).isTrue();
        }
        assertThat(Collections.frequency(serverByRegion(cluster).values(), server.getServerName()))
                .as("regions that were taken off and brought back")
                .isEqualTo(Collections.frequency(before.values(), server.getServerName()))
                .isGreaterThan(1);
        staysWithoutPins(cluster);
        return server;
    }

    /** For some periods of the HMaster's status, in which the tracker sees what the servers report. */
    private static void staysWithoutPins(EmbeddedCluster cluster) {
        await().during(Duration.ofSeconds(3)).atMost(PATIENCE).until(() -> manuallyPinned(cluster)
                .isEmpty());
    }

    private void aPinIsListedAndRemoved(EmbeddedCluster cluster, ServerName notThis) throws Exception {
        Map<String, String> serverByRegion = serverByRegion(cluster);
        String region = cluster.admin().getRegions(HotServerLoad.TABLE).stream()
                .map(RegionInfo::getEncodedName)
                .filter(name -> !notThis.getServerName().equals(serverByRegion.get(name)))
                .findFirst()
                .orElseThrow();
        String other = serverByRegion.values().stream()
                .filter(server -> !server.equals(serverByRegion.get(region)))
                .filter(server -> !server.equals(notThis.getServerName()))
                .findFirst()
                .orElseThrow();
        move(cluster, region, other);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(done("balancer", "pins").out())
                        .containsPattern(region + "  hot  .*it was moved here manually: from "));
        assertThat(manuallyPinned(cluster))
                .as("and nothing that a tool has moved")
                .hasSize(1);
        assertThat(done("balancer", "pins", "--output", "json").out()).contains("\"pin\":\"MOVED_MANUALLY\"");
        assertThat(done("balancer", "pins", "--output", "csv").out())
                .startsWith("region,table,server,sinceMs,untilMs,who,why,pin\n")
                .containsPattern("(?m)^" + region + ",hot,.*,MOVED_MANUALLY$");
        assertThat(done("balancer", "pins", "remove", region).out()).isEqualTo("The pin is removed.\n");
        Result again = hearth("balancer", "pins", "remove", region);
        assertThat(again.exitCode()).isEqualTo(2);
        assertThat(again.err())
                .isEqualTo("hearth balancer pins remove: The region " + region + " is not pinned by a manual move.\n");
    }

    @Test
    void withoutHearthInTheMaster() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.builder()
                        // A busy machine's client asks for little.
                        .property("hearth.balancer.min.requests.per.second", "1")
                        .shared();
                HotServerLoad hot = HotServerLoad.start(cluster, 12)) {
            CliProcess.writeConfig(cluster, folder);
            cluster.admin().balancerSwitch(false, true);
            cluster.admin().flush(HotServerLoad.TABLE);
            JsonObject page = object(
                    done("status", "--output", "json", "--observe-seconds", "4").out());
            assertThat(readSkew(page)).isGreaterThan(1.5);
            assertThat(page.getAsJsonObject("overview").get("blockBytes").getAsLong())
                    .isPositive();
            assertThat(done("status").out())
                    .startsWith("6 servers, ")
                    .contains(
                            "seen from outside; the master without Hearth is ",
                            "balancer     not Hearth's",
                            "healing      not in the master");
            assertThat(done("top", "--times", "2", "--every", "1").out()).contains("hot", "HOTTEST REGIONS");
            assertThat(aFleetHasARowForThisClusterAndForOneThatIsDead(false, 6)
                            .getAsJsonObject("locality")
                            .get("min")
                            .getAsDouble())
                    .as("its table was flushed")
                    .isBetween(0.0, 1.0);

            Path file = folder.resolve("plan.json");
            Result plan = done("balancer", "plan", "--observe-seconds", "6", "--out", file.toString());
            assertThat(plan.out()).contains("Planned here, from outside; nothing was moved.");
            int moves = object(Files.readString(file)).getAsJsonArray("moves").size();
            assertThat(moves).as(plan.out()).isPositive();
            assertThat(done("balancer", "apply", file.toString(), "--output", "json")
                            .out()
                            .lines())
                    .hasSize(moves + 1)
                    .last()
                    .asString()
                    .contains("\"exitCode\":0");
            assertThat(hot.hotRegionsByServer()).hasSizeGreaterThan(1);

            for (String command : List.of(
                    "healer pause",
                    "healer resume",
                    "balancer mode",
                    "balancer mode advise",
                    "balancer mode act",
                    "balancer pins",
                    "balancer pins remove abc")) {
                Result none = hearth(command.split(" "));
                assertThat(none.exitCode()).isEqualTo(6);
                assertThat(none.err())
                        .isEqualTo("hearth " + command.replaceFirst(" (advise|act|abc)$", "")
                                + ": Hearth's endpoint is not in the master: add"
                                + " io.hearth.admin.rpc.HearthAdminEndpoint to hbase.coprocessor.master.classes"
                                + " (docs/install.md)\n");
            }
            thePageIsServedHere();
            ctrlCEndsAnApplyWithTheWholeTruth(cluster);
        }
    }

    private void ctrlCEndsAnApplyWithTheWholeTruth(EmbeddedCluster cluster) throws Exception {
        Map<String, String> before = serverByRegion(cluster);
        Map<String, String> wanted = everyRegionToAnotherServer(cluster);
        Path file = folder.resolve("all.json");
        String moves = wanted.entrySet().stream()
                .map(move -> "{\"region\":\"%s\",\"table\":\"hot\",\"from\":\"%s\",\"to\":\"%s\"}"
                        .formatted(move.getKey(), before.get(move.getKey()), move.getValue()))
                .collect(Collectors.joining(","));
        try (ClusterClient client = ClusterClient.open(cluster.configuration())) {
            PlanClient.PlanResult made = new PlanClient.PlanResult(
                    org.apache.hbase.thirdparty.com.google.gson.JsonParser.parseString("[{\"moves\":[" + moves + "]}]")
                            .getAsJsonArray(),
                    false,
                    Optional.empty());
            PlanFiles.write(file, PlanFiles.json(new PlanClient(client).toSavedPlan(made), made));
        }
        String end;
        try (CliProcess apply = CliProcess.startOnATerminal(
                folder, "balancer", "apply", file.toString(), "--config", folder.toString())) {
            await().atMost(PATIENCE).until(() -> apply.output().contains("1/" + wanted.size()));
            apply.type("\u0003");
            assertThat(apply.exitCode()).as(apply.output()).isEqualTo(130);
            end = apply.output();
        }
        Matcher stopped = STOPPED.matcher(end);
        assertThat(stopped.find()).as(end).isTrue();
        int made = Integer.parseInt(stopped.group(1));
        int notBegun = Integer.parseInt(stopped.group(2));
        assertThat(made + notBegun).as(end).isEqualTo(wanted.size());
        assertThat(notBegun).as(end).isPositive();
        Map<String, String> after = serverByRegion(cluster);
        assertThat(wanted.keySet().stream().filter(region -> after.get(region).equals(wanted.get(region))))
                .as(end)
                .hasSize(made)
                .allSatisfy(region -> assertThat(end).contains(region + " of hot  "));
    }

    private static Map<String, String> everyRegionToAnotherServer(EmbeddedCluster cluster) throws Exception {
        List<String> servers = cluster.admin().getRegionServers().stream()
                .map(ServerName::getServerName)
                .sorted()
                .toList();
        Map<String, String> serverByRegion = serverByRegion(cluster);
        Map<String, String> wanted = new TreeMap<>();
        for (RegionInfo region : cluster.admin().getRegions(HotServerLoad.TABLE)) {
            int now = servers.indexOf(serverByRegion.get(region.getEncodedName()));
            wanted.put(region.getEncodedName(), servers.get((now + 1) % servers.size()));
        }
        return wanted;
    }

    private void thePageIsServedHere() throws Exception {
        try (CliProcess page = CliProcess.start(folder, "ui", "--port", "0", "--config", folder.toString())) {
            await().atMost(PATIENCE).until(() -> page.output().contains("  (Ctrl-C ends it)"));
            String address = page.output()
                    .lines()
                    .filter(line -> line.startsWith("http://"))
                    .findFirst()
                    .orElseThrow();
            URI uri = URI.create(address.substring(0, address.indexOf(' ')));
            URI withoutToken = uri.resolve(uri.getPath());
            assertThat(HttpClient.newHttpClient()
                            .send(HttpRequest.newBuilder(withoutToken).build(), HttpResponse.BodyHandlers.discarding())
                            .statusCode())
                    .as("asked by another one on this machine")
                    .isEqualTo(403);
            HttpClient client = HttpClient.newBuilder()
                    .cookieHandler(new CookieManager())
                    .followRedirects(HttpClient.Redirect.NORMAL)
                    .build();
            HttpResponse<String> document =
                    client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(document.body()).startsWith("<!DOCTYPE html>");
            assertThat(document.headers().firstValue("Content-Security-Policy").orElse(""))
                    .startsWith("default-src 'none'");
            HttpResponse<String> overview = client.send(
                    HttpRequest.newBuilder(uri.resolve("/hearth/api/overview")).build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(object(overview.body()).get("servers").getAsInt()).isEqualTo(6);
        }
    }
}
