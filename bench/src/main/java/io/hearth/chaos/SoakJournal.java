// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import com.google.gson.Gson;
import com.google.gson.JsonParseException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a soak has done so far, a line of JSON for each step, so that one that was ended goes on where it was: the file begins with the
 * {@link Begin} of one cluster. A last line that was cut off is left out. Not thread-safe.
 */
final class SoakJournal {

    private static final Gson GSON = new Gson();

    private final Path file;
    private final Begin begin;
    private final List<Step> steps;

    private SoakJournal(Path file, Begin begin, List<Step> steps) {
        this.file = file;
        this.begin = begin;
        this.steps = new ArrayList<>(steps);
    }

    /**
     * The first line.
     *
     * @param cluster the id of the cluster, which another start of one does not have
     * @param requestsPerSecond of the load
     */
    record Begin(String cluster, long seed, double requestsPerSecond) {}

    /**
     * A fault, what came of it and of the load since the step before.
     *
     * @param atSeconds of the soak's own time by the end of it, without the time in which it was ended
     * @param fault as it is typed
     * @param violations what was not as it must be, a line each
     * @param resources by {@link ResourceSampler}
     */
    record Step(
            double atSeconds,
            String fault,
            long seed,
            List<String> violations,
            SoakLoad.Totals load,
            Map<String, Double> resources) {}

    /** Begins a file. */
    static SoakJournal begin(Path file, Begin begin) throws IOException {
        Files.writeString(file, GSON.toJson(begin) + "\n");
        return new SoakJournal(file, begin, List.of());
    }

    /**
     * Goes on with a file.
     *
     * @throws IOException in one line where it is no journal
     */
    static SoakJournal read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        @Nullable Begin begin = lines.isEmpty() ? null : parsed(lines.get(0), Begin.class);
        if (begin == null || begin.cluster() == null) {
            throw new IOException(file + " is not the journal of a soak");
        }
        List<Step> steps = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            Step step = parsed(line, Step.class);
            if (step == null) {
                break;
            }
            steps.add(step);
        }
        if (steps.size() < lines.size() - 1) {
            Files.write(file, lines.subList(0, 1 + steps.size()));
        }
        return new SoakJournal(file, begin, steps);
    }

    private static <T> @Nullable T parsed(String line, Class<T> type) {
        try {
            return GSON.fromJson(line, type);
        } catch (JsonParseException cutOff) {
            return null;
        }
    }

    void add(Step step) throws IOException {
        steps.add(step);
        Files.writeString(file, GSON.toJson(step) + "\n", StandardOpenOption.APPEND);
    }

    Path file() {
        return file;
    }

    Begin begun() {
        return begin;
    }

    List<Step> steps() {
        return List.copyOf(steps);
    }

    /** What has come of the requests of all steps. */
    SoakLoad.Totals load() {
        return steps.stream().map(Step::load).reduce(SoakLoad.Totals.NONE, SoakLoad.Totals::plus);
    }

    /** The soak's own time so far. */
    double seconds() {
        return steps.isEmpty() ? 0 : steps.get(steps.size() - 1).atSeconds();
    }
}
