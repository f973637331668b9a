package io.hearth.arch;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.dependOnClassesThat;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.CompositeArchRule;
import java.util.ArrayList;
import java.util.List;

/**
 * The rules of the house (docs/architecture.md), for a house under any root package, so that the same rules can be held
 * against the product and against fixtures that break them.
 */
final class HouseRules {

    /** The balancer's rooms; each may know those before it. */
    static final List<String> BALANCER_ROOMS = List.of(
            "log",
            "load",
            "config",
            "ingest",
            "heat",
            "snapshot",
            "locality",
            "cost",
            "placement",
            "plan",
            "dump",
            "search",
            "steering",
            "engine");

    /** The healer's rooms; each may know those before it. */
    static final List<String> HEALING_ROOMS = List.of(
            "model",
            "config",
            "observe",
            "trigger",
            "plan",
            "metrics",
            "lock",
            "throttle",
            "execute",
            "verify",
            "history",
            "loop");

    /** The page's rooms; each may know those before it. */
    static final List<String> WEB_ROOMS = List.of("config", "history", "model", "document");

    /** The doctor's rooms; each may know those before it. */
    static final List<String> DOCTOR_ROOMS = List.of("model", "check");
    /** The rooms of what an operator asks for; each may know those before it. */
    static final List<String> OPERATE_ROOMS = List.of("view", "plan", "install");

    /** The rooms of the DataNode's jar; each may know those before it. */
    static final List<String> DATANODE_ROOMS = List.of("config", "grace");

    private final String root;
    private final DescribedPredicate<JavaClass> bridge;

    HouseRules(String root) {
        this.root = root;
        bridge = resideInAnyPackage(
                        root + ".balancer",
                        root + ".balancer.hbase..",
                        root + ".healing.hbase..",
                        root + ".healing.hdfs..",
                        root + ".web.hbase..",
                        root + ".operate.rpc..",
                        root + ".operate.client..",
                        root + ".healing.client..",
                        root + ".doctor.hbase..",
                        root + ".doctor.hdfs..",
                        root + ".datanode.hdfs..",
                        "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl..",
                        "org.apache.hadoop.hbase.master.balancer..")
                .as("a bridge");
    }

    ArchRule onlyBridgesTouchHadoop() {
        return noClasses()
                .that(arePure())
                .should(dependOnClassesThat(resideInAnyPackage("org.apache.hadoop..", "org.apache.hbase..")
                        .as("are HBase's or Hadoop's")))
                .allowEmptyShould(true);
    }

    ArchRule onlyTheHdfsBridgeTouchesHdfs() {
        return noClasses()
                .that(resideInAPackage(root + ".healing..")
                        .and(DescribedPredicate.not(resideInAPackage(root + ".healing.hdfs.."))))
                .should(dependOnClassesThat(
                        resideInAPackage("org.apache.hadoop.hdfs..").as("are HDFS's")))
                .allowEmptyShould(true);
    }

    ArchRule nobodyKnowsABridge() {
        return noClasses().that(arePure()).should(dependOnClassesThat(bridge)).allowEmptyShould(true);
    }

    ArchRule roomsKnowOnlyThoseBeforeThem() {
        return CompositeArchRule.of(new ArrayList<>(order(root + ".balancer.", BALANCER_ROOMS)))
                .and(CompositeArchRule.of(new ArrayList<>(order(root + ".healing.", HEALING_ROOMS))))
                .and(CompositeArchRule.of(new ArrayList<>(order(root + ".doctor.", DOCTOR_ROOMS))))
                .and(CompositeArchRule.of(new ArrayList<>(order(root + ".web.", WEB_ROOMS))))
                .and(CompositeArchRule.of(new ArrayList<>(order(root + ".operate.", OPERATE_ROOMS))))
                .and(CompositeArchRule.of(new ArrayList<>(order(root + ".datanode.", DATANODE_ROOMS))));
    }

    private static List<ArchRule> order(String prefix, List<String> rooms) {
        List<ArchRule> rules = new ArrayList<>();
        for (int room = 0; room < rooms.size() - 1; room++) {
            String[] later = rooms.subList(room + 1, rooms.size()).stream()
                    .map(name -> prefix + name + "..")
                    .toArray(String[]::new);
            rules.add(noClasses()
                    .that(resideInAPackage(prefix + rooms.get(room) + ".."))
                    .should(dependOnClassesThat(resideInAnyPackage(later)))
                    .allowEmptyShould(true));
        }
        return rules;
    }

    ArchRule roomsFormNoCircle() {
        return slices().matching(root + ".(*).(*)..").should().beFreeOfCycles().allowEmptyShould(true);
    }

    ArchRule theBalancerKnowsNoSibling() {
        return noClasses()
                .that(resideInAnyPackage(root + ".balancer..", "org.apache.hadoop.hbase.master.balancer.."))
                .should(dependOnClassesThat(resideInAnyPackage(
                        root + ".healing..", root + ".doctor..", root + ".web..", root + ".operate..")))
                .allowEmptyShould(true);
    }

    /** A DataNode has no HBase, and of Hearth what its own jar carries: the settings and the log. */
    ArchRule theDataNodeKnowsOnlyHadoopAndOurSettings() {
        return classes()
                .that(resideInAnyPackage(
                        root + ".datanode..", "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.."))
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                                "java..",
                                root + ".datanode..",
                                "io.hearth.balancer.config..",
                                "io.hearth.balancer.log..",
                                "org.apache.hadoop..",
                                "org.slf4j..",
                                "org.jspecify..")
                        .and(DescribedPredicate.not(resideInAPackage("org.apache.hadoop.hbase..")))
                        .or(DescribedPredicate.describe("the adapter of a configuration", type -> type.getName()
                                .equals("io.hearth.balancer.hbase.ConfigurationSettings"))))
                .allowEmptyShould(true);
    }

    /** What runs inside the HMaster must not lead to the command line, nor to the library that it brings. */
    ArchRule nobodyKnowsTheCommandLine() {
        return noClasses()
                .that(resideInAnyPackage(
                        root + ".balancer..",
                        root + ".healing..",
                        root + ".doctor..",
                        root + ".web..",
                        root + ".operate..",
                        root + ".datanode..",
                        "org.apache.hadoop.hbase.master.balancer.."))
                .should(dependOnClassesThat(resideInAnyPackage(root + ".cli..", "picocli..")))
                .allowEmptyShould(true);
    }

    ArchRule theCommandLineBringsPicocliAlone() {
        return classes()
                .that(resideInAPackage(root + ".cli.."))
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                        "java..",
                        root + "..",
                        "io.hearth.balancer..",
                        "io.hearth.healing..",
                        "io.hearth.operate..",
                        "io.hearth.web..",
                        "picocli..",
                        "org.apache.hadoop..",
                        "org.apache.hbase.thirdparty..",
                        "org.slf4j..",
                        "org.jspecify.."))
                .allowEmptyShould(true);
    }

    ArchRule nobodyKnowsTheTests() {
        return noClasses()
                .that(resideInAnyPackage(
                        root + ".balancer..",
                        root + ".healing..",
                        root + ".doctor..",
                        root + ".web..",
                        root + ".operate..",
                        root + ".datanode..",
                        root + ".cli.."))
                .should(dependOnClassesThat(resideInAnyPackage(
                        root + ".bench..",
                        root + ".chaos..",
                        root + ".cluster..",
                        root + ".command..",
                        root + ".demo..",
                        root + ".load..",
                        root + ".procs..",
                        root + ".sim..",
                        root + ".snapshotfile..",
                        root + ".tsdb..",
                        root + ".whatif..",
                        root + ".yardstick..")))
                .allowEmptyShould(true);
    }

    ArchRule pureRoomsHaveNoAmbientClockChanceOrThread() {
        return noClasses()
                .that(arePure())
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(java.time.Instant.class, "now")
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .callMethod(Thread.class, "sleep", long.class)
                .orShould()
                .callConstructor(java.util.Random.class)
                .orShould()
                .dependOnClassesThat(resideInAPackage("java.util.concurrent..")
                        .and(DescribedPredicate.describe("start threads or draw lots", type -> type.getSimpleName()
                                .matches(".*(Executors|PoolExecutor|ForkJoinPool|Random)"))))
                .orShould()
                .callConstructor(Thread.class)
                .orShould()
                .callConstructor(Thread.class, Runnable.class)
                .orShould()
                .callConstructor(Thread.class, Runnable.class, String.class)
                .allowEmptyShould(true);
    }

    ArchRule insideTheMasterThereIsNothingButHBaseHadoopAndSlf4j() {
        return classes()
                .that(resideInAnyPackage(
                        root + ".balancer..",
                        root + ".healing..",
                        root + ".doctor..",
                        root + ".web..",
                        root + ".operate..",
                        "org.apache.hadoop.hbase.master.balancer.."))
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                        "java..",
                        "javax.net..",
                        "javax.management..",
                        "javax.servlet..",
                        root + "..",
                        "io.hearth.balancer..",
                        "org.apache.hadoop..",
                        "org.apache.hbase.thirdparty..",
                        "org.slf4j..",
                        "org.jspecify..",
                        "com.google.protobuf..",
                        "com.sun.net.httpserver..",
                        "edu.umd.cs.findbugs.."))
                .allowEmptyShould(true);
    }

    private DescribedPredicate<JavaClass> arePure() {
        return resideInAnyPackage(
                        root + ".balancer..",
                        root + ".healing..",
                        root + ".doctor..",
                        root + ".web..",
                        root + ".operate..",
                        root + ".datanode..")
                .and(DescribedPredicate.not(bridge))
                .as("are in a room that is no bridge");
    }
}
