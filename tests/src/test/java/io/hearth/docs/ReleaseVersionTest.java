// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The version is in every pom, and a release is the commit that changes it: docs/decisions/0127-a-release-is-a-commit.md. */
class ReleaseVersionTest {

    private static final Path ROOT = HearthScript.ROOT;
    private static final String SNAPSHOT = "-SNAPSHOT";

    /** Never published. */
    private static final Set<String> FOR_THE_BUILD_ALONE =
            Set.of("bom", "datanode-alluxio", "release-tools", "dist", "testkit", "bench", "tests", "tests/hbase-3");

    private static String version() throws IOException {
        return versions(ROOT.resolve("pom.xml")).get(0);
    }

    /** Those of a pom that belong to an artifact of ours. */
    private static List<String> versions(Path pom) throws IOException {
        return Pattern.compile(
                        "<groupId>io\\.hearth</groupId>\\s*<artifactId>[^<]+</artifactId>\\s*<version>([^<]+)</version>")
                .matcher(Files.readString(pom))
                .results()
                .map(match -> match.group(1))
                .filter(version -> !version.equals("${project.version}"))
                .toList();
    }

    @Test
    void allPomsHaveOneVersion() throws IOException {
        Set<String> versions = new TreeSet<>();
        int poms = 0;
        try (Stream<Path> files = Files.walk(ROOT)) {
            for (Path pom : files.filter(file -> file.endsWith("pom.xml"))
                    .filter(file -> !ROOT.relativize(file).toString().matches("(.*/)?(target|\\.git)/.*"))
                    .toList()) {
                assertThat(versions(pom)).as(pom.toString()).isNotEmpty();
                versions.addAll(versions(pom));
                poms++;
            }
        }

        assertThat(versions).containsExactly(version());
        assertThat(poms).isGreaterThan(12);
    }

    /** Until the commit of the release they say that it is not released. */
    @Test
    void changelogAndReadmeNameIt() throws IOException {
        String number = version().replace(SNAPSHOT, "");
        Matcher newest =
                Pattern.compile("(?m)^## (\\S+) \\((.*)\\)$").matcher(Files.readString(ROOT.resolve("CHANGELOG.md")));

        assertThat(newest.find()).isTrue();
        assertThat(newest.group(1)).isEqualTo(number);
        assertThat(newest.group(2)).matches(version().endsWith(SNAPSHOT) ? "not released" : "\\d{4}-\\d\\d-\\d\\d");
        assertThat(Files.readString(ROOT.resolve("README.md"))).contains("Version " + version());
    }

    @Test
    void theBomHasEveryArtifactThatIsPublishedAndNoVersionOfOthers() throws IOException {
        String root = Files.readString(ROOT.resolve("pom.xml"));
        Set<String> published = Pattern.compile("<module>([^<]+)</module>")
                .matcher(root)
                .results()
                .map(match -> match.group(1))
                .filter(module -> !FOR_THE_BUILD_ALONE.contains(module))
                .map(module -> "hearth-" + module)
                .collect(Collectors.toCollection(TreeSet::new));
        String bom = Files.readString(ROOT.resolve("bom/pom.xml"));
        String managed = bom.substring(bom.indexOf("<dependencyManagement>"));

        assertThat(Pattern.compile("<artifactId>([^<]+)</artifactId>")
                        .matcher(managed)
                        .results()
                        .map(match -> match.group(1)))
                .containsExactlyInAnyOrderElementsOf(published);
        assertThat(managed.split("<version>\\$\\{project\\.version\\}</version>", -1))
                .hasSize(published.size() + 1);
        assertThat(bom).doesNotContain("<parent>", "<dependencies>\n    <dependency>");
    }

    /** The comments of the BOM say where what the command line prints is made. */
    @Test
    void thePackagesThatTheBomNamesAreInTheArtifactBelow() throws IOException {
        Matcher named = Pattern.compile(
                        "<!--([^>]*io\\.hearth[^>]*)-->\\s*<dependency>\\s*<groupId>io\\.hearth</groupId>\\s*"
                                + "<artifactId>hearth-([a-z]+)</artifactId>")
                .matcher(Files.readString(ROOT.resolve("bom/pom.xml")));
        int packages = 0;
        while (named.find()) {
            Matcher name = Pattern.compile("io(?:\\.[a-z]+)+").matcher(named.group(1));
            while (name.find()) {
                packages++;
                assertThat(ROOT.resolve(named.group(2) + "/src/main/java/"
                                + name.group().replace('.', '/')))
                        .isDirectory();
            }
        }

        assertThat(packages).isEqualTo(8);
    }
}
