package io.hearth.balancer.hbase;

import io.hearth.balancer.heat.StateFile;
import io.hearth.balancer.heat.StateFile.Decoded;
import io.hearth.balancer.heat.StateFile.Sections;
import io.hearth.balancer.heat.StateFile.Unusable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * The folder under HBase's root directory in which masters leave state files for one another: {@code state.0000000007} and
 * the one before it.
 *
 * <p>A file is written under a name of its own and then renamed to the next number, as HBase's {@code FSTableDescriptors}
 * does: a rename to a name that is free is atomic on every file system of Hadoop's, and nothing is ever overwritten. Of two
 * masters that take the same number one fails, and takes the next one the next time. Reading takes the highest number that
 * is whole. Not thread-safe.
 */
final class StateFolder {

    static final String NAME = ".hearth";

    private static final String PREFIX = "state.";
    private static final String TEMPORARY_PREFIX = "writing.";
    private static final int DIGITS = 10;
    private static final int KEPT = 2;

    /** More than 100 bytes for each of ten million regions can't be ours, or is nothing to read into a master. */
    private static final long MOST_BYTES = 1L << 30;

    /** A file that was being written this long ago was left behind by a master that died; milliseconds. */
    private static final long ABANDONED_MS = 3_600_000;

    private final FileSystem fileSystem;
    private final Path folder;

    StateFolder(FileSystem fileSystem, Path rootDir) {
        this.fileSystem = fileSystem;
        folder = new Path(rootDir, NAME);
    }

    /**
     * The sections of the newest file that can be used.
     *
     * @param onUnusable hears of each newer file that can't
     */
    Optional<SortedMap<String, byte[]>> read(BiConsumer<Path, StateFile.Reason> onUnusable) throws IOException {
        List<Path> files = files();
        Collections.reverse(files);
        for (Path file : files) {
            Decoded decoded = decode(file);
            if (decoded instanceof Sections sections) {
                return Optional.of(sections.bytesByName());
            }
            onUnusable.accept(file, ((Unusable) decoded).reason());
        }
        return Optional.empty();
    }

    /** Writes these sections as the newest file, and deletes what is older than the one before it. */
    void write(Map<String, byte[]> bytesByName, long nowMs) throws IOException {
        fileSystem.mkdirs(folder, new FsPermission("700"));
        Path temporary = new Path(folder, TEMPORARY_PREFIX + UUID.randomUUID());
        try {
            try (FSDataOutputStream out = fileSystem.create(temporary, false)) {
                out.write(StateFile.encode(bytesByName));
            }
            Path file = new Path(folder, PREFIX + ("%0" + DIGITS + "d").formatted(lastNumber() + 1));
            if (fileSystem.exists(file) || !fileSystem.rename(temporary, file)) {
                throw new IOException(file + " is there already: another master has just written it");
            }
        } finally {
            fileSystem.delete(temporary, false);
        }
        clean(nowMs);
    }

    private long lastNumber() throws IOException {
        List<Path> files = files();
        return files.isEmpty() ? 0 : number(files.get(files.size() - 1));
    }

    private void clean(long nowMs) throws IOException {
        List<Path> files = files();
        for (Path old : files.subList(0, Math.max(0, files.size() - KEPT))) {
            fileSystem.delete(old, false);
        }
        for (FileStatus status : fileSystem.listStatus(folder)) {
            boolean isTemporary = status.getPath().getName().startsWith(TEMPORARY_PREFIX);
            if (isTemporary && status.getModificationTime() < nowMs - ABANDONED_MS) {
                fileSystem.delete(status.getPath(), false);
            }
        }
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
            return new Unusable(StateFile.Reason.FOREIGN);
        }
        byte[] bytes = new byte[(int) length];
        try (FSDataInputStream in = fileSystem.open(file)) {
            in.readFully(0, bytes);
        }
        return StateFile.decode(bytes);
    }
}
