package io.hearth.procs;

import io.hearth.command.Commands;
import io.hearth.procs.layout.ClusterLayout;
import io.hearth.procs.layout.Role;
import io.hearth.procs.layout.Shape;
import io.hearth.procs.layout.Wiring;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
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
        usageHelpAutoWidth = true)
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
    private Optional<Wiring> wiring = Optional.empty();

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

    @Mixin
    private FolderOption folder;

    @Override
    public Integer call() throws InterruptedException {
        Optional<String> noNamespaces =
                wiring.equals(Optional.of(Wiring.LOOPBACK)) ? Optional.of("as asked for") : Network.whyNoNamespaces();
        Shape shape = new Shape(
                hosts,
                racks,
                masters,
                nameNodes,
                noNamespaces.isEmpty() ? Wiring.NAMESPACES : Wiring.LOOPBACK,
                latencyMs,
                nicMegabits,
                diskMegabytes,
                ownClocks,
                hbaseUser,
                !stock,
                settings);
        List<String> problems = shape.problems();
        if (wiring.equals(Optional.of(Wiring.NAMESPACES)) && noNamespaces.isPresent()) {
            problems.add("--wiring NAMESPACES can't be had: " + noNamespaces.get());
        }
        problems.forEach(problem -> spec.commandLine().getErr().println("hearth cluster: " + problem));
        if (!problems.isEmpty()) {
            return Commands.WRONG_ARGUMENT;
        }
        noNamespaces.ifPresent(why -> say("On loopback addresses, without network namespaces: " + why));
        return start(shape);
    }

    private int start(Shape shape) throws InterruptedException {
        try (ProcessCluster cluster = ProcessCluster.create(folder.folder(), shape)) {
            return start(cluster);
        } catch (IOException e) {
            spec.commandLine().getErr().println("hearth cluster: " + e.getMessage());
            return Commands.WRONG_ARGUMENT;
        }
    }

    private int start(ProcessCluster cluster) throws InterruptedException, IOException {
        long startNanos = System.nanoTime();
        Thread clearAway = new Thread(() -> clearAway(cluster), "clear away");
        Runtime.getRuntime().addShutdownHook(clearAway);
        try {
            say("Starting " + cluster.layout().members().size() + " processes on hosts with "
                    + cluster.layout().shape().wiring().words() + "; logs in " + folder.folder() + "/logs");
            cluster.start(LIMIT);
        } catch (IOException e) {
            spec.commandLine().getErr().println("hearth cluster: " + e.getMessage());
            cluster.stopButKeepLogs();
            return Commands.BROKEN;
        } finally {
            Runtime.getRuntime().removeShutdownHook(clearAway);
        }
        report(cluster, (System.nanoTime() - startNanos) / 1_000_000_000);
        return Commands.HOLDS;
    }

    /** Ctrl-C during the start. */
    private void clearAway(ProcessCluster cluster) {
        try {
            cluster.stop();
        } catch (IOException | InterruptedException e) {
            spec.commandLine().getErr().println("hearth cluster: " + e.getMessage());
        }
    }

    private void report(ProcessCluster cluster, long seconds) {
        ClusterLayout layout = cluster.layout();
        say("Everything serves, after " + seconds + " s.");
        say("   HBase    " + page(layout, Role.MASTER) + "  HDFS  " + page(layout, Role.NAMENODE));
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

    private static String page(ClusterLayout layout, Role role) {
        return layout.members().stream()
                .filter(member -> member.role() == role)
                .map(member -> "http://" + member.host().address() + ":" + role.watchedPort())
                .findFirst()
                .orElseThrow();
    }

    private void say(String line) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }
}
