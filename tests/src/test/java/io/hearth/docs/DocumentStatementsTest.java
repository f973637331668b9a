// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.plan.ScaleOutCase;
import io.hearth.chaos.Fault;
import io.hearth.checks.KnownMisses;
import io.hearth.cli.install.InstallCheck;
import io.hearth.cli.install.InstallCheck.SiteFiles;
import io.hearth.healer.config.HealLimitSettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** Sentences of the documents that follow from something else. */
class DocumentStatementsTest {

    private static final Path DOCS = Path.of("..", "docs");

    @Test
    void howManyFewerMovesIsWhatTheTableSays() throws IOException {
        String text = Files.readString(DOCS.resolve("benchmarks.md"));
        Matcher rows = Pattern.compile("([\\d,]+) \\([\\d,]+\\), hearth as even ([\\d,]+) \\(")
                .matcher(text);
        double least = Double.MAX_VALUE;
        double most = 0;
        while (rows.find()) {
            double ratio = number(rows.group(1)) / number(rows.group(2));
            least = Math.min(least, ratio);
            most = Math.max(most, ratio);
        }

        assertThat(text)
                .contains(String.format(
                        Locale.ROOT, "between 1/%d and 1/%d of stock's moves", Math.round(least), Math.round(most)));
        assertThat(Files.readString(Path.of("..", "README.md")))
                .contains(String.format(
                        Locale.ROOT, "with 1/%d to 1/%d of the moves of a tuned", Math.round(least), Math.round(most)));
    }

    private static double number(String text) {
        return Double.parseDouble(text.replace(",", ""));
    }

    @Test
    void theHooksOfTheMasterThatAreToldAreOverridden() throws Exception {
        String row = Files.readAllLines(DOCS.resolve("internals.md")).stream()
                .filter(line -> line.startsWith("| `MasterObserver`: "))
                .findFirst()
                .orElseThrow();
        List<String> hooks = Pattern.compile("`((?:pre|post)[A-Za-z]+)`")
                .matcher(row)
                .results()
                .map(match -> match.group(1))
                .toList();
        String source = Files.readString(
                Path.of("..", "coprocessor/src/main/java/io/hearth/healer/hbase/LocalityHealingObserver.java"));

        assertThat(hooks).isNotEmpty().allMatch(hook -> source.contains("void " + hook + "("));
    }

    /** Who pastes it into empty files has both modes on advise, and what install --check would have printed. */
    @Test
    void theLinesOfTheGuideAreThoseThatTheCheckAsksFor() throws IOException {
        String guide = Files.readString(DOCS.resolve("install.md"));
        String lines = guide.substring(guide.indexOf("```xml") + "```xml".length());
        Configuration pasted = new Configuration(false);
        pasted.addResource(new ByteArrayInputStream(
                ("<configuration>" + lines.substring(0, lines.indexOf("```")) + "</configuration>")
                        .getBytes(StandardCharsets.UTF_8)));
        Map<String, String> asked = new TreeMap<>();
        InstallCheck.of(new SiteFiles(Map.of(), Map.of(), Optional.of("17.0.9"), "hbase-env.sh")).changes().stream()
                .filter(change -> !change.optional())
                .forEach(change -> asked.put(change.key(), change.merged()));

        assertThat(pasted.getPropsWithPrefix("")).containsExactlyInAnyOrderEntriesOf(asked);
        assertThat(asked).containsEntry("hearth.balancer.mode", "advise").containsEntry("hearth.heal.mode", "advise");
    }

    /** Whoever sets a table's value by the shell is told how to take it away, and that both close every region. */
    @Test
    void whereAlterSetsASettingItIsSaidHowToUnsetIt() throws IOException {
        String line = Files.readAllLines(DOCS.resolve("operate.md")).stream()
                .filter(text -> text.contains("alter 't', METADATA => {'HEARTH_WRITE_WEIGHT'"))
                .findFirst()
                .orElseThrow();

        assertThat(line)
                .contains(
                        "**closes and opens every region of the table**",
                        "`alter 't', METHOD => 'table_att_unset', NAME => 'HEARTH_WRITE_WEIGHT'` takes the value away, and"
                                + " reopens every region too.");
    }

    /** A shell that does not know the argument does what the operator wanted to avoid. */
    @Test
    void ofOlderShellsItIsSaidThatTheyReopenAllTheSame() throws IOException {
        assertThat(Files.readString(DOCS.resolve("operate.md")))
                .contains("Shells of 2.5.7, 2.6.0 and later take `REOPEN_REGIONS => false`; an older one ignores it"
                        + " *and reopens all the same*.");
    }

    /** It was said to be every DataNode's when it was the cluster's. */
    @Test
    void whoseBandwidthTheGuideLimitsIsWhatItsKeySays() throws IOException {
        String guide = Files.readString(DOCS.resolve("operate.md"));

        assertThat(guide).contains("Begin with `" + HealLimitSettings.DATANODE_BANDWIDTH.key() + "` = `16m`.");
        assertThat(HealLimitSettings.DATANODE_BANDWIDTH.doc())
                .startsWith("Most bytes of moves that one DataNode receives and sends together.");
        assertThat(guide).contains("--bandwidth 50MB       # one table, at most 50 MB started per second");
        assertThat(HealLimitSettings.CLUSTER_BANDWIDTH.doc()).startsWith("Most bytes of moves in the cluster.");
        assertThat(Files.readString(DOCS.resolve("sizing.md")))
                .contains("| `dfs.datanode.balance.bandwidthPerSec` | 100 MB/s each DataNode, ");
    }

    /** It was credited to a company that had said nothing of it: HDFS's source is what it is from. */
    @Test
    void theCacheOfStreamsIsCreditedToTheSourceOfHdfs() throws IOException {
        String conf = Files.readString(Path.of("..", "conf", "short-circuit.xml"));
        String property = conf.substring(conf.indexOf("dfs.client.read.shortcircuit.streams.cache.size"));
        String checks = Files.readString(
                Path.of("..", "coprocessor/src/main/java/io/hearth/doctor/check/ShortCircuitChecks.java"));
        String check = checks.substring(checks.indexOf("\"short-circuit-cache\""));

        assertThat(property.substring(property.indexOf("Source:"), property.indexOf("</description>")))
                .startsWith("Source: ShortCircuitCache, ");
        assertThat(check.substring(0, check.indexOf("ConfigLine")))
                .contains("\"ShortCircuitCache")
                .doesNotContain("XiaoMi", "HubSpot", "Bloomberg");
    }

    @Test
    void simulatedHealsAreCalledSo() throws IOException {
        String text = Files.readString(DOCS.resolve("benchmarks.md"));
        String before = text.substring(0, text.indexOf("moves      TB  time, s least, s"));

        assertThat(before.substring(before.lastIndexOf("\n**"))).startsWith("\n**Simulated heals** ");
        assertThat(Files.readString(DOCS.resolve("sizing.md"))).contains(" times the time of simulated heals.");
    }

    @Test
    void everyFaultOfChaosHasItsRowAndTheyAreAsManyAsIsSaid() throws IOException {
        String text = Files.readString(DOCS.resolve("test-cluster.md"));
        List<String> rows = Pattern.compile("(?m)^\\| `([a-z-]+)` \\|")
                .matcher(text)
                .results()
                .map(match -> match.group(1))
                .toList();

        assertThat(rows)
                .containsAll(Arrays.stream(Fault.values()).map(Fault::toString).toList());
        assertThat(text).contains("These are " + Fault.values().length + " faults;");
    }

    @Test
    void everyCrowdedClusterHasItsFigures() throws IOException {
        List<String> lines = Files.readAllLines(DOCS.resolve("benchmarks.md"));

        assertThat(ScaleOutCase.all().stream().map(ScaleOutCase::title))
                .hasSize(4)
                .allSatisfy(title -> assertThat(lines).anyMatch(line -> line.startsWith(title + " ")));
    }

    /** A release check passes with them, and with no other. */
    @Test
    void theThresholdsThatAreKnownToBeMissedAreAsManyAsIsSaid() throws IOException {
        assertThat(Files.readString(DOCS.resolve("benchmarks.md")))
                .contains("**" + KnownMisses.count("cluster") + " thresholds missed**")
                .contains("| [plan](#plan) | times missed: " + KnownMisses.count("plan") + " |")
                .contains("| [heat](#cost-in-the-hmaster) | holds |")
                .contains("| [metrics-update](#cost-in-the-hmaster) | " + KnownMisses.count("metrics-update")
                        + " of 4 missed |")
                .contains("| [read-cache](#read-cache) | " + KnownMisses.count("read-cache") + " of 21 missed |")
                .contains("| [plan, families](#families) | " + KnownMisses.count(KnownMisses.FAMILIES)
                        + " thresholds of 48 clusters missed |")
                .contains("| [heal](#heal) | holds |");
        assertThat(KnownMisses.count("heal")).isZero();
        assertThat(KnownMisses.count("heat")).isZero();
    }

    /** The versions that are said to have been run are those that the build runs; nothing is said to be built against others. */
    @Test
    void theVersionsThatWereRunAreThoseOfTheBuild() throws IOException {
        String pom = Files.readString(Path.of("..", "pom.xml"));
        List<String> hbase = values(pom, "hbase.version");
        List<String> hadoop = values(pom, "hadoop.version");
        assertThat(hbase).as("of the default line, of hbase-3 and of hbase-2.5").hasSize(3);
        assertThat(hadoop).hasSize(2);
        assertThat(values(Files.readString(Path.of("pom.xml")), "version"))
                .as("HealerIT runs with it too")
                .contains("3.3.6");

        assertThat(Files.readString(DOCS.resolve("supported-versions.md")))
                .contains(
                        "| HBase | " + hbase.get(0) + " | run: every test,",
                        "\n| | " + hbase.get(1) + " | compiled, unit tests run;",
                        "\n| | " + hbase.get(2) + " | ",
                        "\n| Hadoop | " + hadoop.get(0) + " | run |",
                        "\n| | 3.3.6 | run: healing, with the jars as built",
                        "\n| | " + hadoop.get(1) + " | compiled, smoke tests (HBase " + hbase.get(1) + ") |",
                        "\n| third jar | Hadoop " + hadoop.get(0) + " | run;",
                        "\n| Java | " + values(pom, "maven.compiler.release").get(0) + " | run.")
                .doesNotContainIgnoringCase("built against");
    }

    /** It was said of a jar that runs on what it was compiled with alone: the table of versions says what was run. */
    @Test
    void noDocumentSaysWhatAJarIsBuiltAgainst() throws IOException {
        List<Path> pages = new ArrayList<>(DocumentLinksTest.markdown(DOCS));
        pages.add(Path.of("..", "README.md"));
        pages.add(Path.of("..", "CHANGELOG.md"));

        for (Path page : pages) {
            assertThat(Files.readString(page)).as(page.toString()).doesNotContainIgnoringCase("built against");
        }
    }

    /** What comes only by another dependency goes with it: in HBase 3 the balancer is a jar of its own. */
    @Test
    void whatASourceUsesItsModuleDeclares() throws IOException {
        Map<String, String> artifacts = Map.of(
                "org.apache.hadoop.hbase.master.balancer.", "hbase-balancer",
                "com.google.common.", "guava",
                "org.apache.hadoop.hbase.HBaseTestingUtil", "hbase-testing-util");
        Map<String, String> users = new TreeMap<>();
        for (String module : List.of(
                "common/src",
                "balancer/src",
                "coprocessor/src",
                "datanode/src",
                "datanode-alluxio/src",
                "cli/src",
                "tests/hbase-3/src")) {
            Path folder = Path.of("..", module);
            String pom = Files.readString(folder.resolveSibling("pom.xml"));
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    String source = Files.readString(file);
                    artifacts.forEach((prefix, artifact) -> {
                        boolean uses =
                                source.contains("import " + prefix) || source.contains("import static " + prefix);
                        if (uses && !values(pom, "artifactId").contains(artifact)) {
                            users.put(file.toString(), artifact);
                        }
                    });
                }
            }
        }

        assertThat(users).isEmpty();
    }

    private static List<String> values(String pom, String element) {
        return Pattern.compile("<" + Pattern.quote(element) + ">([^<]+)</")
                .matcher(pom)
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    @Test
    void theMetricsOfTheFirstWeekAreThere() throws IOException {
        String metrics = Files.readString(
                Path.of("..", "coprocessor/src/main/java/io/hearth/healer/metrics/HealingMetrics.java"));
        String row = Files.readAllLines(DOCS.resolve("operate.md")).stream()
                .filter(line -> line.contains("| `HearthHealing` on `/jmx` |"))
                .findFirst()
                .orElseThrow();

        assertThat(Pattern.compile("`([a-z][A-Za-z]+)`").matcher(row).results().map(match -> match.group(1)))
                .isNotEmpty()
                .allMatch(metric -> metrics.contains("\"" + metric + "\""));
    }
}
