// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.install;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.config.ServerCapacities;
import io.hearth.balancer.config.TableWeights;
import io.hearth.common.config.ConfigProblem;
import io.hearth.common.config.RawSettings;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.doctor.model.ProcessConfig;
import io.hearth.healer.config.HealingSettings;
import io.hearth.healer.config.LoginSettings;
import io.hearth.healer.config.LoginSettings.LoginConfig;
import io.hearth.ui.config.UiSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Holds the site files of a cluster against what Hearth needs: what each property has to become so that nothing of what is there is
 * lost, and what stands in the way whatever is pasted. A pure function of the files; it changes nothing.
 *
 * @param changes every property, in the order in which an operator goes through them
 * @param problems what has to be mended or decided first, each as one sentence
 */
public record InstallCheck(List<Change> changes, List<String> problems) {

    static final String HEARTH_BALANCER = "io.hearth.balancer.HearthLoadBalancer";
    static final List<String> HEARTH_COPROCESSORS =
            List.of("io.hearth.healer.hbase.LocalityHealingObserver", "io.hearth.admin.rpc.HearthAdminEndpoint");
    static final String HEARTH_PAGE = "io.hearth.ui.hbase.HearthUiFilterInitializer";
    private static final String DATASET_PACKAGE = "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.";
    static final String HEARTH_DATASET = DATASET_PACKAGE + "HearthDatasetFactory";
    /** The same by the name that it had before. */
    static final String FORMER_HEARTH_DATASET = DATASET_PACKAGE + "DeletionDelayDatasetFactory";

    private static final String HBASE_SITE = "hbase-site.xml";
    private static final String HDFS_SITE = "hdfs-site.xml";
    private static final String BALANCER = "hbase.master.loadbalancer.class";
    private static final String GROUP_BALANCER = "hbase.rsgroup.grouploadbalancer.class";
    private static final String COPROCESSORS = "hbase.coprocessor.master.classes";
    private static final String COPROCESSORS_ON = "hbase.coprocessor.enabled";
    private static final String AUTHORIZATION = "hbase.security.authorization";
    private static final String ACCESS_CONTROLLER = "org.apache.hadoop.hbase.security.access.AccessController";
    private static final String FILTERS = "hbase.http.filter.initializers";
    private static final String DATASET = "dfs.datanode.fsdataset.factory";
    private static final String STOCK_BALANCER = "org.apache.hadoop.hbase.master.balancer.StochasticLoadBalancer";
    private static final String OF_RSGROUPS = "org.apache.hadoop.hbase.rsgroup.RSGroupBasedLoadBalancer";
    private static final String RSGROUP_ENDPOINT = "org.apache.hadoop.hbase.rsgroup.RSGroupAdminEndpoint";
    /** What hbase-default.xml has, which a value of the site's replaces. */
    private static final String DEFAULT_FILTER = "org.apache.hadoop.hbase.http.lib.StaticUserWebFilter";

    private static final int NEEDED_JAVA = 17;

    public InstallCheck {
        changes = List.copyOf(changes);
        problems = List.copyOf(problems);
    }

    /** What these files lack, and would lose. */
    public static InstallCheck of(SiteFiles files) {
        List<String> problems = new ArrayList<>();
        java(files).ifPresent(problems::add);
        problems.addAll(settings(files));
        authorization(files).ifPresent(problems::add);
        coprocessorsOff(files).ifPresent(problems::add);
        List<Change> changes = new ArrayList<>();
        changes.add(balancer(files, problems));
        changes.add(appended(files, COPROCESSORS, HEARTH_COPROCESSORS, List.of(), false, Optional.empty()));
        changes.add(mode(files, "hearth.balancer.mode"));
        changes.add(mode(files, "hearth.heal.mode"));
        changes.add(appended(
                files,
                FILTERS,
                List.of(HEARTH_PAGE),
                List.of(DEFAULT_FILTER),
                true,
                Optional.of(
                        "The page at /hearth. A RegionServer that reads the same file without the jars does not start, nor does a"
                                + " REST or Thrift server: leave it out there, or give them the jars.")));
        changes.add(dataset(files, problems));
        return new InstallCheck(changes, problems);
    }

    /** Whether the merged values are all that it takes. */
    public boolean isClear() {
        return problems.isEmpty();
    }

    /** What of Hearth's own keys in hbase-site.xml can't be used, by the same reading as in the HMaster. */
    private static List<String> settings(SiteFiles files) {
        RawSettings site = new MapSettings(files.hbase());
        Set<String> problems = new LinkedHashSet<>();
        Stream.of(
                        BalancerConfig.read(
                                        HBASE_SITE,
                                        site,
                                        key -> TableWeights.isSiteKey(key) || ServerCapacities.isSiteKey(key))
                                .problems(),
                        HealingSettings.read(HBASE_SITE, site).problems(),
                        UiSettings.read(HBASE_SITE, site).problems())
                .flatMap(List::stream)
                .map(ConfigProblem::message)
                .forEach(problems::add);
        try {
            Optional<LoginConfig> unused = LoginSettings.read(site);
        } catch (IllegalArgumentException incomplete) {
            problems.add(String.valueOf(incomplete.getMessage()));
        }
        return List.copyOf(problems);
    }

    /** The names alone, as HBase reads them. */
    private static List<String> coprocessors(SiteFiles files) {
        return list(files.ofHBase(COPROCESSORS)).stream()
                .map(ProcessConfig::coprocessorClass)
                .toList();
    }

    /** A list that was replaced where it should have been appended to. Ranger's coprocessor authorizes as well. */
    private static Optional<String> authorization(SiteFiles files) {
        boolean isOn =
                files.ofHBase(AUTHORIZATION).filter("true"::equalsIgnoreCase).isPresent();
        return isOn
                        && coprocessors(files).stream()
                                .noneMatch(name ->
                                        name.endsWith("AccessController") || name.endsWith("AuthorizationCoprocessor"))
                ? Optional.of(AUTHORIZATION + " is true, but " + COPROCESSORS
                        + " in this file has no AccessController: who may"
                        + " create, drop or move something is not checked. Put " + ACCESS_CONTROLLER
                        + " first. If the HMasters"
                        + " read another file, check that one.")
                : Optional.empty();
    }

    /** HBase then loads none of the list, without a word. */
    private static Optional<String> coprocessorsOff(SiteFiles files) {
        return files.ofHBase(COPROCESSORS_ON)
                .filter("false"::equalsIgnoreCase)
                .map(off -> COPROCESSORS_ON
                        + " is false: the HMaster loads no coprocessor, neither Hearth's healer nor what"
                        + " bin/hearth asks. Take it out, and look at what else of " + COPROCESSORS
                        + " is loaded then.");
    }

    private static Change balancer(SiteFiles files, List<String> problems) {
        Optional<String> now = files.ofHBase(BALANCER);
        boolean hasGroups = coprocessors(files).contains(RSGROUP_ENDPOINT);
        if (now.filter(OF_RSGROUPS::equals).isPresent()) {
            if (!hasGroups) {
                problems.add(BALANCER + " is RSGroupBasedLoadBalancer, but " + COPROCESSORS + " in this file has no"
                        + " RSGroupAdminEndpoint: HBase 2 does not start so. Append " + RSGROUP_ENDPOINT
                        + " again. If the HMasters read another file, check that one.");
            }
            Optional<String> inner = files.ofHBase(GROUP_BALANCER);
            inner.filter(other -> !other.equals(STOCK_BALANCER) && !other.equals(HEARTH_BALANCER))
                    .ifPresent(other -> problems.add(replaced(GROUP_BALANCER, other)));
            return new Change(
                    HBASE_SITE,
                    GROUP_BALANCER,
                    inner,
                    HEARTH_BALANCER,
                    List.of(),
                    false,
                    Optional.of(BALANCER + " stays " + OF_RSGROUPS
                            + ", which asks the balancer named here for each group. With Hearth's class there the groups would be lost, and"
                            + " RSGroupAdminEndpoint would stop the HMaster."));
        }
        if (hasGroups) {
            problems.add("hbase.coprocessor.master.classes has RSGroupAdminEndpoint, but " + BALANCER
                    + " in this file is " + now.orElse("not set")
                    + ": HBase 2 does not start so. If the HMasters read another file, check that one.");
        }
        now.filter(other -> !other.equals(STOCK_BALANCER) && !other.equals(HEARTH_BALANCER))
                .ifPresent(other -> problems.add(replaced(BALANCER, other)));
        return new Change(HBASE_SITE, BALANCER, now, HEARTH_BALANCER, List.of(), false, Optional.empty());
    }

    private static String replaced(String key, String other) {
        return key + " is " + other
                + ": Hearth is a StochasticLoadBalancer and takes its place, so whatever that class does"
                + " besides is lost. Decide whether it may be.";
    }

    private static Change mode(SiteFiles files, String key) {
        Optional<String> now = files.ofHBase(key);
        return new Change(
                HBASE_SITE,
                key,
                now,
                now.orElse("advise"),
                List.of(),
                false,
                Optional.of(
                        now.isPresent()
                                ? "It is left as it is."
                                : "Nothing of Hearth's acts until you take it out (or set act) and run update_all_config."));
    }

    private static Change dataset(SiteFiles files, List<String> problems) {
        Optional<String> now = files.ofHdfs(DATASET);
        Optional<String> foreign =
                now.filter(factory -> !factory.equals(HEARTH_DATASET) && !factory.equals(FORMER_HEARTH_DATASET));
        foreign.ifPresent(
                factory -> problems.add(
                        DATASET + " in hdfs-site.xml is " + factory
                                + ": a DataNode has one factory, so leave hearth-datanode.jar out. Balancer and healer work without it."));
        return new Change(
                HDFS_SITE,
                DATASET,
                now,
                now.orElse(HEARTH_DATASET),
                List.of(),
                true,
                Optional.of(
                        foreign.isPresent()
                                ? "It is left as it is."
                                : "Of DataNodes alone, and only with hearth-datanode.jar; a DataNode without the jar does not start with it."));
    }

    /** @param ifAbsent what holds where the site says nothing, and no longer does once it says something */
    private static Change appended(
            SiteFiles files,
            String key,
            List<String> ours,
            List<String> ifAbsent,
            boolean optional,
            Optional<String> note) {
        Optional<String> now = files.ofHBase(key);
        Set<String> merged = new LinkedHashSet<>(now.isPresent() ? list(now) : ifAbsent);
        List<String> lost = merged.stream()
                .filter(entry -> !ours.contains(ProcessConfig.coprocessorClass(entry)))
                .toList();
        List<String> classes =
                merged.stream().map(ProcessConfig::coprocessorClass).toList();
        boolean isDone = classes.containsAll(ours);
        ours.stream().filter(name -> !classes.contains(name)).forEach(merged::add);
        return new Change(
                HBASE_SITE,
                key,
                now,
                isDone ? now.orElseThrow() : String.join(",", merged),
                isDone ? List.of() : lost,
                optional,
                note);
    }

    private static List<String> list(Optional<String> value) {
        return value.map(text -> Arrays.stream(text.split(","))
                        .map(String::strip)
                        .filter(name -> !name.isEmpty())
                        .toList())
                .orElse(List.of());
    }

    private static Optional<String> java(SiteFiles files) {
        if (files.javaVersion().isEmpty()) {
            return Optional.of("The HMaster's Java is not known (" + files.javaFrom() + "): it has to be " + NEEDED_JAVA
                    + " or later. Say which with --java JAVA_HOME.");
        }
        int major = major(files.javaVersion().get());
        return major >= NEEDED_JAVA
                ? Optional.empty()
                : Optional.of("The HMaster's Java is " + files.javaVersion().get() + " (" + files.javaFrom()
                        + "): the jars need " + NEEDED_JAVA
                        + ", and an HMaster that can't load a class that its site names does not start. HBase 2.6 runs on "
                        + NEEDED_JAVA + " as well; change its JAVA_HOME first.");
    }

    /** {@code 1.8.0_392} is 8; what is no version is 0. */
    private static int major(String version) {
        String[] parts = version.split("[.+_-]");
        String major = parts.length > 1 && parts[0].equals("1") ? parts[1] : parts[0];
        return major.matches("\\d{1,4}") ? Integer.parseInt(major) : 0;
    }

    /**
     * What one property of a site file has to be for Hearth, and what it is. Immutable.
     *
     * @param file the file that it belongs into
     * @param key the property
     * @param now its value in that file; empty where it has none
     * @param merged what it has to be, with all that is there already
     * @param lost what a value of Hearth's alone would lose, by full class names
     * @param optional whether Hearth's balancer and healer work without it
     * @param note what else is to be known, as a sentence
     */
    public record Change(
            String file,
            String key,
            Optional<String> now,
            String merged,
            List<String> lost,
            boolean optional,
            Optional<String> note) {

        public Change {
            lost = List.copyOf(lost);
        }

        /** Whether the file says it already. */
        public boolean isDone() {
            return now.filter(merged::equals).isPresent();
        }

        /** The property as it is pasted. */
        public List<String> xml() {
            return List.of(
                    "<property>", "  <name>" + key + "</name>", "  <value>" + merged + "</value>", "</property>");
        }
    }

    /**
     * The files of a host that Hearth is to be installed on, as they are now. Immutable.
     *
     * @param hbase the properties of hbase-site.xml
     * @param hdfs the properties of hdfs-site.xml; empty where there is none
     * @param javaVersion the version of the Java that the HMaster is started with, as {@code 17.0.9} or {@code 1.8.0_392}; empty where it can't be told
     * @param javaFrom where that is known from
     */
    public record SiteFiles(
            Map<String, String> hbase, Map<String, String> hdfs, Optional<String> javaVersion, String javaFrom) {

        public SiteFiles {
            hbase = Map.copyOf(hbase);
            hdfs = Map.copyOf(hdfs);
        }

        Optional<String> ofHBase(String key) {
            return Optional.ofNullable(hbase.get(key)).map(String::strip).filter(value -> !value.isEmpty());
        }

        Optional<String> ofHdfs(String key) {
            return Optional.ofNullable(hdfs.get(key)).map(String::strip).filter(value -> !value.isEmpty());
        }
    }
}
