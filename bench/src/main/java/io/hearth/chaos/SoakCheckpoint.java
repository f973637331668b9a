// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import com.google.gson.Gson;
import com.google.gson.JsonParseException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the clients of a soak know, in a file beside its {@link SoakJournal} that is replaced every few seconds: what was lost while a soak
 * did not run, or in the step that was cut off, is known by it alone. Immutable.
 *
 * @param cluster the id of the cluster, as in the journal
 * @param load what has come of all requests, those of the steps in the journal included
 * @param acknowledged the generation of the last acknowledged write of each row; immutable
 */
record SoakCheckpoint(String cluster, SoakLoad.Totals load, List<Integer> acknowledged) {

    private static final Gson GSON = new Gson();

    /** The file beside this journal. */
    static Path fileOf(Path journal) {
        return Path.of(journal + ".checkpoint");
    }

    /**
     * Reads the file of that cluster.
     *
     * @throws IOException in one line where it is not there, or is another's
     */
    static SoakCheckpoint read(Path file, String cluster) throws IOException {
        @Nullable SoakCheckpoint read;
        try {
            read = GSON.fromJson(Files.readString(file), SoakCheckpoint.class);
        } catch (NoSuchFileException e) {
            throw new IOException(file
                    + " is not there, and nothing else says which rows were acknowledged; name another" + " --journal");
        } catch (JsonParseException e) {
            read = null;
        }
        if (read == null
                || !cluster.equals(read.cluster)
                || read.load == null
                || read.acknowledged == null
                || read.acknowledged.size() != SoakRows.COUNT) {
            throw new IOException(
                    file + " is not the checkpoint of a soak of cluster " + cluster + "; name another --journal");
        }
        return read;
    }

    /** Replaces the file. */
    void write(Path file) throws IOException {
        Path next = Path.of(file + ".next");
        Files.writeString(next, GSON.toJson(this));
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Replaces a file by what is known then, every few seconds until it is closed. Thread-safe. */
    static final class Writer implements AutoCloseable {

        private static final long PERIOD_SECONDS = 5;

        private final Path file;
        private final Supplier<SoakCheckpoint> checkpoints;
        private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

        private Writer(Path file, Supplier<SoakCheckpoint> checkpoints) {
            this.file = file;
            this.checkpoints = checkpoints;
        }

        static Writer start(Path file, Supplier<SoakCheckpoint> checkpoints) {
            Writer writer = new Writer(file, checkpoints);
            Future<?> unused = writer.timer.scheduleWithFixedDelay(
                    writer::tryToWrite, PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
            return writer;
        }

        synchronized void write() throws IOException {
            checkpoints.get().write(file);
        }

        private void tryToWrite() {
            try {
                write();
            } catch (IOException e) {
                // The end of each step writes too, and throws what it meets with.
            }
        }

        @Override
        public void close() {
            timer.shutdown();
        }
    }
}
