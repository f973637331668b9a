// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import io.hearth.balancer.heat.StateFile;
import io.hearth.balancer.heat.StateFile.Decoded;
import io.hearth.balancer.heat.StateFile.Sections;
import io.hearth.balancer.heat.StateFile.Unusable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * The folder under HBase's root directory in which masters leave state files for one another: {@code state.0000000007} and
 * the one before it.
 *
 * <p>A file is written under a name of its own and then renamed to the next number, as HBase's {@code FSTableDescriptors}
 * does: a rename to a name that is free is atomic on every file system of Hadoop's, and nothing is ever overwritten. Its bytes
 * are on the disks before it has that name, where the file system knows {@code hsync}. Of two masters that take the same
 * number one fails, and takes the next one the next time. Reading takes the highest number that is whole and can be read. Not
 * thread-safe.
 */
final class StateFileStore {

    static final String NAME = ".hearth";

    private static final String PREFIX = "state.";
    private static final String TEMPORARY_PREFIX = "writing.";
    private static final int DIGITS = 10;
    private static final int KEPT = 2;

    /** 80 bytes for each of three million regions; a master holds these bytes twice while it reads them. */
    static final long MOST_BYTES = 1L << 28;

    /** A file that was being written this long ago was left behind by a master that died; milliseconds. */
    private static final long ABANDONED_MS = 3_600_000;

    private final FileSystem fileSystem;
    private final Path folder;

    StateFileStore(FileSystem fileSystem, Path rootDir) {
        this.fileSystem = fileSystem;
        folder = new Path(rootDir, NAME);
    }

    /**
     * The sections of the newest file that can be read and used; empty where no file there is can ever be used.
     *
     * @param onUnusable hears of each newer file that can't be, and why, as the end of a sentence; only if this returns
     * @throws IOException if the folder can't be read, or a file can't and none before it is of use: another time it may be
     */
    Optional<SortedMap<String, byte[]>> read(BiConsumer<Path, String> onUnusable) throws IOException {
        List<Path> files = files();
        Collections.reverse(files);
        Map<Path, String> whyByUnusable = new LinkedHashMap<>();
        Optional<SortedMap<String, byte[]>> usable = Optional.empty();
        Optional<IOException> unreadable = Optional.empty();
        for (int next = 0; next < files.size() && usable.isEmpty(); next++) {
            Path file = files.get(next);
            try {
                Decoded decoded = decode(file);
                if (decoded instanceof Sections sections) {
                    usable = Optional.of(sections.bytesByName());
                } else {
                    whyByUnusable.put(file, ((Unusable) decoded).reason().text());
                }
            } catch (IOException | RuntimeException failure) {
                whyByUnusable.put(file, "it can't be read (" + failure + ")");
                unreadable = Optional.of(unreadable.orElseGet(() -> new IOException(file + " can't be read", failure)));
            }
        }
        if (usable.isEmpty() && unreadable.isPresent()) {
            throw unreadable.get();
        }
        whyByUnusable.forEach(onUnusable);
        return usable;
    }

    /** Whether a master writes a file at this moment, as far as is visible: one that died while it wrote looks the same for an hour. */
    boolean isBeingWritten(long nowMs) throws IOException {
        return temporaryFiles().stream().anyMatch(file -> !isAbandoned(file, nowMs));
    }

    /**
     * The names of the files that a newer version of Hearth has written, by their form or by a section; a file that can't be read is not among
     * them.
     *
     * @param isNewerSection whether the bytes of the section of this name are of a later version
     */
    SortedSet<String> newerFiles(BiPredicate<String, byte[]> isNewerSection) throws IOException {
        SortedSet<String> newer = new TreeSet<>();
        for (Path file : files()) {
            try {
                Decoded decoded = decode(file);
                boolean isOfNewerForm =
                        decoded instanceof Unusable unusable && unusable.reason() == StateFile.Reason.NEWER;
                boolean hasNewerSection = decoded instanceof Sections sections
                        && sections.bytesByName().entrySet().stream()
                                .anyMatch(section -> isNewerSection.test(section.getKey(), section.getValue()));
                if (isOfNewerForm || hasNewerSection) {
                    newer.add(file.getName());
                }
            } catch (IOException | RuntimeException unreadable) {
                // Nobody can say who wrote it.
            }
        }
        return newer;
    }

    /**
     * Writes these sections as the newest file, and deletes what is older than the one before it.
     *
     * @param leftAlone the names of files that are not deleted
     */
    void write(Map<String, byte[]> bytesByName, Set<String> leftAlone, long nowMs) throws IOException {
        byte[] bytes = StateFile.encode(bytesByName);
        if (bytes.length > MOST_BYTES) {
            throw new IOException("A state file of " + bytes.length + " bytes is larger than the " + MOST_BYTES
                    + " bytes that the next master reads");
        }
        fileSystem.mkdirs(folder, new FsPermission("700"));
        Path temporary = new Path(folder, TEMPORARY_PREFIX + UUID.randomUUID());
        try {
            try (FSDataOutputStream out = fileSystem.create(temporary, false)) {
                out.write(bytes);
                // Where it does not know how, as on an object store, closing it is what makes the file durable.
                if (out.hasCapability(StreamCapabilities.HSYNC)) {
                    out.hsync();
                }
            }
            Path file = new Path(folder, PREFIX + ("%0" + DIGITS + "d").formatted(lastNumber() + 1));
            if (fileSystem.exists(file) || !fileSystem.rename(temporary, file)) {
                throw new IOException(file + " is there already: another master has just written it");
            }
        } finally {
            fileSystem.delete(temporary, false);
        }
        clean(leftAlone, nowMs);
    }

    private long lastNumber() throws IOException {
        List<Path> files = files();
        return files.isEmpty() ? 0 : number(files.get(files.size() - 1));
    }

    private void clean(Set<String> leftAlone, long nowMs) throws IOException {
        List<Path> files = files();
        files.removeIf(file -> leftAlone.contains(file.getName()));
        for (Path old : files.subList(0, Math.max(0, files.size() - KEPT))) {
            fileSystem.delete(old, false);
        }
        for (FileStatus file : temporaryFiles()) {
            if (isAbandoned(file, nowMs)) {
                fileSystem.delete(file.getPath(), false);
            }
        }
    }

    private static boolean isAbandoned(FileStatus temporary, long nowMs) {
        return temporary.getModificationTime() < nowMs - ABANDONED_MS;
    }

    private List<FileStatus> temporaryFiles() throws IOException {
        return fileSystem.exists(folder)
                ? List.of(fileSystem.listStatus(folder, path -> path.getName().startsWith(TEMPORARY_PREFIX)))
                : List.of();
    }

    /** The state files in the order of their numbers. */
    private List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        if (fileSystem.exists(folder)) {
            for (FileStatus status : fileSystem.listStatus(folder)) {
                if (status.isFile() && status.getPath().getName().matches("state\\.\\d{" + DIGITS + "}")) {
                    files.add(status.getPath());
                }
            }
        }
        files.sort(Comparator.comparing(Path::getName));
        return files;
    }

    private static long number(Path file) {
        return Long.parseLong(file.getName().substring(PREFIX.length()));
    }

    private Decoded decode(Path file) throws IOException {
        long length = fileSystem.getFileStatus(file).getLen();
        if (length > MOST_BYTES) {
            return new Unusable(StateFile.Reason.TOO_LARGE);
        }
        byte[] bytes = new byte[(int) length];
        try (FSDataInputStream in = fileSystem.open(file)) {
            in.readFully(0, bytes);
        }
        return StateFile.decode(bytes);
    }
}
