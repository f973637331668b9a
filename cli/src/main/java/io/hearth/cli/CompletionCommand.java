// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.cli.CommandGroup.HelpOption;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bin/hearth completion}: a script for bash and zsh, made from the commands themselves. */
@Command(
        name = "completion",
        description = {
            "Prints a script that completes commands and options for the tab key. bash reads",
            "it, and so does zsh, which also finds it as _hearth in a folder of fpath.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:the script is printed", "2:a wrong argument"},
        usageHelpAutoWidth = true,
        footerHeading = "%nExamples:%n",
        footer = {"  source <(bin/hearth completion bash)", "  bin/hearth completion zsh > ~/.zfunc/_hearth"})
final class CompletionCommand implements Callable<Integer> {

    /** What {@code bin/hearth} knows besides, in a clone of the source: a test compares both with its dispatch. */
    static final List<String> OTHERS =
            List.of("demo", "cluster", "load", "chaos", "simulate", "bench", "version", "help");

    @Spec
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private HelpOption help;

    /** As a file of fpath the script is the body of {@code _hearth}, and has to complete what it was loaded for. */
    private static final String ZSH_END =
            """
            if [ "${funcstack[1]}" = "_hearth" ]; then
              _bash_complete -o default -F _complete_hearth
            fi""";

    @Parameters(paramLabel = "SHELL", description = "bash or zsh")
    private String shell;

    CompletionCommand() {}

    @Override
    public Integer call() {
        String script = script();
        String whole =
                switch (shell) {
                    case "bash" -> script;
                    case "zsh" -> "#compdef hearth\n" + script + "\n" + ZSH_END;
                    default ->
                        throw new ParameterException(
                                spec.commandLine(), "SHELL is " + shell + "; allowed are bash and zsh");
                };
        spec.commandLine().getOut().println(whole);
        spec.commandLine().getOut().flush();
        return ExitCode.DONE.code();
    }

    private static String script() {
        CommandLine all = Main.commandLine();
        OTHERS.forEach(name -> all.addSubcommand(name, CommandSpec.create()));
        return AutoComplete.bash("hearth", all);
    }
}
