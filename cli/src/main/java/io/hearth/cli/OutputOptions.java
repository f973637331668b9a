// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.cli.view.OutputFormat;
import java.util.Iterator;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;
import picocli.CommandLine.TypeConversionException;

/** {@code --output}, which every command has that prints rows or a document. */
final class OutputOptions {

    @Spec(Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--output",
            paramLabel = "FORMAT",
            defaultValue = "table",
            converter = Formats.class,
            completionCandidates = Formats.class,
            description = "table, json, or csv where rows are printed (default: table)")
    private OutputFormat format;

    OutputOptions() {}

    /** The formats as they are written: in lower case. */
    static final class Formats implements ITypeConverter<OutputFormat>, Iterable<String> {

        Formats() {}

        @Override
        public OutputFormat convert(String text) {
            return OutputFormat.of(text).orElseThrow(() -> new TypeConversionException(OutputFormat.refused(text)));
        }

        @Override
        public Iterator<String> iterator() {
            return OutputFormat.names().iterator();
        }
    }

    /** The form that was asked for, of a command that prints rows. */
    OutputFormat ofRows() {
        return format;
    }

    /** Whether JSON was asked for, of a command that prints no rows: asked for CSV it complains. */
    boolean isJson() {
        if (format == OutputFormat.CSV) {
            throw new ParameterException(
                    spec.commandLine(), "--output is csv, and this command prints no rows; allowed are table and json");
        }
        return format == OutputFormat.JSON;
    }
}
