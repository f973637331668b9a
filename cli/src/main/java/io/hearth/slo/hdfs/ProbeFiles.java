// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.hdfs;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;

/**
 * The folder of a daemon's probe files, of which each DataNode has two: one that was written last, and one before it that can be read while
 * the next is written. A daemon empties its folder when it starts and when it ends, and once an hour deletes what other daemons have left
 * behind: files that were not written anew for two hours, by the NameNode's clock.
 *
 * <p>Whoever names the folder may name one that others use. So only what has the name and the size of a probe's file is deleted, one by
 * one; a folder goes when it is empty; and one that has anything else in it is no daemon's: none starts in it, and none sweeps it.
 * Thread-safe.
 */
final class ProbeFiles {

    private static final long LEFT_BEHIND_MS = 2 * 3_600_000L;

    /** Host, port, and which of the two it is. */
    private static final Pattern NAME = Pattern.compile("(.+_\\d+)\\.[ab]");

    private final FileSystem fs;
    private final Path parent;
    private final Path folder;

    /** The folders that files of daemons that are gone were deleted from: these, once they are empty, were daemons'. */
    private final Set<Path> swept = ConcurrentHashMap.newKeySet();

    /** @param parent the folder of all daemons */
    ProbeFiles(FileSystem fs, Path parent, String instance) {
        this.fs = fs;
        this.parent = parent;
        this.folder = new Path(parent, instance);
    }

    /** The file of this DataNode, one of two. */
    Path file(String target, boolean second) {
        return new Path(folder, prefix(target) + (second ? ".b" : ".a"));
    }

    private static String prefix(String target) {
        return target.replace(':', '_');
    }

    private static boolean isProbeFile(FileStatus file) {
        return file.isFile()
                && file.getLen() <= DataNodeProbes.BYTES
                && NAME.matcher(file.getPath().getName()).matches();
    }

    /**
     * Makes the folder, and leaves nothing in it.
     *
     * @throws IOException if there is something in it that no probe has written; nothing is deleted then
     */
    void clear() throws IOException {
        fs.mkdirs(folder);
        FileStatus[] files = fs.listStatus(folder);
        Optional<FileStatus> foreign =
                Arrays.stream(files).filter(file -> !isProbeFile(file)).findFirst();
        if (foreign.isPresent()) {
            throw new IOException(
                    folder.toUri().getPath() + " has "
                            + foreign.get().getPath().getName()
                            + ", which no probe has written, so no DataNode is probed. Name a folder that nobody else uses with --hdfs-folder");
        }
        delete(files);
    }

    /** Deletes the files, and the folder if nothing else is in it. */
    void delete() throws IOException {
        delete(fs.listStatus(folder));
        if (fs.listStatus(folder).length == 0) {
            fs.delete(folder, false);
        }
    }

    private void delete(FileStatus[] files) throws IOException {
        for (FileStatus file : files) {
            if (isProbeFile(file)) {
                fs.delete(file.getPath(), false);
            }
        }
    }

    /** Deletes the files of DataNodes that are none of these: a replica on a dead one would be reported as missing. */
    void keepOnly(Set<String> targets) throws IOException {
        Set<String> kept = new HashSet<>();
        targets.forEach(target -> kept.add(prefix(target)));
        delete(Arrays.stream(fs.listStatus(folder))
                .filter(file ->
                        !kept.contains(NAME.matcher(file.getPath().getName()).replaceFirst("$1")))
                .toArray(FileStatus[]::new));
    }

    /** Deletes what daemons that are gone have left behind, and what may be deleted of it. */
    void sweep() throws IOException {
        long nowMs = fs.getFileStatus(folder).getModificationTime();
        for (FileStatus instance : fs.listStatus(parent)) {
            if (instance.isDirectory() && !instance.getPath().getName().equals(folder.getName())) {
                sweep(instance, nowMs);
            }
        }
    }

    private void sweep(FileStatus instance, long nowMs) throws IOException {
        try {
            List<FileStatus> files = List.of(fs.listStatus(instance.getPath()));
            if (!files.stream().allMatch(ProbeFiles::isProbeFile)) {
                return;
            }
            for (FileStatus file : files) {
                if (isLeftBehind(file, nowMs)) {
                    swept.add(instance.getPath());
                    fs.delete(file.getPath(), false);
                }
            }
            if (files.isEmpty() && isLeftBehind(instance, nowMs) && swept.remove(instance.getPath())) {
                fs.delete(instance.getPath(), false);
            }
        } catch (AccessControlException | FileNotFoundException anothers) {
            // Another user's, or its daemon has just ended: nothing of ours.
        }
    }

    private static boolean isLeftBehind(FileStatus file, long nowMs) {
        return nowMs - file.getModificationTime() > LEFT_BEHIND_MS;
    }
}
