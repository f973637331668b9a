// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.docs.HearthScript;
import io.hearth.testkit.process.system.SystemCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jars that are deployed are built once more, from the same sources in another folder and time zone: their bytes are the same. */
@Tag("release-checks")
class ReproducibleBuildIT {

    private static final List<String> DEPLOYED = List.of("balancer", "coprocessor", "datanode", "cli");
    private static final int BUILD_MINUTES = 30;

    @TempDir
    private Path copy;

    @Test
    void anotherBuildGivesTheSameBytes() throws Exception {
        copySources();
        MavenRun.runIn(
                copy,
                Map.of("TZ", "Pacific/Auckland"),
                "reproducible-build",
                BUILD_MINUTES,
                "package",
                "-DskipTests",
                "-Dspotless.check.skip",
                "-Derror-prone.also=-XepDisableAllChecks",
                "-pl",
                String.join(",", DEPLOYED),
                "-am");

        Map<String, String> first = sums(HearthScript.ROOT);
        System.out.println("SHA-256 of the jars of this build: " + first);
        assertThat(sums(copy))
                .as(
                        "SHA-256 of a build in another folder; a class that was deleted since the last mvn clean differs too")
                .isEqualTo(first);
    }

    /** What is under version control or could be: everything but what is built. */
    private void copySources() throws Exception {
        String listed = SystemCommand.run(
                "git",
                "-C",
                HearthScript.ROOT.toString(),
                "ls-files",
                "--cached",
                "--others",
                "--exclude-standard",
                "-z");
        for (String name : listed.split("\0")) {
            Path file = HearthScript.ROOT.resolve(name);
            if (Files.isRegularFile(file)) {
                Path target = copy.resolve(name);
                Files.createDirectories(target.getParent());
                Files.copy(file, target);
            }
        }
    }

    private static Map<String, String> sums(Path root) throws Exception {
        Map<String, String> sums = new TreeMap<>();
        for (String module : DEPLOYED) {
            sums.put(module, sum(root.resolve(module).resolve("target/hearth-" + module + ".jar")));
        }
        return sums;
    }

    private static String sum(Path jar) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar)));
    }
}
