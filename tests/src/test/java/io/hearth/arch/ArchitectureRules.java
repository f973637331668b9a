// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.arch;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.dependOnClassesThat;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.CompositeArchRule;
import java.net.HttpURLConnection;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The rules of docs/architecture.md, for classes under any root package, so that the same rules can be held
 * against the product and against fixtures that break them.
 */
final class ArchitectureRules {

    /** The packages that every jar shares; each may know those before it. */
    static final List<String> COMMON_PACKAGES = List.of("log", "model", "config");

    /** The balancer's packages; each may know those before it. */
    static final List<String> BALANCER_PACKAGES = List.of(
            "config", "heat", "state", "locality", "share", "placement", "plan", "planner", "tracking", "engine");

    /** The healer's packages; each may know those before it. */
    static final List<String> HEALER_PACKAGES = List.of(
            "model",
            "config",
            "spi",
            "queue",
            "plan",
            "metrics",
            "lock",
            "throttle",
            "move",
            "verify",
            "history",
            "estimate",
            "core");

    /** The page's packages; each may know those before it. */
    static final List<String> UI_PACKAGES = List.of("config", "history", "model", "document");

    /** The doctor's packages; each may know those before it. */
    static final List<String> DOCTOR_PACKAGES = List.of("model", "capacity", "check");

    /** The command line's pure packages; each may know those before it. */
    static final List<String> PURE_CLI_PACKAGES = List.of("view", "plan", "install");

    /** The pure packages of the SLO watch; each may know those before it. */
    static final List<String> SLO_PACKAGES =
            List.of("probe", "availability", "event", "store", "objective", "metrics", "report");

    /** The packages of the view of several clusters; each may know those before it. */
    static final List<String> FLEET_PACKAGES = List.of("model", "report");

    /** The packages of the DataNode's jar; each may know those before it. */
    static final List<String> DATANODE_PACKAGES = List.of("config", "deletion", "cache");

    /** The methods of HBase that wait for the lock of a region's state, in 2.5, 2.6 and 3.0 alike. */
    private static final Set<String> REGION_STATE_LOCKS = Set.of(
            "RegionStateNode.lock",
            "RegionStates.checkReopened",
            "RegionStates.getRegionServerOfRegion",
            "RegionStates.getRegionTransitionState",
            "RegionStates.getRegionsOfTableForReopen",
            "RegionStates.isRegionInState",
            "RegionStates.isRegionOffline",
            "RegionStates.isRegionOnline",
            "RegionStates.updateRegionState");

    /** The packages of the module common. */
    static final List<String> COMMON_MODULE_PACKAGES = List.of("common..");

    /** The packages of the module cli. */
    static final List<String> CLI_PACKAGES = List.of("cli..", "slo..", "fleet..");

    /** The packages of the module testkit, with what lies below them. */
    static final List<String> TESTKIT_PACKAGES = List.of("testkit..");

    /** The packages of the module bench. */
    static final List<String> BENCH_PACKAGES = List.of("bench..", "chaos..", "demo..", "sim..");

    private final String root;
    private final DescribedPredicate<JavaClass> adapter;

    ArchitectureRules(String root) {
        this.root = root;
        adapter = resideInAnyPackage(
                        root + ".common.hadoop..",
                        root + ".common.http..",
                        root + ".balancer",
                        root + ".balancer.hbase..",
                        root + ".healer.hbase..",
                        root + ".healer.hdfs..",
                        root + ".ui.hbase..",
                        root + ".admin.rpc..",
                        root + ".cli.client..",
                        root + ".cli.heal..",
                        root + ".slo.hbase..",
                        root + ".slo.hdfs..",
                        root + ".doctor.hbase..",
                        root + ".doctor.hdfs..",
                        root + ".datanode.hdfs..",
                        "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl..",
                        "org.apache.hadoop.hbase.master.balancer..")
                .as("an adapter");
    }

    ArchRule onlyAdaptersUseHadoop() {
        return noClasses()
                .that(arePure())
                .should(dependOnClassesThat(resideInAnyPackage("org.apache.hadoop..", "org.apache.hbase..")
                        .as("are HBase's or Hadoop's")))
                .allowEmptyShould(true);
    }

    ArchRule onlyTheHdfsAdapterUsesHdfs() {
        return noClasses()
                .that(resideInAPackage(root + ".healer..")
                        .and(DescribedPredicate.not(resideInAPackage(root + ".healer.hdfs.."))))
                .should(dependOnClassesThat(
                        resideInAPackage("org.apache.hadoop.hdfs..").as("are HDFS's")))
                .allowEmptyShould(true);
    }

    ArchRule nothingDependsOnAdapters() {
        return noClasses().that(arePure()).should(dependOnClassesThat(adapter)).allowEmptyShould(true);
    }

    ArchRule packagesDependOnEarlierOnesOnly() {
        return CompositeArchRule.of(new ArrayList<>(order(root + ".common.", COMMON_PACKAGES)))
                .and(CompositeArchRule.of(new ArrayList<>(order(root + ".balancer.", BALANCER_PACKAGES))))
                .and(CompositeArchRule.of(new ArrayList<>(order(root + ".healer.", HEALER_PACKAGES))))
                .and(CompositeArchRule.of(new ArrayList<>(order(root + ".doctor.", DOCTOR_PACKAGES))))
                .and(CompositeArchRule.of(new ArrayList<>(order(root + ".ui.", UI_PACKAGES))))
                .and(CompositeArchRule.of(new ArrayList<>(order(root + ".cli.", PURE_CLI_PACKAGES))))
                .and(CompositeArchRule.of(new ArrayList<>(order(root + ".slo.", SLO_PACKAGES))))
                .and(CompositeArchRule.of(new ArrayList<>(order(root + ".fleet.", FLEET_PACKAGES))))
                .and(CompositeArchRule.of(new ArrayList<>(order(root + ".datanode.", DATANODE_PACKAGES))));
    }

    private static List<ArchRule> order(String prefix, List<String> packages) {
        List<ArchRule> rules = new ArrayList<>();
        for (int place = 0; place < packages.size() - 1; place++) {
            String[] later = packages.subList(place + 1, packages.size()).stream()
                    .map(name -> prefix + name + "..")
                    .toArray(String[]::new);
            rules.add(noClasses()
                    .that(resideInAPackage(prefix + packages.get(place) + ".."))
                    .should(dependOnClassesThat(resideInAnyPackage(later)))
                    .allowEmptyShould(true));
        }
        return rules;
    }

    ArchRule packagesHaveNoCycles() {
        return slices().matching(root + ".(*).(*)..").should().beFreeOfCycles().allowEmptyShould(true);
    }

    ArchRule balancerDependsOnNoOtherModule() {
        return noClasses()
                .that(resideInAnyPackage(
                        root + ".common..", root + ".balancer..", "org.apache.hadoop.hbase.master.balancer.."))
                .should(dependOnClassesThat(
                        resideInAnyPackage(root + ".healer..", root + ".doctor..", root + ".ui..", root + ".admin..")))
                .allowEmptyShould(true);
    }

    /** A DataNode has no HBase, and of Hearth what its own jar carries: the settings and the log. */
    ArchRule dataNodeDependsOnHadoopAndSettingsOnly() {
        return classes()
                .that(resideInAnyPackage(
                        root + ".datanode..", "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.."))
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                                "java..",
                                root + ".datanode..",
                                "io.hearth.common..",
                                "org.apache.hadoop..",
                                "org.slf4j..",
                                "org.jspecify..")
                        .and(DescribedPredicate.not(resideInAPackage("org.apache.hadoop.hbase.."))))
                .allowEmptyShould(true);
    }

    /** The JDK's old client answers whoever asks for a ticket, as the user that it runs as, and follows redirects. */
    ArchRule noWebUiIsAskedByTheClientThatShowsTickets() {
        return noClasses()
                .that(isInAMasterJar())
                .should()
                .callMethod(URL.class, "openConnection")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName(HttpURLConnection.class.getName());
    }

    /**
     * HBase holds the lock of a region's state while it writes to hbase:meta. Whoever waits for it with meta offline keeps HBase from
     * assigning meta, where it is on the thread that assigns regions, and from balancing, where it is under the balancer's lock.
     */
    ArchRule masterWaitsForNoRegionStateLock() {
        return noClasses()
                .that(isInAMasterJar())
                .should()
                .accessTargetWhere(DescribedPredicate.<JavaAccess<?>>describe(
                        "it waits for the lock of a region's state",
                        access -> REGION_STATE_LOCKS.contains(
                                access.getTargetOwner().getSimpleName() + "." + access.getName())))
                .allowEmptyShould(true);
    }

    /** What runs inside the HMaster must not lead to the command line, nor to the library that it brings. */
    ArchRule nothingDependsOnCli() {
        return noClasses()
                .that(resideInAnyPackage(
                        root + ".common..",
                        root + ".balancer..",
                        root + ".healer..",
                        root + ".doctor..",
                        root + ".ui..",
                        root + ".admin..",
                        root + ".datanode..",
                        "org.apache.hadoop.hbase.master.balancer..",
                        "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.."))
                .should(dependOnClassesThat(
                        are(CLI_PACKAGES).or(resideInAnyPackage("picocli..", "org.HdrHistogram.."))))
                .allowEmptyShould(true);
    }

    ArchRule cliUsesPicocliAndHdrHistogramOnly() {
        return classes()
                .that(are(CLI_PACKAGES))
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                        "java..",
                        root + "..",
                        "io.hearth.common..",
                        "io.hearth.balancer..",
                        "io.hearth.healer..",
                        "io.hearth.admin..",
                        "io.hearth.ui..",
                        "picocli..",
                        "org.HdrHistogram..",
                        "com.google.protobuf..",
                        "com.sun.net.httpserver..",
                        "javax.security.sasl..",
                        "org.ietf.jgss..",
                        "org.apache.hadoop..",
                        "org.apache.hbase.thirdparty..",
                        "org.slf4j..",
                        "org.jspecify.."))
                .allowEmptyShould(true);
    }

    ArchRule nothingDeployedDependsOnTestkitOrBench() {
        return noClasses()
                .that(resideInAnyPackage(
                        root + ".common..",
                        root + ".balancer..",
                        root + ".healer..",
                        root + ".doctor..",
                        root + ".ui..",
                        root + ".admin..",
                        root + ".datanode..",
                        root + ".cli..",
                        root + ".slo..",
                        root + ".fleet..",
                        "org.apache.hadoop.hbase.master.balancer..",
                        "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.."))
                .should(dependOnClassesThat(are(TESTKIT_PACKAGES).or(are(BENCH_PACKAGES))))
                .allowEmptyShould(true);
    }

    ArchRule testkitDoesNotDependOnBench() {
        return noClasses()
                .that(are(TESTKIT_PACKAGES))
                .should(dependOnClassesThat(are(BENCH_PACKAGES)))
                .allowEmptyShould(true);
    }

    private DescribedPredicate<JavaClass> are(List<String> packages) {
        return resideInAnyPackage(
                packages.stream().map(name -> root + "." + name).toArray(String[]::new));
    }

    ArchRule purePackagesUseNoClockRandomOrThread() {
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

    private DescribedPredicate<JavaClass> isInAMasterJar() {
        return resideInAnyPackage(
                root + ".common..",
                root + ".balancer..",
                root + ".healer..",
                root + ".doctor..",
                root + ".ui..",
                root + ".admin..",
                "org.apache.hadoop.hbase.master.balancer..");
    }

    ArchRule masterJarsUseHBaseHadoopAndSlf4jOnly() {
        return classes()
                .that(isInAMasterJar())
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                        "java..",
                        "javax.net..",
                        "javax.management..",
                        "javax.servlet..",
                        root + "..",
                        "io.hearth.common..",
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
                        root + ".common..",
                        root + ".balancer..",
                        root + ".healer..",
                        root + ".doctor..",
                        root + ".ui..",
                        root + ".admin..",
                        root + ".cli.view..",
                        root + ".cli.plan..",
                        root + ".cli.install..",
                        root + ".slo..",
                        root + ".fleet..",
                        root + ".datanode..")
                .and(DescribedPredicate.not(adapter))
                .as("are in a pure package");
    }
}
