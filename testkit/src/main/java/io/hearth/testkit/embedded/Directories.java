// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Deletes a directory and all that is in it, also while someone still writes there. */
public final class Directories {
    private static final int ATTEMPTS = 5;

    private Directories() {}

    /**
     * Deletes it; nothing if it is not there.
     *
     * @throws IOException if something is left after a few attempts
     */
    public static void delete(Path directory) throws IOException {
        for (int attempt = 1; Files.exists(directory); attempt++) {
            try {
                deleteOnce(directory);
            } catch (IOException | UncheckedIOException e) {
                if (attempt == ATTEMPTS) {
                    throw new IOException("Cannot delete " + directory + " (" + e.getMessage() + ")", e);
                }
            }
        }
    }

    private static void deleteOnce(Path directory) throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> tree = Files.walk(directory)) {
            deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
        } catch (NoSuchFileException e) {
            return;
        }
        for (Path path : deepestFirst) {
            Files.deleteIfExists(path);
        }
    }
}
