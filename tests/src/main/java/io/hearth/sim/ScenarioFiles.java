package io.hearth.sim;

import io.hearth.sim.scenario.Scenario;
import io.hearth.sim.scenario.ScenarioProblem;
import io.hearth.sim.scenario.ScenarioReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Finds and reads scenario files. */
public final class ScenarioFiles {

    private static final String ENDING = ".txt";

    private ScenarioFiles() {}

    /** The scenario files of a folder, sorted by name. */
    public static List<Path> in(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().endsWith(ENDING))
                    .sorted()
                    .toList();
        }
    }

    /** The scenario of this file. */
    public static Scenario read(Path file) throws IOException, ScenarioProblem {
        return ScenarioReader.read(file.getFileName().toString(), Files.readAllLines(file));
    }
}
