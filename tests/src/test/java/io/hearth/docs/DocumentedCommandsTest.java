// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every command in the documents is one that a test runs. */
class DocumentedCommandsTest {

    private static final Path ROOT = Path.of("..");

    /** The commands that documents may name, and what runs each of them. */
    private static final Map<String, String> RUN_BY = Map.ofEntries(
            Map.entry("bin/hearth demo", "DemoIT"),
            Map.entry("bin/hearth cluster start", "ProcessClusterIT, with three hosts"),
            Map.entry(
                    "bin/hearth cluster start --masters 2 --namenodes 2 --disk-mb 512 --ssd-mb 64 --clocks --hbase-user",
                    "ChaosIT, in soak"),
            Map.entry("bin/hearth cluster start --stock", "ProcessClusterIT, with Hearth"),
            Map.entry("bin/hearth chaos --out stock.json", "SavedResultsTest, without a cluster"),
            Map.entry("bin/hearth chaos --compare stock.json", "SavedResultsTest, without a cluster"),
            Map.entry("bin/hearth cluster status", "ProcessClusterIT"),
            Map.entry("bin/hearth cluster add-host", "ProcessClusterIT"),
            Map.entry("bin/hearth load", "ProcessClusterIT, for three seconds"),
            Map.entry(
                    "bin/hearth load --workload a --distribution hotspot --rate 2000 --seconds 60",
                    "ProcessClusterIT with the defaults, LoadCommandTest and KeyDistributionTest"),
            Map.entry("bin/hearth cluster shell", "ProcessClusterIT, with a script"),
            Map.entry(
                    "bin/hearth cluster pe --rows=20000 --presplit=8 randomWrite 2",
                    "ProcessClusterIT, with fewer rows"),
            Map.entry(
                    "bin/hearth cluster pe --rows=20000 --latency randomRead 2", "ProcessClusterIT, which only writes"),
            Map.entry("bin/hearth cluster stop", "ProcessClusterIT"),
            Map.entry("bin/hearth chaos", "ProcessClusterIT, one fault alone; ChaosIT, in soak, each with one seed"),
            Map.entry("bin/hearth bench opentsdb", "ProcessClusterIT, with --check"),
            Map.entry("bin/hearth bench opentsdb --stock", "ProcessClusterIT, with --check"),
            Map.entry("bin/hearth bench opentsdb --salt", "ProcessClusterIT, with --check"),
            Map.entry("bin/hearth simulate --all", "SimulateIT, and ScenariosTest without the script"),
            Map.entry("bin/hearth simulate bench/src/main/scenarios/opentsdb-four-nodes.yaml", "SimulateIT"),
            Map.entry(
                    "bin/hearth simulate --set hearth.balancer.cool.down.ms=0"
                            + " bench/src/main/scenarios/load-that-goes-to-and-fro.yaml",
                    "SimulateIT"),
            Map.entry("bin/hearth snapshot capture --out cluster.json --config /etc/hbase/conf", "SimulateIT"),
            Map.entry("bin/hearth balancer plan --snapshot cluster.json", "SimulateIT"),
            Map.entry("bin/hearth balancer plan --snapshot cluster.json --explain", "SimulateIT"),
            Map.entry(
                    "bin/hearth balancer plan --snapshot cluster.json --weights read=400,size=0",
                    "OfflineCommandsTest"),
            Map.entry("bin/hearth status", "AdminCommandsIT, without the script"),
            Map.entry("bin/hearth top", "AdminCommandsIT, without the script"),
            Map.entry("bin/hearth balancer status", "AdminCommandsIT, without the script"),
            Map.entry("bin/hearth balancer mode", "AdminCommandsIT, without the script"),
            Map.entry("bin/hearth healer status", "AdminCommandsIT, without the script"),
            Map.entry("bin/hearth balancer plan --explain", "AdminCommandsIT, without the script"),
            Map.entry("bin/hearth balancer plan --why 1588230740", "AdminCommandsIT, without the script"),
            Map.entry("bin/hearth balancer plan --out plan.json", "AdminCommandsIT, without the script"),
            Map.entry("bin/hearth balancer apply plan.json", "AdminCommandsIT, without the script"),
            Map.entry("bin/hearth healer pause", "AdminCommandsIT, without the script"),
            Map.entry("bin/hearth healer resume", "AdminCommandsIT, without the script"),
            Map.entry("bin/hearth balancer mode advise", "AdminCommandsIT, without the script"),
            Map.entry("bin/hearth balancer mode act", "AdminCommandsIT, without the script"),
            Map.entry("bin/hearth balancer pins", "AdminCommandsIT, without the script"),
            Map.entry("bin/hearth balancer pins remove 1588230740", "AdminCommandsIT with a region that is pinned"),
            Map.entry("bin/hearth ui --port 8090", "AdminCommandsIT, with a port that is free"),
            Map.entry("bin/hearth healer run --dry-run", "HealCommandIT, without the script"),
            Map.entry("bin/hearth healer run --raise-datanode-bandwidth 1GB", "HealCommandIT, without the script"),
            Map.entry("bin/hearth healer run --dry-run --verify-all", "HealCommandIT, without the script"),
            Map.entry(
                    "bin/hearth healer run --table usertable --bandwidth 50MB",
                    "HealCommandIT for --table, HealOptionsTest and MainTest for --bandwidth"),
            Map.entry(
                    "bin/hearth healer run --server host7 --target-locality 0.98",
                    "MainTest and HealCompletionCheckTest, without a cluster"),
            Map.entry("bin/hearth healer run --table usertable --local", "HealCommandIT, without the script"),
            Map.entry("bin/hearth healer run --output json", "HealCommandIT, without the script"),
            Map.entry("bin/hearth healer daemon", "HealCommandIT, without the script"),
            Map.entry("bin/hearth doctor", "DoctorIT, with --config and without the script"),
            Map.entry("bin/hearth doctor --config /etc/hbase/conf --output json", "DoctorIT, without the script"),
            Map.entry(
                    "bin/hearth slo run --objectives conf/slo-objectives.txt --metrics 9469",
                    "AvailabilityProbesIT, MainTest and SloRecorderTest, without the script"),
            Map.entry("bin/hearth bench slo", "SloBenchIT"),
            Map.entry("bin/hearth bench slo --part STALL", "SloBenchIT"),
            Map.entry(
                    "bin/hearth capacity --servers +10 --writes 2x --split-at 20g --growth 50g/day",
                    "DoctorIT on a mini cluster and MainTest, without the script"),
            Map.entry("bin/hearth slo report --month 2026-11", "SloRecorderTest, without the script"),
            Map.entry("bin/hearth slo servers --hours 24", "SloServersCommandTest, without the script"),
            Map.entry(
                    "bin/hearth slo rules --objectives conf/slo-objectives.txt > hearth-slo-alerts.yml",
                    "MainTest, without the script"),
            Map.entry(
                    "bin/hearth fleet --clusters clusters.txt --html fleet.html",
                    "AdminCommandsIT on one cluster, FleetIT on simulated ones, without the script"),
            Map.entry("bin/hearth install --check", "MainTest, without a cluster"),
            Map.entry("bin/hearth table set t HEARTH_WRITE_WEIGHT=3 HEARTH_HEAL=off", "MainTest, without a cluster"),
            Map.entry("bin/hearth table set t HEARTH_WRITE_WEIGHT=", "NoReopenTableModifierTest, without a cluster"),
            Map.entry(
                    "bin/hearth table set t HEARTH_WRITE_WEIGHT=0 HEARTH_READ_WEIGHT=0 HEARTH_HEAL=off",
                    "NoReopenTableModifierTest with other values"),
            Map.entry("bin/hearth bench plan", "SimulateIT, on the smallest size alone"),
            Map.entry("bin/hearth bench plan --crowded", "BenchPlanCommandTest, on a small cluster"),
            Map.entry(
                    "bin/hearth bench plan --families --sizes 60x80 --seeds 3",
                    "ReleaseChecksIT; FamilyQualityGateTest, on one cluster of each family and without the script"),
            Map.entry("bin/hearth bench heal", "BenchHealCommandTest, on a small cluster and without the script"),
            Map.entry("bin/hearth bench namenode", "BenchNameNodeCommandTest, with few blocks and without the script"),
            Map.entry("bin/hearth bench heat", "BenchHeatCommandTest, once each and without JMH"),
            Map.entry(
                    "bin/hearth bench metrics-update",
                    "BenchMetricsUpdateCommandTest, on a small cluster and without the script"),
            Map.entry("bin/hearth bench month", "BenchMonthCommandTest, on a small cluster and without the script"),
            Map.entry(
                    "bin/hearth bench read-cache",
                    "BenchReadCacheCommandTest and ReadCacheBenchIT, with few blocks and without the script"),
            Map.entry("bin/hearth chaos soak", "ReleaseChecksIT"),
            Map.entry(
                    "bin/hearth slo run --table orders --timeline-timeouts 10,100,1000",
                    "TimelineReadsIT, without the script, and MainTest"),
            Map.entry("bin/hearth bench crash", "HealerIT, without a limit to the rate and without the script"),
            Map.entry("bin/hearth bench readers", "ReadersIT, with shorter times and without the script"),
            Map.entry("bin/hearth bench readers --processes", "ProcessReadersIT, with one setup and shorter times"),
            Map.entry(
                    "bin/hearth bench cluster",
                    "ProcessClusterIT for load and added host, the tests of bench.cluster for the rest"),
            Map.entry("bin/hearth bench cluster --unshaped", "the same"),
            Map.entry("bin/hearth bench cluster --quick", "the same"),
            Map.entry(
                    "bin/hearth bench value",
                    "the tests of bench.value, such as RegionDrawTest and ValueThresholdsTest"),
            Map.entry("bin/hearth bench value --draws 3", "the same"),
            Map.entry("bin/hearth bench value --draw 1", "the same, and BenchValueCommandTest"),
            Map.entry("bin/hearth bench value --part CRASH --part LOCALITY", "the same"),
            Map.entry("mvn verify", "the build that runs this test"),
            Map.entry("mvn verify -Psoak", ".ci/run, after mvn verify"),
            Map.entry("mvn verify -Prelease-checks", "nobody but who makes a release; CONTRIBUTING.md says when last"),
            Map.entry("mvn -Prelease package", "DistributionIT, in soak"),
            Map.entry(
                    "mvn -Palluxio package -DskipTests -pl datanode-alluxio -am",
                    "ReleaseChecksIT, with the tests of that module"),
            Map.entry(
                    "mvn -Palluxio verify -pl datanode-alluxio,tests -am",
                    "ReleaseChecksIT, its own tests and those of the read cache"),
            Map.entry("mvn -Phbase-3 verify", "HBase3IT, in soak, without the unit tests"),
            Map.entry("mvn -Phbase-2.5 verify", "HBase25IT, a release check, with some of the tests"),
            Map.entry("balance_switch false", "BalancerIT, by the shell's twin in Admin"),
            Map.entry(
                    "alter 't', METADATA => {'HEARTH_WRITE_WEIGHT' => '3'}",
                    "BalancerIT, by the shell's twin in Admin"),
            Map.entry(
                    "alter 't', METADATA => {'HEARTH_READ_WEIGHT' => '0'}", "BalancerIT, by the shell's twin in Admin"),
            Map.entry(
                    "alter 't', METADATA => {'HEARTH_WRITE_WEIGHT' => '0'}",
                    "BalancerIT with reads, by the shell's twin in Admin"),
            Map.entry("alter 't', METADATA => {'HEARTH_HEAL' => 'off'}", "HealerIT, by the shell's twin in Admin"),
            Map.entry("update_all_config", "InvalidConfigurationIT and HealerIT, by the shell's twin in Admin"),
            Map.entry(
                    "alter 't', METADATA => {'HEARTH_MAX_MOVES_PER_HOUR' => '6'}",
                    "BalancerStateIT, by the shell's twin in Admin"),
            Map.entry("move 'ENCODED_REGION', 'SERVER'", "BalancerStateIT, by the shell's twin in Admin"),
            Map.entry("balancer 'dry_run'", "StockBalancerContractIT, by the shell's twin in Admin"));

    @Test
    void everyCommandOfTheDocumentsIsRunByATest() {
        TreeSet<String> commands = new TreeSet<>();
        documents().forEach(document -> commands.addAll(commandsOf(document)));

        assertThat(commands).isSubsetOf(RUN_BY.keySet());
        assertThat(commands).contains("bin/hearth demo", "mvn verify");
    }

    @Test
    void whatRunsThemIsThere() {
        TreeSet<String> named = new TreeSet<>();
        RUN_BY.values().forEach(tests -> Pattern.compile("\\b[A-Z][A-Za-z0-9]*(?:Test|IT)\\b")
                .matcher(tests)
                .results()
                .map(MatchResult::group)
                .forEach(named::add));

        assertThat(named).hasSizeGreaterThan(20).isSubsetOf(DocumentLinksTest.classes());
    }

    private static Stream<Path> documents() {
        return Stream.concat(
                Stream.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")),
                DocumentLinksTest.markdown(ROOT.resolve("docs")).stream());
    }

    /** The lines of the code blocks that have no language: those are commands; what follows two blanks and # is a remark. */
    private static List<String> commandsOf(Path document) {
        TreeSet<String> commands = new TreeSet<>();
        boolean isInBlock = false;
        boolean isInOther = false;
        for (String line : lines(document)) {
            if (line.strip().startsWith("```")) {
                boolean opens = !isInBlock && !isInOther;
                isInOther = opens && !line.strip().equals("```");
                isInBlock = opens && line.strip().equals("```");
            } else if (isInBlock && line.matches("[a-z_/]+( .*)?")) {
                commands.add(line.split(" {2,}#", 2)[0].strip());
            }
        }
        return List.copyOf(commands);
    }

    private static List<String> lines(Path document) {
        try {
            return Files.readAllLines(document);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
