// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One host of a cluster of processes lacks a jar that the regions of a table need to open: they are served elsewhere at their second try,
 * and while that is remembered the host is given no regions.
 */
@Tag("soak")
class MissingClassIT {

    private static final int REGIONS = 12;
    private static final String LACKING = "host3";
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** What the RegionServer logs of a region that does not open, with the region's whole name. */
    private static final Pattern FAILED = Pattern.compile("Failed to open region (\\S+), will report to master");

    @TempDir
    private Path temp;

    private @Nullable AdminClientProcess client;

    /** What is in the jar; nothing of it is on any other class path of the servers. */
    public static final class OnTwoHosts extends DisabledRegionSplitPolicy {}

    @AfterEach
    void stop() throws Exception {
        if (client != null) {
            client.close();
        }
        run("cluster", "stop");
    }

    private HearthScript.Result run(String... arguments) throws Exception {
        return HearthScript.run(temp, Map.of("TMPDIR", temp.toString()), 5, arguments);
    }

    @Test
    void regionsOpenElsewhereAtTheSecondTryAndTheHostIsNoTargetAfterThree() throws Exception {
        Path jar = jar();
        HearthScript.Result start = run(
                "cluster",
                "start",
                "--hosts",
                "3",
                "--jar",
                "master1=" + jar,
                "--jar",
                "host1=" + jar,
                "--jar",
                "host2=" + jar);
        assertThat(start.exitCode()).as(start.output()).isZero();
        // Before its first look at the cluster the balancer places as stock does.
        await("a run of the balancer").atMost(PATIENCE).until(() -> log("master1")
                .anyMatch(line -> line.matches(".*StochasticLoadBalancer: .*balanc.*")));

        client("create", "lacking", "" + REGIONS, OnTwoHosts.class.getName());

        Map<String, Integer> tries = triesOnTheHostWithoutTheJar();
        System.out.println("Tried on the host without the jar: " + tries);
        assertThat(tries).as("regions that were sent there").hasSizeGreaterThanOrEqualTo(3);
        assertThat(tries.values()).as("no region was sent there again").allMatch(count -> count == 1);
        assertThat(hosts("lacking")).hasSize(REGIONS).doesNotContain(LACKING);
        assertThat(log("master1"))
                .anyMatch(line -> line.contains(LACKING + ",") && line.contains("regions did not open there"));

        // Its class is HBase's own: they would open there.
        client("create", "sound", "" + REGIONS, DisabledRegionSplitPolicy.class.getName());

        assertThat(hosts("sound")).hasSize(REGIONS).doesNotContain(LACKING);
    }

    private Map<String, Integer> triesOnTheHostWithoutTheJar() throws IOException {
        Map<String, Integer> tries = new HashMap<>();
        try (Stream<String> lines = log("regionserver3")) {
            lines.map(FAILED::matcher)
                    .filter(Matcher::find)
                    .forEach(line -> tries.merge(line.group(1), 1, Integer::sum));
        }
        return tries;
    }

    private List<String> hosts(String table) throws Exception {
        return client("regions").stream()
                .map(line -> line.split(" "))
                .filter(words -> words[0].equals(table))
                .map(words -> words[2])
                .toList();
    }

    private List<String> client(String... words) throws Exception {
        if (client == null) {
            client = AdminClientProcess.start(temp, folder().resolve("conf"), "");
        }
        return client.ask(words);
    }

    private Path folder() {
        return temp.resolve("hearth-cluster-" + System.getProperty("user.name"));
    }

    private Stream<String> log(String daemon) throws IOException {
        return Files.readAllLines(folder().resolve("logs/" + daemon + ".log")).stream();
    }

    private Path jar() throws IOException {
        String entry = OnTwoHosts.class.getName().replace('.', '/') + ".class";
        Path jar = temp.resolve("on-two-hosts.jar");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file)) {
            out.putNextEntry(new JarEntry(entry));
            out.write(
                    OnTwoHosts.class.getClassLoader().getResourceAsStream(entry).readAllBytes());
            out.closeEntry();
        }
        return jar;
    }
}
