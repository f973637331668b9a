package io.hearth.whatif;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** What the commands of this room have in common: exit codes, and a wrong argument as one line. */
final class Commands {

    static final int HOLDS = 0;
    static final int BROKEN = 1;
    static final int WRONG_ARGUMENT = 2;

    private Commands() {}

    /** A command whose wrong arguments are one line, under this name. */
    static CommandLine of(Object command, String name) {
        return new CommandLine(command).setParameterExceptionHandler((exception, args) -> {
            String line = String.valueOf(exception.getMessage()).replaceAll("\\s*\\R\\s*", " ");
            exception
                    .getCommandLine()
                    .getErr()
                    .println("hearth " + name + ": " + line + " (bin/hearth " + name + " --help shows the options)");
            return WRONG_ARGUMENT;
        });
    }

    static ParameterException problem(CommandSpec spec, String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
