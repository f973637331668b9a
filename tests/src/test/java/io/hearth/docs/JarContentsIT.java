// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the jars hold: our own classes, each in one jar; picocli and HdrHistogram in that of the command line alone, under our names. */
class JarContentsIT {

    private static final String OWN_PICOCLI = "io/hearth/cli/picocli/";
    private static final String OWN_HDRHISTOGRAM = "io/hearth/cli/hdrhistogram/";

    @ParameterizedTest
    @ValueSource(strings = {"balancer", "coprocessor"})
    void theJarsOfTheMasterHoldNothingOfOthersAndNoCommand(String module) throws IOException {
        try (JarFile jar = jar(module)) {
            assertThat(files(jar))
                    .isNotEmpty()
                    .allMatch(name -> name.startsWith("io/hearth/")
                            || name.startsWith("org/apache/hadoop/hbase/master/balancer/")
                            || name.startsWith("META-INF/"))
                    .noneMatch(name -> name.contains("picocli"))
                    .noneMatch(name -> name.startsWith("io/hearth/cli/"))
                    .noneMatch(name -> name.startsWith("META-INF/services/") || name.contains("module-info"));
        }
    }

    @Test
    void theCommandLineHoldsItsLibrariesUnderOurNames() throws IOException {
        try (JarFile jar = jar("cli")) {
            List<String> files = files(jar);

            assertThat(files)
                    .contains(
                            OWN_PICOCLI + "CommandLine.class",
                            OWN_HDRHISTOGRAM + "Histogram.class",
                            "io/hearth/cli/Main.class")
                    .allMatch(name -> name.startsWith("io/hearth/") || name.startsWith("META-INF/"))
                    .noneMatch(name -> name.startsWith("META-INF/services/") || name.contains("module-info"));
            assertThat(files.stream()
                            .filter(name -> name.endsWith(".class") && !name.startsWith(OWN_PICOCLI))
                            .filter(name -> text(jar, name).contains("Lpicocli/")
                                    || text(jar, name).contains("org/HdrHistogram/")))
                    .as("classes that still know a library by its own name")
                    .isEmpty();
        }
    }

    /** The module common is not deployed by itself: the coprocessor and the command line use the balancer jar's copy. */
    @Test
    void theBalancersJarHoldsAllOfCommonAndTheDataNodesWhatItUses() throws IOException {
        try (JarFile common = jar("common");
                JarFile balancer = jar("balancer");
                JarFile datanode = jar("datanode")) {
            List<String> classes = files(common).stream()
                    .filter(name -> name.endsWith(".class"))
                    .toList();

            assertThat(classes).contains("io/hearth/common/model/LoadVector.class");
            assertThat(files(balancer)).containsAll(classes);
            assertThat(files(datanode))
                    .contains(
                            "io/hearth/common/config/Setting.class",
                            "io/hearth/common/log/RateLimitedLogger.class",
                            "io/hearth/datanode/config/DataNodeSettings.class",
                            "io/hearth/datanode/cache/ReadCache.class",
                            "org/apache/hadoop/hdfs/server/datanode/fsdataset/impl/HearthDatasetFactory.class",
                            "org/apache/hadoop/hdfs/server/datanode/fsdataset/impl/DeletionDelayDatasetFactory.class")
                    .noneMatch(name -> name.startsWith("io/hearth/common/model/")
                            && !name.matches(".*/NamedMetric([$].*)?[.]class"));
        }
        assertThat(ownClassesThatAreMissing("datanode")).isEmpty();
    }

    /** What classes of a jar that is alone where it runs name of Hearth's, and the jar has not. */
    private static List<String> ownClassesThatAreMissing(String module) {
        StringWriter output = new StringWriter();
        PrintWriter out = new PrintWriter(output);
        int exitCode = ToolProvider.findFirst("jdeps")
                .orElseThrow()
                .run(
                        out,
                        out,
                        "--multi-release",
                        "base",
                        "-filter:none",
                        "--missing-deps",
                        path(module).toString());
        assertThat(exitCode).as("jdeps: %s", output).isZero();
        assertThat(output.toString()).as("what is Hadoop's").contains(" -> org.apache.hadoop.");
        return output.toString()
                .lines()
                .filter(line -> line.contains(" -> io.hearth."))
                .toList();
    }

    /** They meet on one class path: two jars with one class could come in two versions. */
    @Test
    void noClassIsInTwoJarsOfTheMasterAndTheCommandLine() throws IOException {
        try (JarFile balancer = jar("balancer");
                JarFile coprocessor = jar("coprocessor");
                JarFile cli = jar("cli")) {
            List<String> classes = Stream.of(balancer, coprocessor, cli)
                    .flatMap(jar -> files(jar).stream())
                    .filter(name -> name.endsWith(".class"))
                    .toList();

            assertThat(classes).doesNotHaveDuplicates().contains("io/hearth/balancer/HearthLoadBalancer.class");
        }
    }

    /** bin/hearth version and the page say it; a jar that was built without Git says so. */
    @ParameterizedTest
    @ValueSource(strings = {"balancer", "coprocessor", "datanode", "cli"})
    void eachJarSaysWhatItWasBuiltFromAndFor(String module) throws IOException {
        try (JarFile jar = jar(module)) {
            Attributes main = jar.getManifest().getMainAttributes();

            assertThat(main.getValue("Hearth-Commit")).matches("[0-9a-f]{40}(-dirty)?|unknown");
            assertThat(main.getValue("Hearth-Commit-Time"))
                    .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ|unknown");
            assertThat(main.getValue("Implementation-Version")).matches("\\d+\\.\\d+\\.\\d+(-SNAPSHOT)?");
            assertThat(main.getValue("Hearth-HBase")).isEqualTo(VersionInfo.getVersion());
            assertThat(main.getValue("Hearth-Hadoop")).isEqualTo(org.apache.hadoop.util.VersionInfo.getVersion());
            assertThat(main.getValue("Hearth-Java")).isEqualTo("17");
        }
    }

    private static JarFile jar(String module) throws IOException {
        return new JarFile(path(module).toFile());
    }

    private static Path path(String module) {
        return Path.of("..", module, "target", "hearth-" + module + ".jar");
    }

    private static List<String> files(JarFile jar) {
        return jar.stream()
                .filter(entry -> !entry.isDirectory())
                .map(ZipEntry::getName)
                .toList();
    }

    private static String text(JarFile jar, String name) {
        try {
            return new String(jar.getInputStream(jar.getEntry(name)).readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }
}
