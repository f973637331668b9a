// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.slo.objective.ObjectivesFile;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Where the SLO watch keeps what it finds, and what it holds that against. */
final class SloStoreOptions {

    @Option(
            names = "--folder",
            paramLabel = "DIR",
            description = "where probes' results are kept, for all daemons here (default: ~/.hearth/slo)")
    private @Nullable Path folder;

    @Option(
            names = "--objectives",
            paramLabel = "FILE",
            description = "objectives, one a line, as in conf/slo-objectives.txt (default: none)")
    private @Nullable Path objectives;

    SloStoreOptions() {}

    Path folder() {
        return folder == null ? Path.of(System.getProperty("user.home"), ".hearth", "slo") : folder;
    }

    /** The objectives; a line that can't be used is said, and left out. */
    ObjectivesFile objectives(CommandSpec spec) {
        if (objectives == null) {
            return new ObjectivesFile(List.of(), List.of());
        }
        ObjectivesFile file = ObjectivesFile.parse(text(objectives, spec), objectives.toString());
        file.problems().forEach(spec.commandLine().getErr()::println);
        if (file.objectives().isEmpty()) {
            throw new ParameterException(spec.commandLine(), "--objectives is " + objectives + ", which has none");
        }
        return file;
    }

    /** The text of this file, which the option {@code --objectives} of this command names. */
    static String text(Path file, CommandSpec spec) {
        try {
            return Files.readString(file);
        } catch (CharacterCodingException binary) {
            throw new ParameterException(
                    spec.commandLine(), "--objectives is " + file + "; it must be a text in UTF-8", binary);
        } catch (IOException unreadable) {
            throw new ParameterException(
                    spec.commandLine(), "--objectives is " + file + "; it must be a file that can be read", unreadable);
        }
    }
}
