// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.healer.hbase.HealerUser;
import io.hearth.slo.hdfs.HdfsWatch;
import io.hearth.slo.objective.ObjectivesFile;
import io.hearth.slo.store.SloStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bin/hearth slo run}: probes a cluster until it is stopped. */
@Command(
        name = "run",
        description = {
            "Probes every server until it is stopped, and prints a line each minute.",
            "A get and a put a second of each RegionServer, in a canary table that it makes; 64 KiB",
            "written to and read from each DataNode a minute; a call of each NameNode and a read of the",
            "registry a second. A probe counts from when it was due: a server that stands still hides",
            "nothing. It logs in as the healer does. What can't be asked is asked again.",
            ""
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "1:an error of its own, such as too little memory; the last line says which",
            "2:a wrong argument",
            "4:no host of ZooKeeper's has an address",
            "5:the login failed",
            "143:stopped by SIGTERM, 130 by Ctrl-C"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  bin/hearth slo run", "  bin/hearth slo run --objectives conf/slo-objectives.txt --metrics 9469"})
final class SloRunCommand implements Callable<Integer> {

    private static final double MIN_RATE = 0.1;
    private static final double MAX_RATE = 100;
    private static final int MAX_PORT = 65_535;

    /** Each has connections of its own to all RegionServers. */
    private static final int MAX_TIMEOUTS = 8;

    /** A read is given up after 10 s. */
    private static final int MAX_TIMEOUT_MS = 9_000;

    private static final Pattern ADDRESS = Pattern.compile("(?:([^:]+|\\[[0-9a-fA-F:]+\\]):)?([0-9]{1,6})");

    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOptions cluster;

    @Option(
            names = "--instance",
            paramLabel = "NAME",
            description = {
                "the name of this daemon among those of the cluster: letters, digits, . _ -, up to 64",
                "(default: this host's name)"
            })
    private @Nullable String instance;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "gets and puts of each RegionServer a second, 0.1 to 100 (default: 1)")
    private double rate = 1;

    @Option(
            names = "--table",
            paramLabel = "TABLE",
            description = "reads a row of this table a second from each server too; may be given again")
    private List<String> tables = new ArrayList<>();

    @Option(
            names = "--timeline-timeouts",
            paramLabel = "MS",
            split = ",",
            description = {
                "reads rows of the --table tables that have region replicas by timeline consistency too,",
                "one a second from each server, in turn with each of these times in ms for which the client",
                "waits for the primary alone: 10,100,1000 say (default: none)"
            })
    private List<Integer> timelineTimeouts = new ArrayList<>();

    @Option(
            names = "--hdfs-folder",
            paramLabel = "DIR",
            description = {
                "a folder in HDFS of its own, where the probes of DataNodes write",
                "(default: " + HdfsWatch.DEFAULT_FOLDER + ")"
            })
    private String hdfsFolder = HdfsWatch.DEFAULT_FOLDER;

    @Mixin
    private SloStoreOptions stored;

    @Option(
            names = "--metrics",
            paramLabel = "[HOST:]PORT",
            description = {"where Prometheus reads /metrics; without a host on this machine alone", "(default: nowhere)"
            })
    private @Nullable String metrics;

    SloRunCommand() {}

    @Override
    public Integer call() throws IOException {
        SloDaemon.Options options = options();
        ObjectivesFile objectives = stored.objectives(spec);
        Configuration site = cluster.site();
        HealerUser user = HealerUser.login(site);
        PrintWriter out = spec.commandLine().getOut();
        SloRecorder recorder = recorder(options.instance(), objectives);
        try {
            new SloDaemon(site, user, options, recorder, out).run();
        } catch (BindException taken) {
            recorder.close();
            throw cluster.problem("--metrics is " + metrics + ", which can't be had: " + taken.getMessage());
        }
        return ExitCode.DONE.code();
    }

    private SloRecorder recorder(String name, ObjectivesFile objectives) {
        PrintWriter err = spec.commandLine().getErr();
        try {
            return SloRecorder.open(
                    stored.folder(), name, objectives, System.currentTimeMillis(), problem -> err.println(problem));
        } catch (IOException unusable) {
            throw cluster.problem("--folder can't be used: " + Main.localProblem(unusable));
        }
    }

    private Optional<InetSocketAddress> metricsAddress() {
        if (metrics == null) {
            return Optional.empty();
        }
        Matcher parts = ADDRESS.matcher(metrics);
        int port = parts.matches() ? Integer.parseInt(parts.group(2)) : 0;
        if (port < 1 || port > MAX_PORT) {
            throw cluster.problem("--metrics is " + metrics + "; it must be a port, 1 to 65535, or HOST:PORT");
        }
        InetSocketAddress address = parts.group(1) == null
                ? new InetSocketAddress(InetAddress.getLoopbackAddress(), port)
                : new InetSocketAddress(parts.group(1), port);
        if (address.isUnresolved()) {
            throw cluster.problem("--metrics is " + metrics + "; no address is known for that host");
        }
        return Optional.of(address);
    }

    private SloDaemon.Options options() {
        if (!(rate >= MIN_RATE && rate <= MAX_RATE)) {
            throw cluster.problem("--rate is " + rate + "; allowed are 0.1 to 100");
        }
        String name = Optional.ofNullable(instance).orElseGet(() -> instanceOf(hostName()));
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0," + (SloStore.MOST_INSTANCE_CHARACTERS - 1) + "}")) {
            throw cluster.problem("--instance is " + name + "; it must be up to " + SloStore.MOST_INSTANCE_CHARACTERS
                    + " letters, digits, dots, underscores and hyphens, a letter or digit first");
        }
        if (!hdfsFolder.matches("/[^/:]+(/[^/:]+)*")) {
            throw cluster.problem("--hdfs-folder is " + hdfsFolder + "; it must be a folder in HDFS, from its root");
        }
        return new SloDaemon.Options(
                name,
                rate,
                tables.stream().map(this::tableName).toList(),
                timelineTimeoutsMs(),
                new Path(hdfsFolder),
                metricsAddress());
    }

    private List<Integer> timelineTimeoutsMs() {
        if (timelineTimeouts.size() > MAX_TIMEOUTS
                || timelineTimeouts.stream().anyMatch(timeout -> timeout < 1 || timeout > MAX_TIMEOUT_MS)) {
            throw cluster.problem("--timeline-timeouts is "
                    + timelineTimeouts.stream().map(String::valueOf).collect(Collectors.joining(","))
                    + "; it must be up to " + MAX_TIMEOUTS + " times in ms, each from 1 to " + MAX_TIMEOUT_MS);
        }
        if (!timelineTimeouts.isEmpty() && tables.isEmpty()) {
            throw cluster.problem("--timeline-timeouts needs --table, which says whose rows are read");
        }
        return timelineTimeouts.stream().distinct().sorted().toList();
    }

    private TableName tableName(String name) {
        try {
            return TableName.valueOf(name);
        } catch (IllegalArgumentException impossible) {
            throw cluster.problem("--table is " + name + "; it must be the name of a table");
        }
    }

    /** A host's name has up to 253 characters. */
    static String instanceOf(String host) {
        return host.substring(0, Math.min(host.length(), SloStore.MOST_INSTANCE_CHARACTERS));
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unknown) {
            return "slo";
        }
    }
}
