// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hearth.testkit.process.layout.Daemon.DaemonRole;
import io.hearth.testkit.process.system.SystemCommand;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@code mvn -Prelease package} makes: it is unpacked, and its commands run where there is no source. Broken, one after the other: the
 * balancer's jar has no classes of common, the command line's no picocli, MasterHealer uses SnakeYAML, which HBase has not (each is named
 * as missing), the coprocessor's jar has no regions.js (the page is not served), conf/master names a class that is not there (the HMaster
 * ends), bin/hearth asks HBase for the class path of clients (status finds no class), the tarball has no jar for DataNodes.
 */
@Tag("soak")
@Tag("large")
class DistributionIT {

    @TempDir
    private Path temp;

    private Path tarball;
    private Path unpacked;

    @BeforeEach
    void unpack() throws Exception {
        Path folder = HearthScript.ROOT.resolve("dist/target/release");
        List<Path> found = files(folder, "-bin.tar.gz");
        assertThat(found)
                .as("the tarball that mvn verify -Psoak makes before this test runs")
                .hasSize(1);
        tarball = found.get(0);
        SystemCommand.run("tar", "-xzf", tarball.toString(), "-C", temp.toString());
        unpacked = temp.resolve(tarball.getFileName().toString().replace("-bin.tar.gz", ""));
    }

    private static List<Path> files(Path folder, String ending) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(ending)).toList();
        }
    }

    private HearthScript.Result run(Map<String, String> environment, String... arguments) throws Exception {
        return HearthScript.runFrom(unpacked, temp, environment, 4, arguments);
    }

    @Test
    void itHoldsWhatWasBuiltAndSaysWhatThatIs() throws Exception {
        Path published = tarball.getParent();
        assertThat(SystemCommand.run(
                        "bash",
                        "-c",
                        "cd '" + published + "' && sha512sum --check --strict --quiet SHA512SUMS && LC_ALL=C ls"))
                .as("what is published beside its sums: nothing is unsigned where a key is named, and here none is")
                .isEqualTo(Stream.of(
                                "SHA512SUMS",
                                "hearth-VERSION-bin.tar.gz",
                                "hearth-VERSION-sbom.json",
                                "hearth-balancer-VERSION.jar",
                                "hearth-bom-VERSION.pom",
                                "hearth-cli-VERSION.jar",
                                "hearth-coprocessor-VERSION.jar",
                                "hearth-datanode-VERSION.jar")
                        .map(name -> name.replace("VERSION", version()) + "\n")
                        .sorted()
                        .collect(Collectors.joining()));
        assertThat(Files.readAllLines(published.resolve("SHA512SUMS"))).hasSize(7);

        JsonElement bill = JsonParser.parseString(
                Files.readString(files(unpacked, "-sbom.json").get(0)));
        assertThat(bill.getAsJsonObject().getAsJsonArray("components").asList().stream()
                        .map(component ->
                                component.getAsJsonObject().get("name").getAsString()))
                .containsExactlyInAnyOrder(
                        "hearth-balancer",
                        "hearth-coprocessor",
                        "hearth-datanode",
                        "hearth-cli",
                        "picocli",
                        "HdrHistogram");

        assertThat(unpacked.resolve("lib/hearth-balancer.jar"))
                .hasSameBinaryContentAs(HearthScript.ROOT.resolve("balancer/target/hearth-balancer.jar"));
        assertThat(unpacked.resolve("lib/hearth-coprocessor.jar"))
                .hasSameBinaryContentAs(HearthScript.ROOT.resolve("coprocessor/target/hearth-coprocessor.jar"));
        assertThat(unpacked.resolve("lib/datanode/hearth-datanode.jar"))
                .hasSameBinaryContentAs(HearthScript.ROOT.resolve("datanode/target/hearth-datanode.jar"));
        assertThat(unpacked.resolve("lib/cli/hearth-cli.jar"))
                .hasSameBinaryContentAs(HearthScript.ROOT.resolve("cli/target/hearth-cli.jar"));
        for (String file : List.of(
                "LICENSE",
                "NOTICE",
                "README.md",
                "SECURITY.md",
                "docs/install.md",
                "conf/presets/large.xml",
                "conf/grafana/hearth-dashboard.json",
                "conf/grafana/hearth-slo-dashboard.json",
                "conf/prometheus/hearth-alerts.yml",
                "conf/prometheus/scrape.yml")) {
            assertThat(unpacked.resolve(file)).hasSameTextualContentAs(HearthScript.ROOT.resolve(file));
        }
    }

    /** The links of the HTML are walked where it is made; here they lead into the tarball. */
    @Test
    void itsDocumentsAreHtmlTooAndTheirLinksLeadIntoTheTarball() throws IOException {
        List<String> dangling = new ArrayList<>();
        int pages = 0;
        try (Stream<Path> files = Files.walk(unpacked)) {
            for (Path page :
                    files.filter(file -> file.toString().endsWith(".html")).toList()) {
                pages++;
                Pattern.compile("(?:href|src)=\"([^\"#]+)")
                        .matcher(Files.readString(page))
                        .results()
                        .map(link -> link.group(1))
                        .filter(target -> !target.contains("://")
                                && !Files.isRegularFile(
                                        page.resolveSibling(target).normalize()))
                        .forEach(target -> dangling.add(unpacked.relativize(page) + " -> " + target));
            }
        }

        assertThat(dangling).isEmpty();
        assertThat(pages).isGreaterThan(60);
        assertThat(unpacked.resolve("docs/install.html")).content().contains("<title>Install</title>");
    }

    /** In an empty folder, without HBase, without a configuration. */
    @Test
    void unpackedItSaysWhatItIs() throws Exception {
        Map<String, String> alone = Map.of("PATH", toolsWithoutHBase(), "HBASE_HOME", "", "HBASE_CONF_DIR", "");

        HearthScript.Result version = run(alone, "version");
        assertThat(version.exitCode()).as(version.output()).isZero();
        assertThat(version.output())
                .matches(
                        "hearth " + Pattern.quote(version())
                                + "\ncommit     ([0-9a-f]{40}(-dirty)?, made .*Z|unknown)\n"
                                + "built for  HBase .*, Hadoop .*, Java 17 or later\nfound      HBase none, Hadoop none, Java .*\n");
        JsonObject json = JsonParser.parseString(
                        run(alone, "version", "--output", "json").output())
                .getAsJsonObject();
        assertThat(json.get("version").getAsString()).isEqualTo(version());
        assertThat(json.getAsJsonObject("builtFor").keySet()).containsExactly("hbase", "hadoop", "java");
        assertThat(run(alone, "version", "--config", "/etc").output())
                .endsWith("\ncluster    HBase is not on the class path; set HBASE_HOME, or put the hbase command on the"
                        + " PATH\n");
        assertThat(run(alone, "--help").output()).startsWith("Usage: bin/hearth <command>\n");
        assertThat(run(alone, "status").output())
                .isEqualTo(
                        "hearth: hbase is missing: its class path is needed. Set HBASE_HOME, or put the hbase command"
                                + " on the PATH\n");
    }

    private static String toolsWithoutHBase() {
        return ProcessHandle.current()
                        .info()
                        .command()
                        .map(java -> Path.of(java).getParent() + ":")
                        .orElse("") + "/usr/bin:/bin";
    }

    @Test
    void itsJarsAndCommandsWorkWithTheLibFolderOfHBasesRelease() throws Exception {
        HearthScript.Result demo = run(Map.of(), "demo");
        assertThat(demo.exitCode()).isEqualTo(2);
        assertThat(demo.output())
                .isEqualTo("hearth: this command needs the source of Hearth, and " + unpacked.toRealPath()
                        + " has only what is installed\n");

        // As docs/install.md has it: the jars go into the lib folder of HBase.
        Path hbase = temp.resolve("hbase");
        HBaseRelease.layOut(hbase);
        for (String jar : new String[] {"hearth-balancer.jar", "hearth-coprocessor.jar"}) {
            Files.copy(
                    unpacked.resolve("lib").resolve(jar), hbase.resolve("lib").resolve(jar));
        }
        Path lib = hbase.resolve("lib");
        assertThat(missing(lib, "hearth-balancer.jar", "hearth-coprocessor.jar"))
                .as("what classes of the HMaster's jars name, and no jar there has")
                .isEmpty();
        assertThat(missing(lib, "cli/hearth-cli.jar"))
                .as("what classes of the command line name, and no jar there has")
                .isEmpty();
        Map<String, String> place = Map.of("TMPDIR", temp.toString());
        try {
            HearthScript.Result start = HearthScript.run(
                    temp,
                    place,
                    6,
                    "cluster",
                    "start",
                    "--hosts",
                    "3",
                    "--hbase",
                    hbase.toString(),
                    "--set",
                    "dfs.replication=2");
            assertThat(start.exitCode()).as(start.output()).isZero();
            Path cluster = temp.resolve("hearth-cluster-" + System.getProperty("user.name"));
            assertThat(files(cluster.resolve("lib"), ".jar"))
                    .as("Hearth comes from the lib folder of HBase alone")
                    .isEmpty();
            Map<String, String> environment = Map.of(
                    "HBASE_HOME",
                    hbase.toString(),
                    "HEARTH_OPTS",
                    "-Xmx1g -Djdk.net.hosts.file=" + cluster.resolve("conf/hosts"));

            HearthScript.Result status = run(
                    environment, "status", "--config", cluster.resolve("conf").toString());
            assertThat(status.exitCode()).as(status.output()).isZero();
            assertThat(status.output()).contains("3 servers");
            assertThat(run(
                                    environment,
                                    "version",
                                    "--config",
                                    cluster.resolve("conf").toString())
                            .output()
                            // What log4j says of a folder without its settings.
                            .replaceAll("(?m)^log4j:WARN .*\n", ""))
                    .startsWith("hearth " + version() + "\n")
                    .containsPattern("\ncluster    HBase \\S+, Hearth " + Pattern.quote(version())
                            + " \\(\\S+\\) in the HMaster\n");
            thePageIsServed(cluster);
            HearthScript.Result heal = run(
                    environment,
                    "healer",
                    "run",
                    "--dry-run",
                    "--config",
                    cluster.resolve("conf").toString());
            assertThat(heal.exitCode()).as(heal.output()).isZero();

            // Regions that are moved manually get their blocks moved to them, and heat is evened, by an HMaster of that
            // class path.
            HearthScript.Result chaos = HearthScript.run(temp, place, 8, "chaos", "--fault", "none", "--seed", "1");
            assertThat(chaos.exitCode()).as(chaos.output()).isZero();
            assertThat(chaos.output()).contains("Everything was as it must be after every fault.");
        } finally {
            HearthScript.run(temp, place, 4, "cluster", "stop");
        }
    }

    /** By the JDK's look at every class, since a cluster needs many of them seldom. The annotations of JSpecify are loaded by nobody. */
    private List<String> missing(Path lib, String... jars) throws IOException {
        List<Path> classPath = new ArrayList<>(files(lib, ".jar"));
        classPath.addAll(files(lib.resolve("client-facing-thirdparty"), ".jar"));
        List<String> arguments =
                new ArrayList<>(List.of("--multi-release", "base", "-filter:none", "--missing-deps", "--class-path"));
        arguments.add(classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
        for (String jar : jars) {
            arguments.add(unpacked.resolve("lib").resolve(jar).toString());
        }
        StringWriter output = new StringWriter();
        PrintWriter out = new PrintWriter(output);
        int exitCode = ToolProvider.findFirst("jdeps").orElseThrow().run(out, out, arguments.toArray(String[]::new));
        assertThat(exitCode).as("jdeps: %s", output).isZero();
        return output.toString()
                .lines()
                .filter(line -> line.startsWith(" ") && !line.contains(" -> org.jspecify.annotations."))
                .toList();
    }

    /** With all files that it is made of: where one is missing it is not made. */
    private static void thePageIsServed(Path cluster) throws Exception {
        String master = Files.readAllLines(cluster.resolve("conf/hosts")).stream()
                .filter(line -> line.endsWith(" master1"))
                .map(line -> line.split(" ")[0])
                .findFirst()
                .orElseThrow();
        URI page = URI.create("http://" + master + ":" + DaemonRole.MASTER.watchedPort() + "/hearth");
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        assertThat(response.body()).contains("<!DOCTYPE html>", "</html>");
    }

    private String version() {
        return unpacked.getFileName().toString().replace("hearth-", "");
    }
}
