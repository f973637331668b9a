// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process;

import io.hearth.cli.ExitCode;
import io.hearth.cli.view.Table;
import io.hearth.testkit.command.Commands;
import io.hearth.testkit.command.OutputOption;
import io.hearth.testkit.embedded.ClusterHost;
import io.hearth.testkit.process.ClientProgram.PerformanceEvaluationCommand;
import io.hearth.testkit.process.ClientProgram.ShellCommand;
import io.hearth.testkit.process.DaemonHealth.Condition;
import io.hearth.testkit.process.layout.Daemon;
import io.hearth.testkit.process.layout.Daemon.DaemonRole;
import io.hearth.testkit.process.system.ProcessTable.ProcessId;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bin/hearth cluster}: a real cluster of processes on this machine, to play with and to test on. */
@Command(
        name = "bin/hearth cluster",
        description = {
            "A real HDFS and HBase with Hearth on this machine: operating-system processes,",
            "on hosts with addresses of their own, until it is stopped."
        },
        subcommands = {
            StartCommand.class,
            ClusterCommand.ClusterStatusCommand.class,
            ClusterCommand.AddHostCommand.class,
            ClusterCommand.RestartCommand.class,
            ShellCommand.class,
            PerformanceEvaluationCommand.class,
            ClusterCommand.StopCommand.class
        },
        synopsisSubcommandLabel = "<command>",
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done; of status: everything serves",
            "1:it could not be done; of status: something does not serve",
            "2:a wrong argument, or there is no such cluster, or one too many"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  bin/hearth cluster start", "  bin/hearth cluster status", "  bin/hearth cluster stop"})
public final class ClusterCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    /** Runs a command and ends the JVM with its exit code. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** The commands as a command line, with exit codes instead of the end of this JVM. */
    public static CommandLine commandLine() {
        CommandLine line = Commands.onCluster(new ClusterCommand());
        // PerformanceEvaluation has options of its own.
        Objects.requireNonNull(line.getSubcommands().get("pe")).setUnmatchedOptionsArePositionalParams(true);
        return line;
    }

    /** No command was named. */
    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE.code();
    }

    /** {@code bin/hearth cluster add-host}. */
    @Command(
            name = "add-host",
            description = {
                "Adds an empty host to the cluster and returns when everything serves.",
                "It has a DataNode and a RegionServer, in the rack with the fewest hosts."
            },
            usageHelpAutoWidth = true,
            footerHeading = "%nExamples:%n",
            footer = "  bin/hearth cluster add-host")
    static final class AddHostCommand implements Callable<Integer> {

        private static final Duration LIMIT = Duration.ofMinutes(2);

        @Spec
        private CommandSpec spec;

        @Mixin
        private FolderOption folder;

        @Override
        public Integer call() throws IOException, InterruptedException {
            try (ProcessCluster cluster = folder.open(spec)) {
                ClusterHost host = cluster.addHost(LIMIT);
                spec.commandLine()
                        .getOut()
                        .println("Added " + host.name() + ", " + host.address() + " in " + host.rack()
                                + "; everything serves.");
            }
            spec.commandLine().getOut().flush();
            return ExitCode.DONE.code();
        }
    }

    /** {@code bin/hearth cluster status}. */
    @Command(
            name = "status",
            description = "Says how each process of the cluster is.",
            usageHelpAutoWidth = true,
            footerHeading = "%nExamples:%n",
            footer = {"  bin/hearth cluster status", "  bin/hearth cluster status --output json"})
    static final class ClusterStatusCommand implements Callable<Integer> {

        @Spec
        private CommandSpec spec;

        @Mixin
        private OutputOption output;

        @Mixin
        private FolderOption folder;

        @Override
        public Integer call() throws IOException, InterruptedException {
            List<DaemonHealth> daemons = ProcessCluster.health(folder.folder())
                    .orElseThrow(() -> Commands.problem(spec, folder.noClusterMessage()));
            long serving = daemons.stream()
                    .filter(health -> health.condition() == Condition.SERVING)
                    .count();
            List<DaemonDocument> documents =
                    daemons.stream().map(DaemonDocument::of).toList();
            output.print(table(documents), documents);
            output.say(serving + " of " + daemons.size() + " processes serve.");
            return serving == daemons.size() ? ExitCode.DONE.code() : ExitCode.INCOMPLETE.code();
        }

        private static Table table(List<DaemonDocument> daemons) {
            return Table.of(
                    daemons,
                    List.of(
                            Table.left("process", DaemonDocument::process),
                            Table.left("host", DaemonDocument::host),
                            Table.left("address", DaemonDocument::address),
                            Table.left("rack", DaemonDocument::rack),
                            Table.<DaemonDocument>left(
                                            "pid", daemon -> daemon.pid == null ? "-" : daemon.pid.toString())
                                    .inCsv(daemon -> daemon.pid == null ? "" : daemon.pid.toString()),
                            Table.<DaemonDocument>left(
                                            "condition", "is", daemon -> (daemon.condition + " " + daemon.detail)
                                                    .strip())
                                    .inCsv(DaemonDocument::condition),
                            new Table.RowColumn<>(Table.Column.inCsv("detail"), daemon -> "", DaemonDocument::detail)));
        }

        /**
         * A process in JSON.
         *
         * @param pid {@code null} if it was never started
         * @param condition a {@link Condition} in small letters
         */
        private record DaemonDocument(
                String process,
                String host,
                String address,
                String rack,
                @Nullable Long pid,
                String condition,
                String detail) {

            static DaemonDocument of(DaemonHealth health) {
                ClusterHost host = health.daemon().host();
                return new DaemonDocument(
                        health.daemon().name(),
                        host.name(),
                        host.address(),
                        host.rack(),
                        health.process().map(ProcessId::pid).orElse(null),
                        health.condition().name().toLowerCase(Locale.ROOT),
                        health.detail());
            }
        }
    }

    /** {@code bin/hearth cluster restart}. */
    @Command(
            name = "restart",
            description = {
                "Ends and restarts the processes of a kind, one after the other.",
                "The end is by kill -9; the start has the configuration and the lib folder as they are now."
            },
            sortOptions = false,
            usageHelpAutoWidth = true,
            footerHeading = "%nExamples:%n",
            footer = {
                "  bin/hearth cluster restart REGIONSERVER",
                "  bin/hearth cluster restart MASTER --host master1 --gracefully"
            })
    static final class RestartCommand implements Callable<Integer> {

        /** For each of them: where several clusters share two processors, a new HMaster took more than three minutes. */
        private static final Duration LIMIT = Duration.ofMinutes(6);

        private static final Duration END_LIMIT = Duration.ofMinutes(1);

        @Spec
        private CommandSpec spec;

        @Parameters(paramLabel = "ROLE", description = "MASTER, REGIONSERVER, NAMENODE or DATANODE")
        private DaemonRole role;

        @Option(
                names = "--host",
                paramLabel = "HOST",
                description = "the one on this host alone (default: each of them)")
        private Optional<String> host = Optional.empty();

        @Option(
                names = "--gracefully",
                description = "the end is by kill -TERM, and one that runs still after a minute is an error")
        private boolean gracefully;

        @Mixin
        private FolderOption folder;

        @Override
        public Integer call() throws IOException, InterruptedException {
            try (ProcessCluster cluster = folder.open(spec)) {
                List<Daemon> daemons = cluster.layout().daemons(role).stream()
                        .filter(daemon -> host.filter(
                                        name -> !name.equals(daemon.host().name()))
                                .isEmpty())
                        .toList();
                if (daemons.isEmpty()) {
                    throw Commands.problem(
                            spec,
                            "there is no " + role.word()
                                    + host.map(name -> " on " + name).orElse(""));
                }
                for (Daemon daemon : daemons) {
                    if (gracefully) {
                        cluster.end(daemon, END_LIMIT);
                    } else {
                        cluster.kill(daemon);
                    }
                    cluster.repair(LIMIT);
                }
                spec.commandLine()
                        .getOut()
                        .println("Restarted " + daemons.size() + " of "
                                + role.name().toLowerCase(Locale.ROOT) + "; everything serves.");
            }
            spec.commandLine().getOut().flush();
            return ExitCode.DONE.code();
        }
    }

    /** {@code bin/hearth cluster stop}. */
    @Command(
            name = "stop",
            description = {
                "Ends the cluster and takes everything of it away.",
                "Processes, network, data and logs, also if its start was killed half way.",
                "What others have put into those folders goes with them."
            },
            usageHelpAutoWidth = true,
            footerHeading = "%nExamples:%n",
            footer = "  bin/hearth cluster stop")
    static final class StopCommand implements Callable<Integer> {

        @Spec
        private CommandSpec spec;

        @Mixin
        private FolderOption folder;

        @Override
        public Integer call() throws IOException, InterruptedException {
            try (ProcessCluster cluster = folder.open(spec)) {
                cluster.stop();
            }
            spec.commandLine().getOut().println("Stopped; nothing of it is left.");
            spec.commandLine().getOut().flush();
            return ExitCode.DONE.code();
        }
    }
}
