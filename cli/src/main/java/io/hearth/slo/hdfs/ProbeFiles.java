// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.hdfs;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;

/**
 * The folder of a daemon's probe files, of which each DataNode has two: one that was written last, and one before it that can be read while
 * the next is written. A daemon empties its folder when it starts and when it ends, and once an hour deletes what other daemons have left
 * behind: files that were not written anew for two hours, by the NameNode's clock. Thread-safe.
 */
final class ProbeFiles {

    private static final long LEFT_BEHIND_MS = 2 * 3_600_000L;

    private final FileSystem fs;
    private final Path parent;
    private final Path folder;

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

    /** Makes the folder, and leaves nothing in it. */
    void clear() throws IOException {
        fs.delete(folder, true);
        fs.mkdirs(folder);
    }

    /** Deletes the folder. */
    void delete() throws IOException {
        fs.delete(folder, true);
    }

    /** Deletes the files of DataNodes that are none of these: a replica on a dead one would be reported as missing. */
    void keepOnly(Set<String> targets) throws IOException {
        Set<String> kept = new HashSet<>();
        targets.forEach(target -> kept.add(prefix(target)));
        for (FileStatus file : fs.listStatus(folder)) {
            String name = file.getPath().getName();
            if (!kept.contains(name.replaceFirst("\\.[ab]$", ""))) {
                fs.delete(file.getPath(), true);
            }
        }
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
            for (FileStatus file : fs.listStatus(instance.getPath())) {
                if (isLeftBehind(file, nowMs)) {
                    fs.delete(file.getPath(), false);
                }
            }
            if (isLeftBehind(instance, nowMs) && fs.listStatus(instance.getPath()).length == 0) {
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
