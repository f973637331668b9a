// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The folder that all data of one run is in: a lease that ends with {@link #close()}.
 *
 * <p>A file in it is locked as long as the run lives. A run that was killed cannot clean up, but the
 * system takes its lock away: the next run removes every such folder that it can lock.
 */
final class RunDirectory implements AutoCloseable {
    private static final String PREFIX = "hearth-demo-";
    private static final String LOCK = "lock";
    private static final int ATTEMPTS = 20;

    /** A folder without a lock file is older than this, or is just being made. */
    private static final long CREATION_MS = 60_000;

    private final Path path;
    private final FileChannel lockFile;

    private RunDirectory(Path path, FileChannel lockFile) {
        this.path = path;
        this.lockFile = lockFile;
    }

    /** The folder in which the runs' folders are: the system's for temporary files. */
    static Path parent() {
        return Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath();
    }

    /** A new folder in this one, after the leftovers of dead runs there are removed. */
    static RunDirectory create(Path parent) throws IOException {
        removeLeftovers(parent);
        Path path = Files.createTempDirectory(parent, PREFIX);
        FileChannel lockFile =
                FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        lockFile.lock();
        return new RunDirectory(path, lockFile);
    }

    Path path() {
        return path;
    }

    /** Removes the folder, also while servers that are about to end still write there. */
    @Override
    public void close() throws IOException {
        lockFile.close();
        delete(path);
    }

    private static void removeLeftovers(Path parent) throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path folder : folders) {
                removeIfDead(folder);
            }
        }
    }

    private static void removeIfDead(Path folder) {
        try {
            if (isDead(folder)) {
                delete(folder);
            }
        } catch (IOException | OverlappingFileLockException e) {
            // Another user's, or alive in this very JVM: not ours to remove.
        }
    }

    private static boolean isDead(Path folder) throws IOException {
        Path lock = folder.resolve(LOCK);
        if (Files.notExists(lock)) {
            return isOlderThanMs(folder, CREATION_MS);
        }
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
                FileLock held = channel.tryLock()) {
            return held != null;
        }
    }

    private static boolean isOlderThanMs(Path folder, long ms) throws IOException {
        return System.currentTimeMillis() - Files.getLastModifiedTime(folder).toMillis() > ms;
    }

    private static void delete(Path folder) throws IOException {
        for (int attempt = 1; Files.exists(folder); attempt++) {
            try {
                deleteOnce(folder);
            } catch (IOException | UncheckedIOException e) {
                if (attempt == ATTEMPTS) {
                    throw new IOException(
                            "Cannot remove " + folder + " (" + e.getMessage() + "); remove it yourself.", e);
                }
            }
        }
    }

    private static void deleteOnce(Path folder) throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> tree = Files.walk(folder)) {
            deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : deepestFirst) {
            Files.deleteIfExists(path);
        }
    }
}
