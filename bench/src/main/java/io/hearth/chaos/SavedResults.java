package io.hearth.chaos;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What the clients of another run met with, kept in a file: that of stock HBase, beside which the same faults with Hearth are looked at.
 *
 * @param hearth whether it was a cluster with Hearth
 * @param results one for each fault and seed
 */
record SavedResults(boolean hearth, List<SavedResult> results) {

    private static final Gson GSON = new GsonBuilder().setPrettyPrinting().create();

    SavedResults {
        results = List.copyOf(results);
    }

    /**
     * One fault's.
     *
     * @param fault as it is typed
     * @param seed as it is typed
     * @param errors requests that the client gave up
     * @param slowestMs the longest time that a request took
     */
    record SavedResult(String fault, long seed, long errors, long slowestMs) {}

    static void write(Path file, boolean hearth, List<FaultResult> results) throws IOException {
        List<SavedResult> saved = results.stream()
                .map(result ->
                        new SavedResult(result.fault().toString(), result.seed(), result.errors(), result.slowestMs()))
                .toList();
        Files.writeString(file, GSON.toJson(new SavedResults(hearth, saved)) + "\n");
    }

    /** @throws IOException in one line if the file is not there or something else */
    static SavedResults read(Path file) throws IOException {
        try {
            return GSON.fromJson(Files.readString(file), SavedResults.class);
        } catch (NoSuchFileException e) {
            throw new IOException(file + " is not there; bin/hearth chaos --out makes it");
        } catch (JsonParseException | NullPointerException e) {
            throw new IOException(file + " was not made by bin/hearth chaos --out");
        }
    }

    Optional<SavedResult> of(FaultResult result) {
        return results.stream()
                .filter(saved -> saved.fault().equals(result.fault().toString()) && saved.seed() == result.seed())
                .findFirst();
    }
}
