// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.hearth.checks.MavenRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** HDFS of another version than this project's: Hadoop's own dependencies at Hadoop's own versions, from Maven. */
public final class HadoopRelease {

    private static final int MAVEN_MINUTES = 5;

    private HadoopRelease() {}

    /**
     * The jars of that version and of what it asks for; the test is given up with one line where Maven can't have them.
     *
     * @param folder where Maven may write
     */
    public static String classPath(String version, Path folder) throws IOException, InterruptedException {
        Path classPath = folder.resolve("class-path");
        try {
            MavenRun.run(
                    "hadoop-release-" + version,
                    MAVEN_MINUTES,
                    "-q",
                    "-f",
                    "tests/src/test/hadoop-release/pom.xml",
                    "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath",
                    "-Dhadoop.version=" + version,
                    "-Dmdep.outputFile=" + classPath);
        } catch (AssertionError failure) {
            assumeFalse(
                    failure.getMessage().contains("Could not resolve dependencies"),
                    "Not run with Hadoop " + version + ": Maven can't get its jars");
            throw failure;
        }
        return Files.readString(classPath).strip();
    }

    /** Lays out a folder with a {@code hadoop} command that names that class path, as the command of an unpacked release does. */
    static void layOut(Path home, String version) throws IOException, InterruptedException {
        Path command = Files.createDirectories(home.resolve("bin")).resolve("hadoop");
        Files.writeString(command, "#!/bin/sh\n[ \"$*\" = classpath ] && echo '" + classPath(version, home) + "'\n");
        assertThat(command.toFile().setExecutable(true)).isTrue();
    }
}
