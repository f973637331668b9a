// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildInfoTest {

    private static final Map<String, String> OF_A_BUILD = Map.of(
            "Implementation-Version", "0.1.0",
            "Hearth-Commit", "68269af9e0f1c2d3b4a5968778695a4b3c2d1e0f",
            "Hearth-Commit-Time", "2026-11-29T19:05:11Z",
            "Hearth-HBase", "2.6.4-hadoop3",
            "Hearth-Hadoop", "3.4.3",
            "Hearth-Java", "17");

    private static final BuildInfo BUILD = new BuildInfo(
            "0.1.0",
            "68269af9e0f1c2d3b4a5968778695a4b3c2d1e0f",
            Optional.of(Instant.parse("2026-11-29T19:05:11Z")),
            "2.6.4-hadoop3",
            "3.4.3",
            "17");

    @TempDir
    private Path folder;

    private static Manifest manifest(Map<String, String> entries) {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        entries.forEach((name, value) -> manifest.getMainAttributes().putValue(name, value));
        return manifest;
    }

    @Test
    void aManifestOfABuildHasAllOfIt() {
        assertThat(BuildInfo.of(manifest(OF_A_BUILD))).contains(BUILD);
    }

    @Test
    void aBuildWithoutGitSaysWhatItKnows() {
        assertThat(BuildInfo.of(manifest(Map.of("Hearth-Commit", "unknown", "Hearth-Commit-Time", "unknown"))))
                .contains(new BuildInfo("unknown", "unknown", Optional.empty(), "unknown", "unknown", "unknown"));
    }

    @Test
    void aJarOfOthersSaysNothing() {
        assertThat(BuildInfo.of(manifest(Map.of("Implementation-Version", "5.13.4"))))
                .isEmpty();
        assertThat(BuildInfo.of(Test.class)).isEmpty();
        assertThat(BuildInfo.of(String.class)).as("a class of the JDK").isEmpty();
    }

    @Test
    void aClassSaysWhatTheManifestOfItsJarSays() throws Exception {
        String file = BuildInfo.class.getName().replace('.', '/') + ".class";
        Path jar = folder.resolve("hearth, with a blank.jar");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out, manifest(OF_A_BUILD))) {
            entries.putNextEntry(new ZipEntry(file));
            entries.write(BuildInfo.class.getResourceAsStream("BuildInfo.class").readAllBytes());
        }
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
            assertThat(BuildInfo.of(loader.loadClass(BuildInfo.class.getName())))
                    .contains(BUILD);
        }
    }
}
