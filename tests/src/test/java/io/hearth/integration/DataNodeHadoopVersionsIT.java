// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.docs.HadoopRelease;
import io.hearth.docs.HearthScript;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The DataNodes' jar, as it is built, with other Hadoops than the one that it is built with: a JVM with that version's class path runs
 * the tests of the jar, which were compiled once.
 */
class DataNodeHadoopVersionsIT {

    private static final int TEST_MINUTES = 5;

    /** What the tests themselves are written with. */
    private static final Pattern TEST_LIBRARIES = Pattern.compile(
            ".*/(junit-|opentest4j-|hamcrest-|assertj-core-|byte-buddy-|awaitility-|mockito-core-)[^/]*");

    /** What that version logs goes where the test's own output does. */
    private static final String LOGGING =
            """
            log4j.rootLogger=WARN, OUT
            log4j.logger.io.hearth=INFO
            log4j.appender.OUT=org.apache.log4j.ConsoleAppender
            log4j.appender.OUT.layout=org.apache.log4j.PatternLayout
            log4j.appender.OUT.layout.ConversionPattern=%d{ISO8601} %p %c{1} [%t] %m%n
            """;

    @TempDir
    private Path folder;

    @ParameterizedTest(name = "Hadoop {0}")
    @ValueSource(strings = {"3.2.4", "3.3.6", "3.5.0"})
    @Tag("soak")
    void theReadCacheServesOnAnotherHadoop(String version) throws Exception {
        run(version, DataNodeReadCacheIT.class);
    }

    @ParameterizedTest(name = "Hadoop {0}")
    @ValueSource(strings = {"3.2.4", "3.3.6", "3.5.0"})
    @Tag("release-checks")
    void theDeletionDelayWorksOnAnotherHadoop(String version) throws Exception {
        run(version, DataNodeDeletionDelayIT.class);
    }

    private void run(String version, Class<?> tests) throws Exception {
        Path conf = Files.createDirectories(folder.resolve("conf"));
        Files.writeString(conf.resolve("log4j.properties"), LOGGING);
        String classPath = Stream.of(
                        conf.toString(),
                        testClasses().toString(),
                        jar().toString(),
                        testLibraries(),
                        HadoopRelease.classPath(version, folder))
                .collect(Collectors.joining(File.pathSeparator));
        Path output = Path.of("target", tests.getSimpleName() + "-hadoop-" + version + ".log");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx1g",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        classPath,
                        TestClassProcess.class.getName(),
                        version,
                        tests.getName())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(TEST_MINUTES, TimeUnit.MINUTES))
                    .as("it ended within %d minutes; %s", TEST_MINUTES, output.toAbsolutePath())
                    .isTrue();
            assertThat(process.exitValue())
                    .as("%s: %s", output.toAbsolutePath(), lastLines(output))
                    .isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    private static Path testClasses() throws Exception {
        return Path.of(DataNodeHadoopVersionsIT.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
    }

    private static Path jar() {
        return HearthScript.ROOT.resolve("datanode/target/hearth-datanode.jar");
    }

    private static String testLibraries() {
        List<String> found = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> TEST_LIBRARIES.matcher(entry).matches())
                .toList();
        assertThat(found).hasSizeGreaterThan(5);
        return String.join(File.pathSeparator, found);
    }

    private static String lastLines(Path output) throws IOException {
        List<String> lines = Files.readAllLines(output);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 60), lines.size()));
    }
}
