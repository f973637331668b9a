// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process;

import io.hearth.cli.ExitCode;
import io.hearth.testkit.command.Commands;
import io.hearth.testkit.process.ClusterFolder.ProcessClusterState;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * A program of HBase's own that is a client of a cluster, and that {@code bin/hearth} becomes, so that the terminal and Ctrl-C are its own: here
 * is only written with which arguments.
 */
final class ClientProgram {

    /** The file that {@code bin/hearth} reads the arguments of the JVM from. */
    private static final String ARGUMENTS_PROPERTY = "hearth.program.arguments";

    /** The folder with the program's jars. */
    private static final String JARS_PROPERTY = "hearth.program.jars";

    private final ClusterFolder folder;
    private final ProcessClusterState state;

    private ClientProgram(ClusterFolder folder, ProcessClusterState state) {
        this.folder = folder;
        this.state = state;
    }

    /** A program for the cluster in that folder. */
    static ClientProgram in(FolderOption folder, CommandSpec spec) throws IOException {
        ClusterFolder cluster = new ClusterFolder(folder.folder());
        return new ClientProgram(
                cluster, cluster.state().orElseThrow(() -> Commands.problem(spec, folder.noClusterMessage())));
    }

    /** The first folder of its class path, for what the program finds there before anything else. */
    Path own() {
        return folder.shell();
    }

    Path logs() {
        return folder.logs();
    }

    /** Writes them: the flags of the cluster's JVMs, these flags, and what the program is called with. */
    void writeArgumentFile(List<String> flags, String mainClass, List<String> words) throws IOException {
        List<String> arguments = new ArrayList<>(DaemonCommandLines.common(folder));
        arguments.addAll(flags);
        arguments.add("-cp");
        arguments.add(own()
                + File.pathSeparator
                + jars()
                + File.pathSeparator
                + Installation.ofThisJvm()
                        .clientClassPath(folder, state.layout().clusterSpec().networkMode()));
        arguments.add(mainClass);
        arguments.addAll(words);
        Files.write(
                Path.of(System.getProperty(ARGUMENTS_PROPERTY)),
                arguments.stream().map(ClientProgram::quoted).toList());
    }

    private static String jars() throws IOException {
        try (Stream<Path> jars = Files.list(Path.of(System.getProperty(JARS_PROPERTY)))) {
            return jars.map(Path::toString).sorted().collect(Collectors.joining(File.pathSeparator));
        }
    }

    /** In the form that java reads from a file: one argument a line, in quotes. */
    private static String quoted(String argument) {
        return '"' + argument.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /**
     * {@code bin/hearth cluster shell}: writes the arguments with which {@code bin/hearth} becomes the HBase shell, so that the terminal and
     * Ctrl-C are the shell's own.
     */
    @Command(
            name = "shell",
            description = {
                "Opens the HBase shell, or runs a script in it.",
                "HBase 2.6.4's own shell can't be had from Maven: this is that of 2.4.17 on 2.6.4's",
                "client, which lacks what came later, as balancer 'dry_run'."
            },
            usageHelpAutoWidth = true,
            footerHeading = "%nExamples:%n",
            footer = {"  bin/hearth cluster shell", "  bin/hearth cluster shell script.rb"})
    static final class ShellCommand implements Callable<Integer> {

        /** The shell's class for tracing was removed from HBase's client. */
        private static final String NO_TRACE =
                "module Shell\n  module Commands\n    class Trace < Command\n    end\n  end\nend\n";

        @Spec
        private CommandSpec spec;

        @Mixin
        private FolderOption folder;

        @Parameters(paramLabel = "SCRIPT", arity = "0..*", description = "a script in Ruby, and its arguments")
        private List<String> script = List.of();

        @Override
        public Integer call() throws IOException {
            ClientProgram shell = ClientProgram.in(folder, spec);
            Path shim = shell.own().resolve("shell/commands/trace.rb");
            Files.createDirectories(shim.getParent());
            Files.writeString(shim, NO_TRACE);
            List<String> words = new ArrayList<>(script);
            if (!script.isEmpty()) {
                // Without it an error in a script is not an exit code.
                words.add(0, "-n");
            }
            shell.writeArgumentFile(
                    List.of("-Xmx512m", "-Dhearth.log=" + shell.logs().resolve("shell.log")),
                    "org.jruby.JarBootstrapMain",
                    words);
            return ExitCode.DONE.code();
        }
    }

    /** {@code bin/hearth cluster pe}: HBase's own PerformanceEvaluation against the cluster. */
    @Command(
            name = "pe",
            description = {
                "Runs HBase's own PerformanceEvaluation, as hbase pe does.",
                "Its clients are threads: there is no MapReduce here. Without arguments it says what it",
                "can do."
            },
            usageHelpAutoWidth = true,
            footerHeading = "%nExamples:%n",
            footer = "  bin/hearth cluster pe --rows=20000 --presplit=8 randomWrite 2")
    static final class PerformanceEvaluationCommand implements Callable<Integer> {

        private static final String THREADS = "--nomapred";

        /** It says what it has measured by its logger. */
        private static final String LOGGING =
                """
                log4j.rootLogger=WARN, out
                log4j.logger.org.apache.hadoop.hbase.PerformanceEvaluation=INFO
                log4j.appender.out=org.apache.log4j.ConsoleAppender
                log4j.appender.out.layout=org.apache.log4j.PatternLayout
                log4j.appender.out.layout.ConversionPattern=%d{HH:mm:ss} %m%n
                """;

        @Spec
        private CommandSpec spec;

        @Mixin
        private FolderOption folder;

        @Parameters(
                paramLabel = "ARGUMENT",
                arity = "0..*",
                description =
                        "its own options, what to do and how many clients, as --rows=10000 --presplit=8 randomWrite 4")
        private List<String> words = List.of();

        @Override
        public Integer call() throws IOException {
            ClientProgram program = ClientProgram.in(folder, spec);
            Files.createDirectories(program.own());
            Path logging = Files.writeString(program.own().resolve("pe-log4j.properties"), LOGGING);
            List<String> all = new ArrayList<>(words);
            if (!words.isEmpty() && !words.contains(THREADS)) {
                all.add(0, THREADS);
            }
            program.writeArgumentFile(
                    List.of("-Xmx1g", "-Dlog4j.configuration=file:" + logging),
                    "org.apache.hadoop.hbase.PerformanceEvaluation",
                    all);
            return ExitCode.DONE.code();
        }
    }
}
