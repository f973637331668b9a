// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.install;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.cli.install.InstallCheck.Change;
import io.hearth.cli.install.InstallCheck.SiteFiles;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What following docs/install.md would take from a cluster, case by case. */
class InstallCheckTest {

    private static final String COPROCESSORS = "hbase.coprocessor.master.classes";
    private static final String BALANCER = "hbase.master.loadbalancer.class";
    private static final String GROUP_BALANCER = "hbase.rsgroup.grouploadbalancer.class";
    private static final String FILTERS = "hbase.http.filter.initializers";
    private static final String DATASET = "dfs.datanode.fsdataset.factory";
    private static final String ACCESS = "org.apache.hadoop.hbase.security.access.AccessController";
    private static final String RSGROUPS = "org.apache.hadoop.hbase.rsgroup.RSGroupAdminEndpoint";
    private static final String OF_RSGROUPS = "org.apache.hadoop.hbase.rsgroup.RSGroupBasedLoadBalancer";
    private static final String OURS =
            "io.hearth.healer.hbase.LocalityHealingObserver,io.hearth.admin.rpc.HearthAdminEndpoint";
    private static final String HEARTH = "io.hearth.balancer.HearthLoadBalancer";

    private static InstallCheck check(Map<String, String> hbase, Map<String, String> hdfs, String java) {
        return InstallCheck.of(new SiteFiles(hbase, hdfs, Optional.of(java), "hbase-env.sh"));
    }

    private static InstallCheck check(Map<String, String> hbase) {
        return check(hbase, Map.of(), "17.0.9");
    }

    private static Change change(InstallCheck check, String key) {
        return check.changes().stream()
                .filter(change -> change.key().equals(key))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void nothingIsThereYet() {
        InstallCheck check = check(Map.of());

        assertThat(check.isClear()).isTrue();
        assertThat(change(check, BALANCER).merged()).isEqualTo(HEARTH);
        assertThat(change(check, COPROCESSORS).merged()).isEqualTo(OURS);
        assertThat(change(check, "hearth.balancer.mode").merged()).isEqualTo("advise");
        assertThat(change(check, "hearth.heal.mode").merged()).isEqualTo("advise");
        assertThat(change(check, FILTERS).merged())
                .as("HBase's own default counts no more once the site names filters")
                .isEqualTo(
                        "org.apache.hadoop.hbase.http.lib.StaticUserWebFilter,io.hearth.ui.hbase.HearthUiFilterInitializer");
    }

    @Test
    void keysThatNobodyReadsAndValuesThatCanNotBeUsedAreNamedInOneLineEach() {
        InstallCheck check = check(Map.of(
                "hearth.heal.datanode.bandwith", "50MB",
                "hearth.heal.cluster.moves", "0",
                "hearth.heal.rack.bandwidth", "-1",
                "hearth.balancer.mod", "act",
                "hearth.ui.enabled", "perhaps",
                "hearth.healer.kerberos.principal", "hearth@EXAMPLE.COM",
                "hearth.heal.threshold", "0.9"));

        assertThat(check.isClear()).isFalse();
        assertThat(check.problems())
                .containsExactlyInAnyOrder(
                        "hearth.heal.datanode.bandwith in hbase-site.xml is not a key of Hearth and has no effect."
                                + " The nearest known key is hearth.heal.datanode.bandwidth.",
                        "hearth.heal.cluster.moves = '0' in hbase-site.xml can't be used: it must be a whole number from 1 to"
                                + " 10000. 1000 is used instead.",
                        "hearth.heal.rack.bandwidth = '-1' in hbase-site.xml can't be used: it must be a size from 0 to"
                                + " 1000000000000 bytes per second (a number, or one like 64m or 1.5GB). 0 is used instead.",
                        "hearth.balancer.mod in hbase-site.xml is not a key of Hearth and has no effect."
                                + " The nearest known key is hearth.balancer.mode.",
                        "hearth.ui.enabled = 'perhaps' in hbase-site.xml can't be used: it must be true or false. false is used"
                                + " instead.",
                        "hearth.healer.kerberos.principal is set and hearth.healer.keytab.file is not. Set both, or neither"
                                + " to speak to HDFS as the process does.");
    }

    @Test
    void keysOfTablesAndOfDataNodesAreKnown() {
        assertThat(check(Map.of("hearth.datanode.anything", "1", "hearth.heal.cluster.bandwidth", "0"))
                        .problems())
                .isEmpty();
    }

    @Test
    void coprocessorsThatAreThereStayAndComeFirst() {
        Change change = change(
                check(Map.of(COPROCESSORS, " " + ACCESS + " ,\n " + RSGROUPS, BALANCER, OF_RSGROUPS)), COPROCESSORS);

        assertThat(change.merged()).isEqualTo(ACCESS + "," + RSGROUPS + "," + OURS);
        assertThat(change.lost()).containsExactly(ACCESS, RSGROUPS);
        assertThat(change.isDone()).isFalse();
    }

    /** As {@code CoprocessorHost.loadSystemCoprocessors} reads them. */
    @Test
    void aPriorityBehindANameIsNoPartOfIt() {
        String all = OURS.replace(",", "|500,") + "|1000," + RSGROUPS + "|100";
        InstallCheck check = check(Map.of(COPROCESSORS, all, BALANCER, "org.example.Other"));

        assertThat(change(check, COPROCESSORS).isDone()).isTrue();
        assertThat(change(check, COPROCESSORS).merged()).isEqualTo(all);
        assertThat(check.problems()).anyMatch(problem -> problem.contains("has RSGroupAdminEndpoint"));
        String half = ACCESS + "|5,io.hearth.admin.rpc.HearthAdminEndpoint|500";
        assertThat(change(check(Map.of(COPROCESSORS, half)), COPROCESSORS).merged())
                .isEqualTo(half + ",io.hearth.healer.hbase.LocalityHealingObserver");
    }

    @Test
    void oneOfHearthsThatIsThereIsNotNamedTwice() {
        String half = ACCESS + ",io.hearth.admin.rpc.HearthAdminEndpoint";

        assertThat(change(check(Map.of(COPROCESSORS, half)), COPROCESSORS).merged())
                .isEqualTo(half + ",io.hearth.healer.hbase.LocalityHealingObserver");
        assertThat(change(check(Map.of(COPROCESSORS, ACCESS + "," + OURS)), COPROCESSORS)
                        .isDone())
                .isTrue();
    }

    @Test
    void withRsgroupsHearthGoesInside() {
        InstallCheck check = check(Map.of(COPROCESSORS, RSGROUPS, BALANCER, OF_RSGROUPS));

        assertThat(check.isClear()).isTrue();
        assertThat(check.changes())
                .extracting(Change::key)
                .contains(GROUP_BALANCER)
                .doesNotContain(BALANCER);
        assertThat(change(check, GROUP_BALANCER).merged()).isEqualTo(HEARTH);
    }

    @Test
    void rsgroupsWithoutTheirBalancerAreAProblem() {
        assertThat(check(Map.of(COPROCESSORS, RSGROUPS)).problems())
                .containsExactly(
                        "hbase.coprocessor.master.classes has RSGroupAdminEndpoint, but hbase.master.loadbalancer.class in this"
                                + " file is not set: HBase 2 does not start so. If the HMasters read another file, check that one.");
    }

    /** It was pasted in the place of the list that was there. */
    @Test
    void aListThatWasReplacedHasLostTheGroups() {
        InstallCheck check = check(Map.of(COPROCESSORS, OURS, BALANCER, OF_RSGROUPS, GROUP_BALANCER, HEARTH));

        assertThat(check.isClear()).isFalse();
        assertThat(check.problems())
                .containsExactly(
                        "hbase.master.loadbalancer.class is RSGroupBasedLoadBalancer, but hbase.coprocessor.master.classes in"
                                + " this file has no RSGroupAdminEndpoint: HBase 2 does not start so. Append "
                                + RSGROUPS
                                + " again. If the HMasters read another file, check that one.");
    }

    @Test
    void aListThatWasReplacedHasLostTheAuthorization() {
        assertThat(check(Map.of(COPROCESSORS, OURS, "hbase.security.authorization", " TRUE "))
                        .problems())
                .containsExactly(
                        "hbase.security.authorization is true, but hbase.coprocessor.master.classes in this file has no"
                                + " AccessController: who may create, drop or move something is not checked. Put "
                                + ACCESS
                                + " first. If the HMasters read another file, check that one.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ACCESS,
                ACCESS + "|5," + OURS,
                "org.apache.ranger.authorization.hbase.RangerAuthorizationCoprocessor," + OURS
            })
    void whoAuthorizesIsInTheList(String list) {
        assertThat(check(Map.of(COPROCESSORS, list, "hbase.security.authorization", "true"))
                        .isClear())
                .isTrue();
        assertThat(check(Map.of(COPROCESSORS, OURS, "hbase.security.authorization", "false"))
                        .isClear())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        BALANCER + ", org.apache.hadoop.hbase.master.balancer.FavoredStochasticBalancer",
        BALANCER + ", com.example.OurBalancer"
    })
    void anotherBalancerIsLostAndThatIsToBeDecided(String key, String other) {
        InstallCheck check = check(Map.of(key, other));

        assertThat(check.isClear()).isFalse();
        assertThat(check.problems())
                .containsExactly(key + " is " + other
                        + ": Hearth is a StochasticLoadBalancer and takes its place, so whatever that"
                        + " class does besides is lost. Decide whether it may be.");
    }

    @Test
    void anotherBalancerInsideOfRsgroupsToo() {
        assertThat(check(Map.of(
                                COPROCESSORS,
                                RSGROUPS,
                                BALANCER,
                                OF_RSGROUPS,
                                GROUP_BALANCER,
                                "com.example.OurBalancer"))
                        .problems())
                .singleElement()
                .asString()
                .startsWith(GROUP_BALANCER + " is com.example.OurBalancer: ");
    }

    @Test
    void theFiltersOfTheWebUiStay() {
        Change change = change(check(Map.of(FILTERS, "com.example.SpnegoFilter")), FILTERS);

        assertThat(change.merged()).isEqualTo("com.example.SpnegoFilter,io.hearth.ui.hbase.HearthUiFilterInitializer");
        assertThat(change.lost()).containsExactly("com.example.SpnegoFilter");
        assertThat(change.optional()).isTrue();
        assertThat(change.note().orElseThrow())
                .contains("A RegionServer that reads the same file without the jars does not start, nor does a REST or"
                        + " Thrift server");
    }

    /** Broken: "Nothing would be lost so.", and the healer is never there. */
    @Test
    void coprocessorsThatAreSwitchedOffAreSaid() {
        assertThat(check(Map.of("hbase.coprocessor.enabled", "false")).problems())
                .singleElement()
                .asString()
                .startsWith("hbase.coprocessor.enabled is false: the HMaster loads no coprocessor");
        assertThat(check(Map.of("hbase.coprocessor.enabled", "true")).isClear()).isTrue();
    }

    @Test
    void aDatasetFactoryOfOthersStays() {
        InstallCheck check = check(Map.of(), Map.of(DATASET, "com.example.Factory"), "17");

        assertThat(change(check, DATASET).merged()).isEqualTo("com.example.Factory");
        assertThat(check.problems())
                .containsExactly(
                        "dfs.datanode.fsdataset.factory in hdfs-site.xml is com.example.Factory: a DataNode has one"
                                + " factory, so leave hearth-datanode.jar out. Balancer and healer work without it.");
    }

    @ParameterizedTest
    @ValueSource(strings = {InstallCheck.HEARTH_DATASET, InstallCheck.FORMER_HEARTH_DATASET})
    void bothNamesOfOurDatasetFactoryStay(String factory) {
        InstallCheck check = check(Map.of(), Map.of(DATASET, factory), "17");

        assertThat(change(check, DATASET).merged()).isEqualTo(factory);
        assertThat(check.problems()).isEmpty();
    }

    @Test
    void withoutADatasetFactoryOursIsProposed() {
        assertThat(change(check(Map.of(), Map.of(), "17"), DATASET).merged()).isEqualTo(InstallCheck.HEARTH_DATASET);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.8.0_392", "11.0.21", "16", "8"})
    void aJavaThatIsTooOldIsRefusedBeforeTheRestart(String java) {
        assertThat(check(Map.of(), Map.of(), java).problems())
                .containsExactly(
                        "The HMaster's Java is " + java
                                + " (hbase-env.sh): the jars need 17, and an HMaster that can't load"
                                + " a class that its site names does not start. HBase 2.6 runs on 17 as well; change its JAVA_HOME first.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"17", "17.0.9", "21.0.1+12", "25-ea"})
    void aJavaThatIsNewEnoughIsNoProblem(String java) {
        assertThat(check(Map.of(), Map.of(), java).isClear()).isTrue();
    }

    @Test
    void aJavaThatNobodyKnowsIsAProblem() {
        assertThat(InstallCheck.of(new SiteFiles(Map.of(), Map.of(), Optional.empty(), "no JAVA_HOME"))
                        .problems())
                .containsExactly(
                        "The HMaster's Java is not known (no JAVA_HOME): it has to be 17 or later. Say which with --java"
                                + " JAVA_HOME.");
    }

    /** Whatever the files say: what is pasted is what is there and Hearth, and pasting it again changes nothing. */
    @Test
    void pastingTheMergedValuesIsTheEndOfIt() {
        List<Map<String, String>> sites = List.of(
                Map.of(),
                Map.of(COPROCESSORS, ACCESS),
                Map.of(COPROCESSORS, ACCESS + "," + RSGROUPS, BALANCER, OF_RSGROUPS),
                Map.of(COPROCESSORS, OURS, BALANCER, HEARTH, FILTERS, "a.B,c.D", "hearth.balancer.mode", "act"));
        for (Map<String, String> site : sites) {
            InstallCheck first = check(site);
            Map<String, String> hbase = new HashMap<>(site);
            Map<String, String> hdfs = new HashMap<>();
            first.changes().forEach(change -> (change.file().equals("hbase-site.xml") ? hbase : hdfs)
                    .put(change.key(), change.merged()));

            InstallCheck again = check(hbase, hdfs, "17");

            assertThat(again.changes()).allMatch(Change::isDone);
            site.forEach((key, value) -> {
                if (!key.equals(BALANCER)) {
                    assertThat(hbase.get(key).split(",")).as(key).contains(value.split(","));
                }
            });
            assertThat(hbase.get("hearth.balancer.mode"))
                    .isEqualTo(site.getOrDefault("hearth.balancer.mode", "advise"));
        }
    }
}
