package io.hearth.arch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the product to the rules of the house, and each rule to a fixture that breaks it. */
class ArchitectureTest {

    private static final String FIXTURE = "io.hearth.arch.fixture";

    private static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("/tests/target/"))
            .withImportOption(location -> location.contains("hearth-") || location.contains("/target/classes/"))
            .importPackages(
                    "io.hearth",
                    "org.apache.hadoop.hbase.master.balancer",
                    "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl");

    private static final JavaClasses FIXTURES = new ClassFileImporter().importPackages(FIXTURE);

    private static final Map<String, Function<HouseRules, ArchRule>> RULES = new TreeMap<>(Map.ofEntries(
            Map.entry("only bridges touch Hadoop", HouseRules::onlyBridgesTouchHadoop),
            Map.entry("only the HDFS bridge touches HDFS", HouseRules::onlyTheHdfsBridgeTouchesHdfs),
            Map.entry("nobody knows a bridge", HouseRules::nobodyKnowsABridge),
            Map.entry("rooms know only those before them", HouseRules::roomsKnowOnlyThoseBeforeThem),
            Map.entry("rooms form no circle", HouseRules::roomsFormNoCircle),
            Map.entry("the balancer knows no sibling", HouseRules::theBalancerKnowsNoSibling),
            Map.entry(
                    "the DataNode knows only Hadoop and our settings",
                    HouseRules::theDataNodeKnowsOnlyHadoopAndOurSettings),
            Map.entry("nobody knows the tests", HouseRules::nobodyKnowsTheTests),
            Map.entry("no ambient clock, chance or thread", HouseRules::pureRoomsHaveNoAmbientClockChanceOrThread),
            Map.entry(
                    "nothing but HBase, Hadoop and slf4j",
                    HouseRules::insideTheMasterThereIsNothingButHBaseHadoopAndSlf4j),
            Map.entry("nobody knows the command line", HouseRules::nobodyKnowsTheCommandLine),
            Map.entry("the command line brings picocli alone", HouseRules::theCommandLineBringsPicocliAlone)));

    static Stream<String> rules() {
        return RULES.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("rules")
    void theProductKeeps(String rule) {
        RULES.get(rule).apply(new HouseRules("io.hearth")).check(PRODUCT);
    }

    @ParameterizedTest
    @MethodSource("rules")
    void aFixtureBreaks(String rule) {
        ArchRule ofFixture = RULES.get(rule).apply(new HouseRules(FIXTURE));

        assertThatThrownBy(() -> ofFixture.check(FIXTURES))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(FIXTURE);
    }

    @Test
    void theProductIsThere() {
        assertThat(PRODUCT.contain("io.hearth.balancer.HearthLoadBalancer")).isTrue();
        assertThat(PRODUCT.contain("io.hearth.balancer.search.DirectedPlanner")).isTrue();
        assertThat(PRODUCT.stream().filter(type -> type.getPackageName().startsWith("io.hearth.cluster")))
                .isEmpty();
    }

    @Test
    void everyRoomIsNullMarked() {
        assertThat(rooms().filter(room -> !room.isAnnotatedWith(NullMarked.class)))
                .as("rooms without @NullMarked in a package-info.java")
                .isEmpty();
        assertThat(rooms().map(JavaPackage::getName)).contains("io.hearth.balancer.load");
    }

    private static Stream<JavaPackage> rooms() {
        return PRODUCT.stream().map(type -> type.getPackage()).distinct().filter(room -> Stream.concat(
                        HouseRules.BALANCER_ROOMS.stream().map("io.hearth.balancer."::concat),
                        Stream.concat(
                                Stream.concat(
                                        HouseRules.HEALING_ROOMS.stream().map("io.hearth.healing."::concat),
                                        HouseRules.WEB_ROOMS.stream().map("io.hearth.web."::concat)),
                                Stream.concat(
                                        HouseRules.OPERATE_ROOMS.stream().map("io.hearth.operate."::concat),
                                        HouseRules.DATANODE_ROOMS.stream().map("io.hearth.datanode."::concat))))
                .anyMatch(room.getName()::equals));
    }

    @Test
    void everyClassIsNullMarked() {
        assertThat(PRODUCT.stream()
                        .filter(type -> type.isTopLevelClass()
                                && !type.getPackageName().equals("io.hearth.cli.picocli")
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
