// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.testkit.process.JmxClient;
import io.hearth.testkit.process.layout.Daemon.DaemonRole;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * HBase of another version, in processes, with the jars as they are built for 2.6.4 and the properties of docs/install.md: the HMaster
 * starts, assigns, balances as stock does and stops, and one line for each part of Hearth that rests says what is missing. 2.5.13 lacks
 * nothing, and Hearth advises there.
 */
@Tag("release-checks")
class ForeignMasterIT {

    private static final String MASTER = "master1";
    private static final String TABLE = "t";
    private static final int REGIONS = 12;
    private static final int HOSTS = 3;
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String VIEW = "Hadoop:service=HBase,name=Master,sub=HearthBalancerView";

    @TempDir
    private Path temp;

    private ScriptedCluster script;
    private @Nullable AdminClientProcess client;

    @AfterEach
    void stop() throws Exception {
        if (client != null) {
            client.close();
        }
        script.run("cluster", "stop");
    }

    /** @param missing what the balancer misses, in the words of its one line; empty where it misses nothing */
    @ParameterizedTest
    @CsvSource({"3.0.0-alpha-4, RegionLocationFinder", "2.5.13-hadoop3, ''"})
    void stockBalancesAndWhatOfHearthMissesSomethingRests(String version, String missing) throws Exception {
        script = new ScriptedCluster(temp);
        start(version);

        client("create", TABLE, "" + REGIONS, DisabledRegionSplitPolicy.class.getName());
        assertThat(regionsByHost().values().stream().mapToLong(Long::longValue).sum())
                .as("every region is assigned")
                .isEqualTo(REGIONS);
        stockBalances();
        theWebUiIsServed();
        whatRestsSaysSoOnce(version, missing, 1);
        if (missing.isEmpty()) {
            assertThat(modeOfTheBalancer()).isEqualTo("advise: hearth.balancer.mode is advise");
        }

        // By kill -TERM.
        script.done("cluster", "restart", "MASTER", "--gracefully");
        stockBalances();
        whatRestsSaysSoOnce(version, missing, 2);
    }

    private String modeOfTheBalancer() throws Exception {
        return new JmxClient()
                .bean(script.address(MASTER), DaemonRole.MASTER.watchedPort(), VIEW)
                .orElseThrow()
                .get("Mode")
                .getAsString();
    }

    private void start(String version) throws Exception {
        Path home = temp.resolve("hbase");
        HBaseRelease.layOut(home, version);
        script.done(
                "cluster",
                "start",
                "--hosts",
                "" + HOSTS,
                "--hbase",
                home.toString(),
                "--set",
                "hearth.balancer.mode=advise",
                "--set",
                "hearth.heal.mode=advise");
    }

    /** From one host on all. */
    private void stockBalances() throws Exception {
        client("balance_switch", "false");
        for (String line : client("regions")) {
            String[] words = line.split(" ");
            if (words[0].equals(TABLE) && !words[2].equals("host1")) {
                client("move", words[1], "host1");
            }
        }
        assertThat(regionsByHost()).containsExactly(Map.entry("host1", (long) REGIONS));
        client("balance_switch", "true");
        await("the regions are spread")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofSeconds(3))
                .untilAsserted(() -> {
                    assertThat(client("balance")).containsExactly("true");
                    assertThat(regionsByHost().values()).hasSize(HOSTS).allMatch(count -> count > 1);
                });
    }

    /** Also after Hearth's page was asked for, whatever comes of that. */
    private void theWebUiIsServed() throws Exception {
        System.out.println("Hearth's page: " + get("/hearth").statusCode());
        HttpResponse<String> page = get("/master-status");
        assertThat(page.statusCode()).as(page.body()).isEqualTo(HttpURLConnection.HTTP_OK);
    }

    private HttpResponse<String> get(String path) throws Exception {
        URI page = URI.create("http://" + script.address(MASTER) + ":" + DaemonRole.MASTER.watchedPort() + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString());
    }

    /** @param lives how often the master was started */
    private void whatRestsSaysSoOnce(String version, String missing, int lives) throws Exception {
        List<String> log =
                Files.readAllLines(script.folder().resolve("logs/" + MASTER + ".log"), StandardCharsets.ISO_8859_1);
        List<String> rests = log.stream()
                .filter(line -> line.contains("Hearth was built for "))
                .toList();
        rests.forEach(System.out::println);
        assertThat(rests.isEmpty()).as("nothing rests").isEqualTo(missing.isEmpty());
        assertThat(rests)
                .allMatch(line ->
                        line.contains("Hearth was built for HBase 2.6.4-hadoop3 and Hadoop 3.4.3, and this is HBase "
                                + version + " and Hadoop 3."));
        List<String> ofTheBalancer = rests.stream()
                .filter(line -> line.contains("Hearth's balancer rests until the HMaster is started again"))
                .toList();
        assertThat(ofTheBalancer).hasSize(missing.isEmpty() ? 0 : lives).allMatch(line -> line.contains(missing));
        assertThat(HearthLogLines.ofThisBuild().errors(log.stream()))
                .as("errors that are not explained so")
                .allMatch(rests::contains);
        assertThat(rests.stream().collect(Collectors.groupingBy(ForeignMasterIT::part, Collectors.counting())))
                .as("lines for each part")
                .allSatisfy((part, count) -> assertThat(count).isLessThanOrEqualTo((long) lives));
    }

    /** What a line says rests, without why. */
    private static String part(String line) {
        return line.replaceFirst("^.*?] ", "").replaceFirst("(: | )\\w+(Error|Exception): .*", "");
    }

    private Map<String, Long> regionsByHost() throws Exception {
        return client("regions").stream()
                .map(line -> line.split(" "))
                .filter(words -> words[0].equals(TABLE))
                .map(words -> words[2])
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    }

    private List<String> client(String... words) throws Exception {
        if (client == null) {
            client = AdminClientProcess.start(temp, script.conf(), "");
        }
        return client.ask(words);
    }
}
