package io.hearth.procs;

import io.hearth.command.Commands;
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
        usageHelpAutoWidth = true)
final class ShellCommand implements Callable<Integer> {

    /** The file that {@code bin/hearth} reads the arguments of the JVM from. */
    private static final String ARGUMENTS_PROPERTY = "hearth.shell.arguments";

    /** The folder with the jars of the shell and of JRuby. */
    private static final String JARS_PROPERTY = "hearth.shell.jars";

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
        ClusterFolder cluster = new ClusterFolder(folder.folder());
        ClusterState state = cluster.state().orElseThrow(() -> Commands.problem(spec, folder.none()));
        Path shim = cluster.shell().resolve("shell/commands/trace.rb");
        Files.createDirectories(shim.getParent());
        Files.writeString(shim, NO_TRACE);
        String classPath = cluster.shell()
                + File.pathSeparator
                + jars()
                + File.pathSeparator
                + Installation.ofThisJvm()
                        .serverClassPath(cluster, state.layout().shape().wiring());
        Files.write(Path.of(System.getProperty(ARGUMENTS_PROPERTY)), arguments(cluster, classPath));
        return Commands.HOLDS;
    }

    private static String jars() throws IOException {
        try (Stream<Path> jars = Files.list(Path.of(System.getProperty(JARS_PROPERTY)))) {
            return jars.map(Path::toString).sorted().collect(Collectors.joining(File.pathSeparator));
        }
    }

    /** In the form that java reads from a file: one argument a line, in quotes. */
    private List<String> arguments(ClusterFolder cluster, String classPath) {
        List<String> arguments = new ArrayList<>(ServerCommand.common(cluster));
        arguments.add("-Xmx512m");
        arguments.add("-Dhearth.log=" + cluster.logs().resolve("shell.log"));
        arguments.add("-cp");
        arguments.add(classPath);
        arguments.add("org.jruby.JarBootstrapMain");
        if (!script.isEmpty()) {
            // Without -n an error in a script is not an exit code.
            arguments.add("-n");
            arguments.addAll(script);
        }
        return arguments.stream()
                .map(argument -> '"' + argument.replace("\\", "\\\\").replace("\"", "\\\"") + '"')
                .toList();
    }
}
