package io.hearth.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code bin/hearth completion}: a script for bash and zsh, made from the commands themselves. */
@Command(
        name = "completion",
        description = {
            "Prints a script that completes commands and options for the tab key, for",
            "bash, and for zsh with bashcompinit.",
            ""
        },
        usageHelpAutoWidth = true,
        footerHeading = "%nExamples:%n",
        footer = "  source <(bin/hearth completion)")
final class CompletionCommand implements Callable<Integer> {

    /** What {@code bin/hearth} knows besides, in a clone of the source. */
    static final List<String> OTHERS =
            List.of("demo", "cluster", "load", "chaos", "simulate", "bench", "version", "help");

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings({"NullAway.Init", "UnusedVariable"}) // picocli sets and reads it
    private HelpOption help;

    CompletionCommand() {}

    @Override
    public Integer call() {
        CommandLine all = Main.commandLine();
        OTHERS.forEach(name -> all.addSubcommand(name, CommandSpec.create()));
        spec.commandLine().getOut().println(AutoComplete.bash("hearth", all));
        spec.commandLine().getOut().flush();
        return ExitCode.DONE.code();
    }
}
