// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.threshold;

import io.hearth.testkit.command.Commands;
import io.hearth.testkit.command.OutputOption;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * What a command prints that ends with a report, line by line. Immutable.
 *
 * @param out on standard output
 * @param err on standard error
 */
public record PrintedReport(int exitCode, List<String> out, List<String> err) {

    /**
     * What is printed in this format by the end of a command.
     *
     * @param end prints the report, and returns how the command ends
     */
    public static PrintedReport of(String format, ToIntFunction<OutputOption> end) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = Commands.of(new Measured(end))
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute("--output", format);
        return new PrintedReport(
                exitCode,
                out.toString().lines().toList(),
                err.toString().lines().toList());
    }

    /** The one line of JSON, its figures between lines. */
    public static List<String> json(ToIntFunction<OutputOption> end) {
        PrintedReport printed = of("json", end);
        if (printed.out().size() != 1) {
            throw new AssertionError("More or less than one line: " + printed);
        }
        return List.of(printed.out()
                .get(0)
                .replaceAll("([\\[}]),?(?=\\{\"of\")", "$1\n")
                .replace("}],\"holds\"", "}\n],\"holds\"")
                .split("\n"));
    }

    @Command(name = "bin/hearth measured")
    private static final class Measured implements Callable<Integer> {

        private final ToIntFunction<OutputOption> end;

        @Mixin
        private OutputOption output;

        Measured(ToIntFunction<OutputOption> end) {
            this.end = end;
        }

        @Override
        public Integer call() {
            return end.applyAsInt(output);
        }
    }
}
