// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.arch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.domain.PackageMatcher;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the product to the rules of docs/architecture.md, and each rule to a fixture that breaks it. */
class ArchitectureTest {

    private static final String FIXTURE = "io.hearth.arch.fixture";

    private static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.matches(Pattern.compile(".*/(testkit|bench|tests)/target/.*")))
            .withImportOption(location -> location.contains("hearth-") || location.contains("/target/classes/"))
            .importPackages(
                    "io.hearth",
                    "org.apache.hadoop.hbase.master.balancer",
                    "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl");

    private static final JavaClasses COMMON = moduleOf("common");
    private static final JavaClasses CLI = moduleOf("cli");
    private static final JavaClasses TESTKIT = moduleOf("testkit");
    private static final JavaClasses BENCH = moduleOf("bench");

    private static final JavaClasses FIXTURES = new ClassFileImporter().importPackages(FIXTURE);

    private static final Map<String, Function<ArchitectureRules, ArchRule>> RULES = new TreeMap<>(Map.ofEntries(
            Map.entry("only adapters use Hadoop", ArchitectureRules::onlyAdaptersUseHadoop),
            Map.entry("only the HDFS adapter uses HDFS", ArchitectureRules::onlyTheHdfsAdapterUsesHdfs),
            Map.entry("nothing depends on adapters", ArchitectureRules::nothingDependsOnAdapters),
            Map.entry("packages depend on earlier ones only", ArchitectureRules::packagesDependOnEarlierOnesOnly),
            Map.entry("packages have no cycles", ArchitectureRules::packagesHaveNoCycles),
            Map.entry("the balancer knows no sibling", ArchitectureRules::balancerDependsOnNoOtherModule),
            Map.entry(
                    "the DataNode knows only Hadoop and our settings",
                    ArchitectureRules::dataNodeDependsOnHadoopAndSettingsOnly),
            Map.entry(
                    "nothing deployed knows testkit or bench",
                    ArchitectureRules::nothingDeployedDependsOnTestkitOrBench),
            Map.entry("the testkit knows no benchmark", ArchitectureRules::testkitDoesNotDependOnBench),
            Map.entry("no ambient clock, chance or thread", ArchitectureRules::purePackagesUseNoClockRandomOrThread),
            Map.entry("nothing but HBase, Hadoop and slf4j", ArchitectureRules::masterJarsUseHBaseHadoopAndSlf4jOnly),
            Map.entry("the master waits for no region's state", ArchitectureRules::masterWaitsForNoRegionStateLock),
            Map.entry("nobody knows the command line", ArchitectureRules::nothingDependsOnCli),
            Map.entry("no web UI is shown a ticket", ArchitectureRules::noWebUiIsAskedByTheClientThatShowsTickets),
            Map.entry(
                    "the command line brings two libraries alone",
                    ArchitectureRules::cliUsesPicocliAndHdrHistogramOnly)));

    private static JavaClasses moduleOf(String name) {
        return new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .withImportOption(location -> location.matches(Pattern.compile(".*/" + name + "/target/.*")))
                .importPackages("io.hearth", "org.apache.hadoop.hbase.master.balancer");
    }

    static Stream<String> rules() {
        return RULES.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("rules")
    void theProductKeeps(String rule) {
        RULES.get(rule).apply(new ArchitectureRules("io.hearth")).check(PRODUCT);
    }

    @Test
    void testkitDoesNotDependOnBench() {
        new ArchitectureRules("io.hearth").testkitDoesNotDependOnBench().check(TESTKIT);
    }

    /** Rules go by packages: a package that no list names would be held by none, nor would one in another module. */
    @Test
    void everyPackageIsInItsModule() {
        assertThat(notIn(COMMON, ArchitectureRules.COMMON_MODULE_PACKAGES)).isEmpty();
        assertThat(COMMON.contain("io.hearth.common.config.Setting")).isTrue();
        assertThat(PRODUCT.stream()
                        .filter(type -> type.getPackageName().startsWith("io.hearth.common"))
                        .filter(type -> !COMMON.contain(type.getName()))
                        .map(JavaClass::getName))
                .as("classes of common that only another module has")
                .isEmpty();
        assertThat(notIn(CLI, ArchitectureRules.CLI_PACKAGES)).isEmpty();
        assertThat(PRODUCT.stream()
                        .filter(type -> ArchitectureRules.CLI_PACKAGES.stream()
                                .anyMatch(name ->
                                        PackageMatcher.of("io.hearth." + name).matches(type.getPackageName())))
                        .filter(type -> !CLI.contain(type.getName()))
                        .map(JavaClass::getName))
                .as("classes of the command line in a jar of the master")
                .isEmpty();
        assertThat(CLI.contain("io.hearth.cli.Main")).isTrue();
        assertThat(notIn(TESTKIT, ArchitectureRules.TESTKIT_PACKAGES)).isEmpty();
        assertThat(notIn(BENCH, ArchitectureRules.BENCH_PACKAGES)).isEmpty();
        assertThat(TESTKIT.contain("io.hearth.testkit.embedded.EmbeddedCluster"))
                .isTrue();
        assertThat(BENCH.contain("io.hearth.demo.DemoCommand")).isTrue();
    }

    private static Stream<String> notIn(JavaClasses module, List<String> packages) {
        List<PackageMatcher> named = packages.stream()
                .map(name -> PackageMatcher.of("io.hearth." + name))
                .toList();
        return module.stream()
                .map(JavaClass::getPackageName)
                .distinct()
                .filter(name -> name.startsWith("io.hearth."))
                .filter(name -> named.stream().noneMatch(matcher -> matcher.matches(name)));
    }

    @ParameterizedTest
    @MethodSource("rules")
    void aFixtureBreaks(String rule) {
        ArchRule ofFixture = RULES.get(rule).apply(new ArchitectureRules(FIXTURE));

        assertThatThrownBy(() -> ofFixture.check(FIXTURES))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(FIXTURE);
    }

    @Test
    void theProductIsThere() {
        assertThat(PRODUCT.contain("io.hearth.balancer.HearthLoadBalancer")).isTrue();
        assertThat(PRODUCT.contain("io.hearth.balancer.planner.DirectedPlanner"))
                .isTrue();
        assertThat(PRODUCT.stream().filter(type -> type.getPackageName().startsWith("io.hearth.testkit")))
                .isEmpty();
    }

    @Test
    void everyPackageIsNullMarked() {
        assertThat(packages().filter(one -> !one.isAnnotatedWith(NullMarked.class)))
                .as("packages without @NullMarked in a package-info.java")
                .isEmpty();
        assertThat(packages().map(JavaPackage::getName)).contains("io.hearth.common.model");
    }

    private static Stream<JavaPackage> packages() {
        return PRODUCT.stream().map(type -> type.getPackage()).distinct().filter(one -> Stream.concat(
                        Stream.concat(
                                ArchitectureRules.COMMON_PACKAGES.stream().map("io.hearth.common."::concat),
                                ArchitectureRules.BALANCER_PACKAGES.stream().map("io.hearth.balancer."::concat)),
                        Stream.concat(
                                Stream.concat(
                                        ArchitectureRules.HEALER_PACKAGES.stream()
                                                .map("io.hearth.healer."::concat),
                                        ArchitectureRules.UI_PACKAGES.stream().map("io.hearth.ui."::concat)),
                                Stream.concat(
                                        ArchitectureRules.PURE_CLI_PACKAGES.stream()
                                                .map("io.hearth.cli."::concat),
                                        Stream.concat(
                                                ArchitectureRules.SLO_PACKAGES.stream()
                                                        .map("io.hearth.slo."::concat),
                                                ArchitectureRules.DATANODE_PACKAGES.stream()
                                                        .map("io.hearth.datanode."::concat)))))
                .anyMatch(one.getName()::equals));
    }

    @Test
    void everyClassIsNullMarked() {
        assertThat(Stream.of(PRODUCT, TESTKIT, BENCH)
                        .flatMap(JavaClasses::stream)
                        .filter(type -> type.isTopLevelClass()
                                && !type.getPackageName().equals("io.hearth.cli.picocli")
                                && !type.getPackageName().startsWith("io.hearth.cli.hdrhistogram")
                                && !type.getPackageName().endsWith(".jmh_generated")
                                && !type.isAnnotatedWith(NullMarked.class)
                                && !type.getPackage().isAnnotatedWith(NullMarked.class))
                        .map(JavaClass::getName))
                .as("classes without @NullMarked, on themselves or in a package-info.java")
                .isEmpty();
    }

    @Test
    void theRootOfTheBalancerHoldsOnlyItsName() {
        assertThat(PRODUCT.stream()
                        .filter(type -> type.getPackageName().equals("io.hearth.balancer"))
                        .map(type -> type.getSimpleName()))
                .containsExactly("HearthLoadBalancer");
    }
}
