// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process;

import io.hearth.cli.ExitCode;
import io.hearth.testkit.embedded.ClusterHost;
import io.hearth.testkit.process.layout.ClusterLayout;
import io.hearth.testkit.process.layout.ClusterSpec;
import io.hearth.testkit.process.layout.ClusterSpec.NetworkMode;
import io.hearth.testkit.process.layout.Daemon.DaemonRole;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bin/hearth cluster start}. */
@Command(
        name = "start",
        description = {
            "Starts a cluster and returns when everything serves.",
            "It is a NameNode, ZooKeeper, HMasters, and hosts with a DataNode and a RegionServer",
            "each. Where root has network namespaces each host has one, else an address of the",
            "loopback device."
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        footerHeading = "%nExamples:%n",
        footer = "  bin/hearth cluster start --hosts 4 --masters 2")
final class StartCommand implements Callable<Integer> {

    private static final Duration LIMIT = Duration.ofMinutes(4);

    @Spec
    private CommandSpec spec;

    @Option(names = "--hosts", paramLabel = "N", defaultValue = "4", description = "hosts, 1 to 12 (default 4)")
    private int hosts;

    @Option(names = "--racks", paramLabel = "R", defaultValue = "2", description = "racks, 1 to N (default 2)")
    private int racks;

    @Option(names = "--masters", paramLabel = "M", defaultValue = "1", description = "HMasters, 1 to 3 (default 1)")
    private int masters;

    @Option(
            names = "--namenodes",
            paramLabel = "N",
            defaultValue = "1",
            description = "NameNodes, 1 or 2: the second takes over when the first dies (default 1)")
    private int nameNodes;

    @Option(
            names = "--wiring",
            paramLabel = "HOW",
            description = "${COMPLETION-CANDIDATES} (default: namespaces where they can be had)")
    private Optional<NetworkMode> networkMode = Optional.empty();

    @Option(
            names = "--latency-ms",
            paramLabel = "MS",
            defaultValue = "0",
            description = "round trip between two racks, by tc netem (default: not shaped)")
    private double latencyMs;

    @Option(
            names = "--nic-mbit",
            paramLabel = "N",
            defaultValue = "0",
            description = "megabits per second of a host's NIC, each way, by tc tbf (default: not shaped)")
    private int nicMegabits;

    @Option(
            names = "--disk-mb",
            paramLabel = "N",
            defaultValue = "0",
            description = "megabytes of memory as a disk for each DataNode, so that it can be full (default: folders)")
    private int diskMegabytes;

    @Option(
            names = "--ssd-mb",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "megabytes of memory as an SSD for each DataNode, on which Hearth caches reads (default: none)")
    private int ssdMegabytes;

    @Option(names = "--clocks", description = "hosts with wall clocks of their own, by a Java agent")
    private boolean ownClocks;

    @Option(names = "--hbase-user", description = "HBase as a user of its own to HDFS, who is no superuser")
    private boolean hbaseUser;

    @Option(names = "--stock", description = "without Hearth")
    private boolean stock;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "a line for hdfs-site.xml and hbase-site.xml, any number of times")
    private Map<String, String> settings = Map.of();

    @Option(
            names = "--jar",
            paramLabel = "[HOST=]FILE",
            description = "a jar of yours for the class path of all servers, or those of a host, any number of times")
    private List<String> jars = List.of();

    @Option(
            names = "--hbase",
            paramLabel = "DIR",
            description = "HMasters and RegionServers of an unpacked release, as its bin/hbase has their class path")
    private Optional<Path> release = Optional.empty();

    @Option(
            names = "--hadoop",
            paramLabel = "DIR",
            description = "NameNodes and DataNodes of an unpacked release, as its bin/hadoop has their class path")
    private Optional<Path> hadoopRelease = Optional.empty();

    @Mixin
    private FolderOption folder;

    @Override
    public Integer call() throws InterruptedException {
        Optional<String> noNamespaces = networkMode.equals(Optional.of(NetworkMode.LOOPBACK))
                ? Optional.of("as asked for")
                : Network.whyNoNamespaces();
        ClusterSpec clusterSpec = new ClusterSpec(
                hosts,
                racks,
                masters,
                nameNodes,
                noNamespaces.isEmpty() ? NetworkMode.NAMESPACES : NetworkMode.LOOPBACK,
                latencyMs,
                nicMegabits,
                diskMegabytes,
                ssdMegabytes,
                ownClocks,
                hbaseUser,
                !stock,
                settings);
        List<String> problems = clusterSpec.problems();
        if (networkMode.equals(Optional.of(NetworkMode.NAMESPACES)) && noNamespaces.isPresent()) {
            problems.add("--wiring NAMESPACES can't be had: " + noNamespaces.get());
        }
        if (problems.isEmpty()) {
            problems.addAll(problemsOfJars(clusterSpec));
            release.filter(home -> !Files.isExecutable(home.resolve("bin/hbase")))
                    .ifPresent(home -> problems.add("--hbase " + home
                            + " has no bin/hbase that can be run; name the folder of an unpacked release of HBase"));
            hadoopRelease
                    .filter(home -> !Files.isExecutable(home.resolve("bin/hadoop")))
                    .ifPresent(home -> problems.add("--hadoop " + home
                            + " has no bin/hadoop that can be run; name the folder of an unpacked release of Hadoop"));
        }
        problems.forEach(problem -> spec.commandLine().getErr().println("hearth cluster start: " + problem));
        if (!problems.isEmpty()) {
            return ExitCode.USAGE.code();
        }
        noNamespaces.ifPresent(why -> say("On loopback addresses, without network namespaces: " + why));
        return start(clusterSpec);
    }

    /** One line for each that is no jar, or for a host that there will not be. */
    private List<String> problemsOfJars(ClusterSpec clusterSpec) {
        List<String> hostNames = new ClusterLayout(clusterSpec, "", 1)
                .hosts().stream().map(ClusterHost::name).toList();
        List<String> problems = new ArrayList<>();
        for (String jar : jars) {
            int equals = jar.indexOf('=');
            if (equals >= 0 && !hostNames.contains(jar.substring(0, equals))) {
                problems.add("--jar " + jar + " names no host; there will be " + String.join(", ", hostNames));
            } else if (!jar.endsWith(".jar") || !Files.isReadable(Path.of(jar.substring(equals + 1)))) {
                problems.add("--jar " + jar + " names no jar that can be read; allowed are FILE.jar and HOST=FILE.jar");
            }
        }
        return problems;
    }

    private int start(ClusterSpec clusterSpec) throws InterruptedException {
        try (ProcessCluster cluster = ProcessCluster.create(folder.folder(), clusterSpec)) {
            for (String jar : jars) {
                add(jar, cluster);
            }
            if (release.isPresent()) {
                cluster.useRelease(release.get());
            }
            if (hadoopRelease.isPresent()) {
                cluster.useHadoopRelease(hadoopRelease.get());
            }
            return start(cluster);
        } catch (IOException e) {
            spec.commandLine().getErr().println("hearth cluster start: " + e.getMessage());
            return ExitCode.USAGE.code();
        }
    }

    private static void add(String jar, ProcessCluster cluster) throws IOException {
        int equals = jar.indexOf('=');
        if (equals < 0) {
            cluster.addJar(Path.of(jar));
            return;
        }
        String name = jar.substring(0, equals);
        ClusterHost host = cluster.layout().hosts().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
        cluster.addJar(Path.of(jar.substring(equals + 1)), host);
    }

    private int start(ProcessCluster cluster) throws InterruptedException, IOException {
        long startNanos = System.nanoTime();
        Thread clearAway = new Thread(() -> clearAway(cluster), "clear away");
        Runtime.getRuntime().addShutdownHook(clearAway);
        try {
            say("Starting " + cluster.layout().daemons().size() + " processes on hosts with "
                    + cluster.layout().clusterSpec().networkMode().words() + "; logs in " + folder.folder() + "/logs");
            cluster.start(LIMIT);
        } catch (IOException e) {
            spec.commandLine().getErr().println("hearth cluster start: " + e.getMessage());
            cluster.stopButKeepLogs();
            return ExitCode.INCOMPLETE.code();
        } finally {
            Runtime.getRuntime().removeShutdownHook(clearAway);
        }
        report(cluster, (System.nanoTime() - startNanos) / 1_000_000_000);
        return ExitCode.DONE.code();
    }

    /** Ctrl-C during the start. */
    private void clearAway(ProcessCluster cluster) {
        try {
            cluster.stop();
        } catch (IOException | InterruptedException e) {
            spec.commandLine().getErr().println("hearth cluster start: " + e.getMessage());
        }
    }

    private void report(ProcessCluster cluster, long seconds) {
        ClusterLayout layout = cluster.layout();
        say("Everything serves, after " + seconds + " s.");
        say("   HBase    " + page(layout, DaemonRole.MASTER) + "  HDFS  " + page(layout, DaemonRole.NAMENODE));
        say("   hosts    "
                + String.join(
                        ", ",
                        layout.workers().stream()
                                .map(host -> host.name() + " " + host.address() + " " + host.rack())
                                .toList()));
        say("   clients  -Djdk.net.hosts.file=" + cluster.conf().resolve("hosts") + " and " + cluster.conf()
                + " on the class path");
        say("   logs     " + folder.folder().resolve("logs"));
        say("   next     bin/hearth cluster status, bin/hearth cluster shell, bin/hearth cluster stop");
    }

    private static String page(ClusterLayout layout, DaemonRole role) {
        return layout.daemons().stream()
                .filter(daemon -> daemon.role() == role)
                .map(daemon -> "http://" + daemon.host().address() + ":" + role.watchedPort())
                .findFirst()
                .orElseThrow();
    }

    private void say(String line) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }
}
