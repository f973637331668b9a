package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import io.hearth.procs.system.Tool;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code mvn -Pdist package} makes: it is unpacked, and its commands run where there is no source. */
@Tag("soak")
class DistributionIT {

    @TempDir
    private Path temp;

    private Path tarball;
    private Path unpacked;

    @BeforeEach
    void unpack() throws Exception {
        Path folder = FrontDoor.ROOT.resolve("dist/target");
        List<Path> found = files(folder, "-bin.tar.gz");
        assertThat(found)
                .as("the tarball that mvn verify -Psoak makes before this test runs")
                .hasSize(1);
        tarball = found.get(0);
        Tool.run("tar", "-xzf", tarball.toString(), "-C", temp.toString());
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

    private FrontDoor.Result run(Map<String, String> environment, String... arguments) throws Exception {
        return FrontDoor.runFrom(unpacked, temp, environment, 4, arguments);
    }

    @Test
    void itHoldsWhatWasBuiltAndSaysWhatThatIs() throws Exception {
        String sum = Files.readString(Path.of(tarball + ".sha512"));
        assertThat(Tool.run("sha512sum", tarball.toString()).split(" ", 2)[0]).isEqualTo(sum.split(" ", 2)[0]);
        assertThat(sum).contains(tarball.getFileName().toString());

        JsonElement bill = JsonParser.parseString(
                Files.readString(files(unpacked, "-sbom.json").get(0)));
        assertThat(bill.getAsJsonObject().getAsJsonArray("components").asList().stream()
                        .map(component ->
                                component.getAsJsonObject().get("name").getAsString()))
                .containsExactlyInAnyOrder("hearth-balancer", "hearth-coprocessor", "hearth-datanode", "picocli");

        assertThat(unpacked.resolve("lib/hearth-balancer.jar"))
                .hasSameBinaryContentAs(FrontDoor.ROOT.resolve("balancer/target/hearth-balancer.jar"));
        assertThat(unpacked.resolve("lib/hearth-coprocessor.jar"))
                .hasSameBinaryContentAs(FrontDoor.ROOT.resolve("coprocessor/target/hearth-coprocessor.jar"));
        for (String file : List.of(
                "LICENSE",
                "NOTICE",
                "README.md",
                "docs/install.md",
                "conf/presets/large.xml",
                "conf/grafana/hearth-dashboard.json",
                "conf/prometheus/hearth-alerts.yml",
                "conf/prometheus/scrape.yml")) {
            assertThat(unpacked.resolve(file)).hasSameTextualContentAs(FrontDoor.ROOT.resolve(file));
        }
    }

    @Test
    void itsCommandsRunOnAClusterWithTheClassPathOfTheHbaseCommand() throws Exception {
        assertThat(run(Map.of(), "version").output()).isEqualTo("hearth " + version() + "\n");
        FrontDoor.Result demo = run(Map.of(), "demo");
        assertThat(demo.exitCode()).isEqualTo(2);
        assertThat(demo.output())
                .isEqualTo("hearth: this command needs the source of Hearth, and " + unpacked.toRealPath()
                        + " has only what is installed\n");

        Map<String, String> place = Map.of("TMPDIR", temp.toString());
        try {
            FrontDoor.Result start = FrontDoor.run(temp, place, 6, "cluster", "start", "--hosts", "3");
            assertThat(start.exitCode()).as(start.output()).isZero();
            Path cluster = temp.resolve("hearth-cluster-" + System.getProperty("user.name"));
            Map<String, String> environment = Map.of(
                    "HBASE_HOME",
                    hbase().toString(),
                    "HEARTH_OPTS",
                    "-Xmx1g -Djdk.net.hosts.file=" + cluster.resolve("conf/hosts"));

            FrontDoor.Result status = run(
                    environment, "status", "--config", cluster.resolve("conf").toString());
            assertThat(status.exitCode()).as(status.output()).isZero();
            assertThat(status.output()).contains("3 servers");
            FrontDoor.Result heal = run(
                    environment,
                    "heal",
                    "--dry-run",
                    "--config",
                    cluster.resolve("conf").toString());
            assertThat(heal.exitCode()).as(heal.output()).isZero();
        } finally {
            FrontDoor.run(temp, place, 4, "cluster", "stop");
        }
    }

    private String version() {
        return unpacked.getFileName().toString().replace("hearth-", "");
    }

    /** A folder with an {@code hbase} command that says the class path of this JVM, without Hearth. */
    private Path hbase() throws IOException {
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("hearth") && entry.endsWith(".jar"))
                .collect(Collectors.joining(File.pathSeparator));
        Path command = Files.createDirectories(temp.resolve("hbase/bin")).resolve("hbase");
        Files.writeString(command, "#!/bin/sh\n[ \"$1\" = classpath ] && echo '" + classPath + "'\n");
        assertThat(command.toFile().setExecutable(true)).isTrue();
        return temp.resolve("hbase");
    }
}
