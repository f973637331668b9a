// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.datanode.config.DataNodeSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The files that operators copy hold nothing that nobody reads, nothing that can't be used, and say why. */
class ConfFilesTest {

    static final Path CONF = Path.of("..", "conf").toAbsolutePath().normalize();

    private static final Pattern WORDS =
            Pattern.compile("Why: (.+)\\. Default: (.*)\\. Range: (.+)\\. Source: (.+)\\.");

    static Stream<Path> siteFiles() throws IOException {
        try (Stream<Path> files = Files.walk(CONF)) {
            return files.filter(file -> file.toString().endsWith(".xml")).sorted().toList().stream();
        }
    }

    @Test
    void thereIsAFragmentForEachProcessAndThreePresets() throws IOException {
        assertThat(siteFiles().map(CONF::relativize).map(Path::toString))
                .containsExactly(
                        "datanode/deletion-delay.xml",
                        "datanode/hdfs-site.xml",
                        "master/hbase-site.xml",
                        "namenode/hdfs-site.xml",
                        "presets/cloud.xml",
                        "presets/large.xml",
                        "presets/small.xml",
                        "regionserver/hbase-site.xml",
                        "short-circuit.xml");
    }

    @ParameterizedTest
    @MethodSource("siteFiles")
    void everyKeyIsReadBySomeone(Path file) {
        assertThat(site(file)).isNotEmpty();
        assertThat(site(file).keySet()).allSatisfy(key -> assertThat(DefaultFiles.knows(key))
                .as(key + " is in a default file or a key of Hearth")
                .isTrue());
    }

    /** A default that is written out is the one of the default files. */
    @ParameterizedTest
    @MethodSource("siteFiles")
    void everyPropertySaysWhyItsDefaultItsRangeAndItsSource(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            DefaultFiles.texts(in, "description").forEach((key, description) -> {
                Matcher words = WORDS.matcher(description);
                assertThat(words.matches()).as(key + ": " + description).isTrue();
                String standard = DefaultFiles.defaultOf(key);
                if (!standard.isEmpty()) {
                    assertThat(words.group(2)).as("default of " + key).isEqualTo(standard);
                }
            });
        }
    }

    /** Whoever copies the file sees both before Hearth acts, and before a class is lost. */
    @Test
    void theMastersFileActsOnNothingAndSaysThatListsAreAppendedTo() throws IOException {
        Path file = CONF.resolve("master/hbase-site.xml");
        String text = Files.readString(file);

        assertThat(site(file))
                .containsEntry("hearth.balancer.mode", "advise")
                .containsEntry("hearth.heal.mode", "advise");
        assertThat(text.substring(0, text.indexOf("<configuration>"))).contains("Append to what is there.");
        assertThat(List.of("hbase.coprocessor.master.classes", "hbase.http.filter.initializers"))
                .allSatisfy(list -> assertThat(text)
                        .contains(
                                "<!-- A list. Append to what is there: a value that is replaced is lost. -->\n  <property>\n"
                                        + "    <name>" + list + "</name>"));
        site(file).forEach((key, value) -> assertThat(value.contains("io.hearth.") && value.contains(","))
                .as("%s is a list of Hearth's classes among others", key)
                .isEqualTo(key.equals("hbase.coprocessor.master.classes")
                        || key.equals("hbase.http.filter.initializers")));
    }

    @Test
    void theGraceOutlastsTheRefreshOfTheReaders() {
        DataNodeSettings.Reading grace = DataNodeSettings.read(
                "conf/datanode/deletion-delay.xml", new MapSettings(site(CONF.resolve("datanode/deletion-delay.xml"))));
        long refreshMs = Long.parseLong(
                site(CONF.resolve("regionserver/hbase-site.xml")).get("dfs.client.refresh.read-block-locations.ms"));

        assertThat(grace.problems()).isEmpty();
        assertThat((double) grace.deletionDelay().delayMs()).isGreaterThan(2.1 * refreshMs);
    }

    /** Each logger is a class or a package that there is. */
    @Test
    void theLinesForTheLogAreAboutWhatLogs() throws IOException {
        Properties lines = new Properties();
        try (var in = Files.newInputStream(CONF.resolve("log4j2.properties"))) {
            lines.load(in);
        }
        List<String> loggers = lines.stringPropertyNames().stream()
                .filter(line -> line.endsWith(".name"))
                .map(lines::getProperty)
                .toList();

        assertThat(loggers).hasSize(3).allSatisfy(logger -> assertThat(
                        Files.exists(Path.of("..", "coprocessor", "src", "main", "java", logger.replace('.', '/')))
                                || Files.exists(Path.of(
                                        "..", "balancer", "src", "main", "java", logger.replace('.', '/') + ".java")))
                .as(logger)
                .isTrue());
    }

    private static Map<String, String> site(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return DefaultFiles.properties(in);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
