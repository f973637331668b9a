// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.chaos.Fault;
import io.hearth.docs.HearthScript;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is run before a release: hours, the short steps first. A step that has ended well is not done again for the same commit. */
@Tag("release-checks")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ReleaseChecksIT {

    private static final int CHAOS_SEEDS = 5;
    private static final int SOAK_HOURS = 4;
    private static final int BUILD_MINUTES = 120;
    private static final int BENCH_MINUTES = 300;

    /** The exit code of a benchmark that has come to its end. */
    private static final int THRESHOLD_MISSED = 1;

    /** Tests of whole plans: each takes seconds for every fault that it could notice. The package's other tests notice four fifths. */
    private static final Map<String, List<String>> TOO_SLOW_FOR_EVERY_FAULT = Map.of(
            "balancer.planner",
            List.of(
                    "ExhaustiveImprovementTest",
                    "ManyRegionsTest",
                    "ManyTablesTest",
                    "NextPlansTest",
                    "OversizedRegionTest",
                    "PlanBoundsTest",
                    "PlanQualityGateTest",
                    "PlanSimulationTest",
                    "PlannerPropertiesTest",
                    "ScannedRegionTest",
                    "TinyClustersTest"));

    /** So that what this build runs from stays as it is. */
    private static final String OWN_TARGET = "-Dhearth.target=target/release-checks-build";

    private static CompletedSteps steps;
    private static @Nullable ChaosCluster cluster;
    private static boolean isForOperators;

    @TempDir
    private Path folder;

    @BeforeAll
    static void commit() throws Exception {
        steps = CompletedSteps.ofCommitIn(HearthScript.ROOT);
    }

    @AfterAll
    static void stop() throws Exception {
        if (cluster != null) {
            cluster.stop();
        }
    }

    @Test
    @Order(1)
    void propertiesHoldForTenTimesTheSeeds() throws Exception {
        steps.once(
                "properties",
                () -> MavenRun.run("properties", BUILD_MINUTES, "test", OWN_TARGET, "-Dproperty.repetitions=10"));
    }

    @Test
    @Order(2)
    void theSlowOnesOfHBasesOwnBalancerTestsPass() throws Exception {
        steps.once(
                "stock-tests",
                () -> MavenRun.run(
                        "stock-tests",
                        BUILD_MINUTES,
                        "test",
                        OWN_TARGET,
                        "-Dexcluded.stock.tests=none",
                        "-Dtest=SlowStockBalancerTest",
                        "-Dsurefire.failIfNoSpecifiedTests=false"));
    }

    @Test
    @Order(3)
    void everyTestOfTheLineOfHBase3Passes() throws Exception {
        steps.once("hbase-3", () -> MavenRun.run("hbase-3-all", BUILD_MINUTES, "verify", "-Phbase-3"));
    }

    @Test
    @Order(3)
    void everyUnitTestOfWhatIsDeployedPassesOnHBase25() throws Exception {
        steps.once(
                "hbase-2.5",
                () -> MavenRun.run(
                        "hbase-2.5-all",
                        BUILD_MINUTES,
                        "test",
                        "-Phbase-2.5",
                        "-pl",
                        "common,balancer,coprocessor,datanode,cli"));
    }

    @Test
    @Order(3)
    void alluxiosPageStoreKeepsTheContract() throws Exception {
        steps.once(
                "alluxio",
                () -> MavenRun.run(
                        "alluxio",
                        BUILD_MINUTES,
                        "verify",
                        OWN_TARGET,
                        "-Palluxio",
                        "-pl",
                        "datanode-alluxio,tests",
                        "-am",
                        "-Dtest=Alluxio*Test",
                        "-Dsurefire.failIfNoSpecifiedTests=false",
                        "-Dit.test=DataNodeReadCache*IT",
                        "-Dfailsafe.failIfNoSpecifiedTests=false"));
    }

    /** Of the faults that PIT puts into a package, its unit tests notice four fifths at least: CONTRIBUTING.md. */
    @ParameterizedTest
    @Order(4)
    @CsvSource({
        "balancer.config, balancer.config balancer.share",
        "common.config, common.config",
        "balancer.heat, balancer.heat balancer.share balancer.config",
        "balancer.planner, balancer.planner",
        "healer.config, healer.config",
        "healer.move, healer.move",
        "healer.plan, healer.plan",
        "healer.throttle, healer.throttle",
        "healer.queue, healer.queue",
        "healer.verify, healer.verify",
    })
    void itsUnitTestsNoticeFaults(String mutated, String tested) throws Exception {
        steps.once("mutations-" + mutated, () -> {
            MavenRun.run(
                    "mutations-" + mutated,
                    BUILD_MINUTES,
                    "test-compile",
                    "org.pitest:pitest-maven:mutationCoverage",
                    "-pl",
                    "common,balancer,coprocessor",
                    OWN_TARGET,
                    "-DtargetClasses=io.hearth." + mutated + ".*",
                    "-DtargetTests="
                            + Arrays.stream(tested.split(" "))
                                    .map(tests -> "io.hearth." + tests + ".*Test")
                                    .collect(Collectors.joining(",")),
                    "-DexcludedTestClasses="
                            + TOO_SLOW_FOR_EVERY_FAULT.getOrDefault(mutated, List.of()).stream()
                                    .map(test -> "io.hearth." + mutated + "." + test)
                                    .collect(Collectors.joining(",")));
            assertThat(MavenRun.output("mutations-" + mutated))
                    .as("a package of this name has faults to notice")
                    .containsPattern(">> Generated [1-9]");
        });
    }

    /** But for those that are known not to. */
    @ParameterizedTest
    @Order(5)
    @ValueSource(
            strings = {
                "plan",
                KnownMisses.FAMILIES,
                "heat",
                "metrics-update",
                "month",
                "heal",
                "crash",
                "readers",
                "readers --processes",
                "read-cache",
                "cluster",
            })
    void everyBarOfABenchmarkHolds(String benchmark) throws Exception {
        steps.once("bench-" + benchmark.replace(" --", "-").replace(' ', '-'), () -> {
            String[] arguments = Stream.concat(Stream.of("bench"), Stream.of(benchmark.split(" ")))
                    .toArray(String[]::new);
            HearthScript.Result bench =
                    HearthScript.run(folder, Map.of("TMPDIR", folder.toString()), BENCH_MINUTES, arguments);
            System.out.println(bench.output());
            if (KnownMisses.missed(bench.output()).isEmpty()) {
                assertThat(bench.exitCode()).as(bench.output()).isZero();
            } else {
                assertThat(bench.exitCode()).as(bench.output()).isEqualTo(THRESHOLD_MISSED);
                assertThat(KnownMisses.unknown(benchmark, bench.output()))
                        .as("thresholds that are not known to be missed")
                        .isEmpty();
            }
        });
    }

    /** Those of one cluster after those of the other. */
    static List<Arguments> everyFaultWithEverySeed() {
        return Stream.of(false, true)
                .flatMap(byAPerson -> LongStream.rangeClosed(1, CHAOS_SEEDS)
                        .boxed()
                        .flatMap(seed -> Arrays.stream(Fault.values())
                                .filter(fault -> fault.isDoneByAPerson() == byAPerson)
                                .map(fault -> Arguments.of(fault, seed))))
                .toList();
    }

    @ParameterizedTest
    @Order(6)
    @MethodSource("everyFaultWithEverySeed")
    void nothingIsLostAndAllIsLocalAndEvenAgain(Fault fault, long seed) throws Exception {
        steps.once("chaos-" + fault + "-" + seed, () -> {
            if (cluster == null || isForOperators != fault.isDoneByAPerson()) {
                stop();
                cluster = null;
                isForOperators = fault.isDoneByAPerson();
                cluster = isForOperators ? ChaosCluster.startForOperators() : ChaosCluster.start();
            }
            cluster.survives(fault, seed);
        });
    }

    @Test
    @Order(7)
    void fourHoursOfLoadAndFaultsLoseNothingAndNothingGrows() throws Exception {
        steps.once("soak", () -> {
            stop();
            isForOperators = false;
            cluster = ChaosCluster.startForHours();
            cluster.soak(SOAK_HOURS);
        });
    }
}
