// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process;

import io.hearth.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
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
        usageHelpAutoWidth = true,
        footerHeading = "%nExamples:%n",
        footer = {"  bin/hearth cluster shell", "  bin/hearth cluster shell script.rb"})
final class ShellCommand implements Callable<Integer> {

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
