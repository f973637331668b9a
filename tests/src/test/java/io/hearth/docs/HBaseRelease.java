// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.checks.MavenRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.util.VersionInfo;

/**
 * A release of HBase as its tarball unpacks, as far as Maven has what is in it: the {@code lib} folder with each jar where the release has
 * it, by HBase's own list of dependencies, and an {@code hbase} command that names class paths as HBase's does. The tarball itself can't be
 * had from Maven, nor can hbase-shell, -rest, -thrift, -mapreduce, -rsgroup and -endpoint of 2.6.4: they are missing here, and so are the
 * shaded clients.
 */
final class HBaseRelease {

    /** What the release keeps apart, because its shaded clients need it too. */
    private static final Pattern CLIENT_FACING =
            Pattern.compile("(commons-logging|reload4j|audience-annotations|slf4j-\\w+|opentelemetry-\\w+)-[0-9].*");

    /** By itself {@code hbase classpath} is for clients and names the shaded one, of which the servers' classes are no part. */
    private static final String COMMAND =
            """
            #!/usr/bin/env bash
            home=$(cd "$(dirname "$0")/.." && pwd)
            case "$*" in
              classpath) jars=("$home"/lib/shaded-clients/hbase-shaded-client.jar) ;;
              "--internal-classpath classpath") jars=("$home"/lib/*.jar) ;;
              *) exit 1 ;;
            esac
            jars+=("$home"/lib/client-facing-thirdparty/*.jar)
            IFS=:
            echo "$home/conf:$home:${jars[*]}"
            """;

    private HBaseRelease() {}

    /** Lays it out there, of the version that is on this JVM's class path. */
    static void layOut(Path home) throws IOException, InterruptedException {
        layOut(home, VersionInfo.getVersion());
    }

    /**
     * The same of another version.
     *
     * @param version as Maven has it, such as {@code 3.0.0-alpha-4}
     */
    static void layOut(Path home, String version) throws IOException, InterruptedException {
        Path lib = copyDependencies(home, version);
        sort(lib);
        if (webPages(lib.resolve("hbase-server-" + version + ".jar")).isEmpty()) {
            // Before HBase 3 they are in no other artifact than the tests.
            unpackWebPages(home, copyTests(home, version));
        }
        writeCommand(home);
    }

    private static Path copyTests(Path home, String version) throws IOException, InterruptedException {
        Path folder = home.resolve("tests");
        MavenRun.run(
                "hbase-tests",
                5,
                "-q",
                "-N",
                "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy",
                "-Dartifact=org.apache.hbase:hbase-server:" + version + ":jar:tests",
                "-DoutputDirectory=" + folder);
        return jars(folder).get(0);
    }

    private static Path copyDependencies(Path home, String version) throws IOException, InterruptedException {
        Path lib = Files.createDirectories(home.resolve("lib"));
        MavenRun.run(
                "hbase-release",
                5,
                "-q",
                "-f",
                "tests/src/test/hbase-release/pom.xml",
                "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies",
                "-Dhbase.version=" + version,
                "-DincludeScope=runtime",
                "-DoutputDirectory=" + lib);
        return lib;
    }

    private static void sort(Path lib) throws IOException {
        Path clientFacing = Files.createDirectories(lib.resolve("client-facing-thirdparty"));
        for (Path jar : jars(lib)) {
            String name = jar.getFileName().toString();
            if (CLIENT_FACING.matcher(name).matches()) {
                Files.move(jar, clientFacing.resolve(name));
            }
        }
        assertThat(jars(lib)).as("the release's lib").hasSizeGreaterThan(100);
        assertThat(jars(clientFacing)).as("what it keeps apart").hasSizeGreaterThan(4);
    }

    private static void writeCommand(Path home) throws IOException {
        Files.createDirectories(home.resolve("conf"));
        Path command = Files.createDirectories(home.resolve("bin")).resolve("hbase");
        Files.writeString(command, COMMAND);
        assertThat(command.toFile().setExecutable(true)).isTrue();
    }

    private static void unpackWebPages(Path home, Path testsJar) throws IOException {
        try (JarFile jar = new JarFile(testsJar.toFile())) {
            for (String page : webPages(testsJar)) {
                Path file = home.resolve(page);
                Files.createDirectories(file.getParent());
                Files.copy(jar.getInputStream(jar.getEntry(page)), file);
            }
        }
    }

    private static List<String> webPages(Path file) throws IOException {
        try (JarFile jar = new JarFile(file.toFile())) {
            return jar.stream()
                    .filter(entry -> entry.getName().startsWith("hbase-webapps/") && !entry.isDirectory())
                    .map(JarEntry::getName)
                    .toList();
        }
    }

    private static List<Path> jars(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".jar")).toList();
        }
    }
}
