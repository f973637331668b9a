// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.slo.objective.Objective;
import io.hearth.slo.store.SloReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** What a command reads of what {@code slo run} has stored. */
final class SloReadOptions {

    @Spec(Target.MIXEE)
    private CommandSpec spec;

    @Mixin
    private SloStoreOptions stored;

    @Option(
            names = "--instance",
            paramLabel = "NAME",
            description = "of this daemon alone; may be given again (default: of all)")
    private List<String> instances = new ArrayList<>();

    SloReadOptions() {}

    Path folder() {
        return stored.folder();
    }

    List<Objective> objectives() {
        return stored.objectives(spec).objectives();
    }

    /**
     * A reader of these instances, which says what it can't read.
     *
     * @throws ParameterException if one of them, or any, has stored nothing
     */
    SloReader reader() throws IOException {
        List<String> names = instances.isEmpty() ? SloReader.instances(folder()) : instances;
        if (names.isEmpty()) {
            throw problem("no slo run has stored anything in " + folder() + "; --folder names another place");
        }
        String command = spec.qualifiedName().replaceFirst("^bin/", "");
        try {
            return SloReader.of(
                    folder(), names, problem -> spec.commandLine().getErr().println(command + ": " + problem));
        } catch (IOException unknown) {
            throw new ParameterException(spec.commandLine(), String.valueOf(unknown.getMessage()), unknown);
        }
    }

    ParameterException problem(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
