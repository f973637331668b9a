// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.docs.HearthScript;
import io.hearth.testkit.process.system.SystemCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Everything that a release publishes is built once more, from the same sources in another folder and time zone: its bytes are the same. */
@Tag("release-checks")
class ReproducibleBuildIT {

    private static final int BUILD_MINUTES = 30;

    @TempDir
    private Path copy;

    @Test
    void anotherBuildGivesTheSameBytes() throws Exception {
        copySources();
        Attributes built = manifest();
        MavenRun.runIn(
                copy,
                Map.of("TZ", "Pacific/Auckland"),
                "reproducible-build",
                BUILD_MINUTES,
                "package",
                "-Prelease",
                "-DskipTests",
                "-Dhearth.commit=" + built.getValue("Hearth-Commit"),
                "-Dhearth.commit.time=" + built.getValue("Hearth-Commit-Time"),
                "-Dspotless.check.skip",
                "-Derror-prone.also=-XepDisableAllChecks");

        List<String> first = sums(HearthScript.ROOT);
        System.out.println("SHA-512 of what this build publishes: " + first);
        assertThat(first)
                .as("the tarball, its bill of materials, the BOM, four jars")
                .hasSize(7);
        assertThat(sums(copy))
                .as(
                        "SHA-512 of a build in another folder; a class that was deleted since the last mvn clean differs too")
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

    /** The copy has no Git: what this build was built from is told to it. */
    private static Attributes manifest() throws Exception {
        try (JarFile jar = new JarFile(
                HearthScript.ROOT.resolve("cli/target/hearth-cli.jar").toFile())) {
            return jar.getManifest().getMainAttributes();
        }
    }

    private static List<String> sums(Path root) throws Exception {
        return Files.readAllLines(root.resolve("dist/target/release/SHA512SUMS"));
    }
}
