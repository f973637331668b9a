// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.command;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import io.hearth.cli.view.OutputFormat;
import io.hearth.cli.view.Table;
import java.io.PrintWriter;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;
import picocli.CommandLine.TypeConversionException;

/**
 * The option {@code --output} of a command that prints rows: a table for a person, or standard output has nothing but one JSON document
 * or the rows as CSV, and what else is said goes to standard error.
 */
public final class OutputOption {

    private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();

    @Spec(Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--output",
            paramLabel = "FORMAT",
            converter = Formats.class,
            description = "table, json or csv (default table); with json and csv progress goes to standard error")
    private OutputFormat format = OutputFormat.TABLE;

    /**
     * What the text of the option means. The commands on a real cluster have one like it, for a picocli that is part of their jar by
     * another name: what both do is in {@link OutputFormat}.
     */
    public static final class Formats implements ITypeConverter<OutputFormat> {

        @Override
        public OutputFormat convert(String text) {
            return OutputFormat.of(text).orElseThrow(() -> new TypeConversionException(OutputFormat.refused(text)));
        }
    }

    /** Whether a person reads it, not a program. */
    public boolean isTable() {
        return format == OutputFormat.TABLE;
    }

    /** Where to write what is for a person alone: standard output, or standard error where a program reads that. */
    public PrintWriter forPerson() {
        return isTable() ? spec.commandLine().getOut() : spec.commandLine().getErr();
    }

    /** Prints what is for a person alone: progress, or what comes of it in words. */
    public void say(String line) {
        PrintWriter to = forPerson();
        to.println(line);
        to.flush();
    }

    /**
     * Prints the result in the form that was asked for.
     *
     * @param table for a person and as CSV
     * @param document what JSON has of it, its fields by their names; what is {@code null} is left out
     */
    public void print(Table table, Object document) {
        PrintWriter out = spec.commandLine().getOut();
        switch (format) {
            case TABLE -> out.println(table.text());
            case JSON -> out.println(GSON.toJson(document));
            case CSV -> table.csv().forEach(out::println);
        }
        out.flush();
    }
}
