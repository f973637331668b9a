// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim;

import io.hearth.sim.scenario.Scenario;
import io.hearth.sim.scenario.ScenarioReader;
import io.hearth.sim.scenario.ScenarioReader.ScenarioFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds and reads scenario files. */
public final class ScenarioFiles {

    private static final String ENDING = ".yaml";

    private ScenarioFiles() {}

    /** The scenario files of a folder, sorted by name. */
    public static List<Path> in(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().endsWith(ENDING))
                    .sorted()
                    .toList();
        }
    }

    /** What the file says of itself before its title, as one line: its comments without their {@code #}; empty if it has none. */
    public static String description(Path file) throws IOException {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.takeWhile(line -> line.startsWith("#"))
                    .map(line -> line.substring(1).strip())
                    .collect(Collectors.joining(" "));
        }
    }

    /** The scenario of this file. */
    public static Scenario read(Path file) throws IOException, ScenarioFormatException {
        return ScenarioReader.read(file.getFileName().toString(), Files.readString(file));
    }
}
