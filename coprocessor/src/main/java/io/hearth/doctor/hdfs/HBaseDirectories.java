// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hdfs;

import io.hearth.doctor.model.ProbedCluster.ProbedHdfs.ProbedDirectory;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/** Finds the folders of HBase that have a policy which their parent has not: its own folders, namespaces and tables. Stateless. */
final class HBaseDirectories {

    /** The root, its children, {@code data/NAMESPACE} and {@code data/NAMESPACE/TABLE}. */
    private static final int DEPTH = 3;

    private HBaseDirectories() {}

    static List<ProbedDirectory> withPolicies(DistributedFileSystem fs, Path root) throws IOException {
        Map<Byte, String> nameById = new HashMap<>();
        for (BlockStoragePolicy policy : fs.getClient().getStoragePolicies()) {
            nameById.put(policy.getId(), policy.getName());
        }
        List<ProbedDirectory> found = new ArrayList<>();
        HdfsFileStatus top = fs.getClient().getFileInfo(root.toUri().getPath());
        if (top != null) {
            ProbedDirectory here = directory(root, top, nameById);
            addIfNew(here, new ProbedDirectory("", "", "", 0), found);
            walk(fs, here, DEPTH, nameById, found);
            found.addAll(SingleReplicaFiles.under(fs, new Path(root, "data")));
        }
        return found;
    }

    private static void walk(
            DistributedFileSystem fs,
            ProbedDirectory parent,
            int depth,
            Map<Byte, String> nameById,
            List<ProbedDirectory> found)
            throws IOException {
        RemoteIterator<FileStatus> children = fs.listStatusIterator(new Path(parent.path()));
        while (children.hasNext()) {
            FileStatus child = children.next();
            if (child.isDirectory() && child instanceof HdfsFileStatus status) {
                ProbedDirectory here = directory(child.getPath(), status, nameById);
                addIfNew(here, parent, found);
                boolean goesOn = depth < DEPTH || child.getPath().getName().equals("data");
                if (depth > 1 && goesOn) {
                    walk(fs, here, depth - 1, nameById, found);
                }
            }
        }
    }

    private static void addIfNew(ProbedDirectory directory, ProbedDirectory parent, List<ProbedDirectory> found) {
        boolean isNew = !directory.erasureCoding().equals(parent.erasureCoding())
                || !directory.storagePolicy().equals(parent.storagePolicy());
        if (isNew
                && !(directory.erasureCoding().isEmpty()
                        && directory.storagePolicy().isEmpty())) {
            found.add(directory);
        }
    }

    private static ProbedDirectory directory(Path path, HdfsFileStatus status, Map<Byte, String> nameById) {
        return new ProbedDirectory(
                path.toUri().getPath(),
                Optional.ofNullable(status.getErasureCodingPolicy())
                        .filter(policy -> !policy.isReplicationPolicy())
                        .map(policy -> policy.getName())
                        .orElse(""),
                policy(status.getStoragePolicy(), nameById),
                0);
    }

    /** Empty for the default, said or unsaid. */
    private static String policy(byte id, Map<Byte, String> nameById) {
        String name = nameById.getOrDefault(id, "");
        return name.equals(HdfsConstants.HOT_STORAGE_POLICY_NAME) ? "" : name;
    }

    /**
     * Finds store files of one replica by the listings of a few folders of every table: files of a table are written by the same servers, and to list
     * all of a large cluster would be work for the NameNode. Stateless.
     */
    private static final class SingleReplicaFiles {

        /** Regions and families that are read for each table, and folders and files that are read in all. */
        private static final int DIRECTORIES_PER_TABLE = 40;

        private static final int MAX_LISTED = 50_000;
        private static final int NAMESPACE_AND_TABLE = 2;

        private SingleReplicaFiles() {}

        /** The tables that have some; the count is of those that were met. */
        static List<ProbedDirectory> under(DistributedFileSystem fs, Path data) throws IOException {
            Map<String, Integer> filesByTable = new TreeMap<>();
            int[] left = {MAX_LISTED};
            for (Path table : tables(fs, data, left)) {
                int files = count(fs, table, left);
                if (files > 0) {
                    filesByTable.put(table.toUri().getPath(), files);
                }
            }
            return filesByTable.entrySet().stream()
                    .map(table -> new ProbedDirectory(table.getKey(), "", "", table.getValue()))
                    .toList();
        }

        private static List<Path> tables(DistributedFileSystem fs, Path data, int[] left) throws IOException {
            List<Path> directories = List.of(data);
            for (int level = 0; level < NAMESPACE_AND_TABLE; level++) {
                List<Path> next = new ArrayList<>();
                for (Path directory : directories) {
                    RemoteIterator<FileStatus> children = fs.listStatusIterator(directory);
                    while (children.hasNext() && left[0]-- > 0) {
                        FileStatus child = children.next();
                        if (child.isDirectory()) {
                            next.add(child.getPath());
                        }
                    }
                }
                directories = next;
            }
            return directories;
        }

        private static int count(DistributedFileSystem fs, Path table, int[] left) throws IOException {
            int files = 0;
            Deque<Path> directories = new ArrayDeque<>(List.of(table));
            for (int directoriesRead = 0;
                    directoriesRead < DIRECTORIES_PER_TABLE && !directories.isEmpty();
                    directoriesRead++) {
                try {
                    // The last one first: into regions before the next ones.
                    RemoteIterator<FileStatus> children = fs.listStatusIterator(directories.removeLast());
                    while (children.hasNext() && left[0]-- > 0) {
                        FileStatus child = children.next();
                        if (child.isDirectory() && !child.getPath().getName().startsWith(".")) {
                            directories.add(child.getPath());
                        } else if (child.isFile() && child.getLen() > 0 && child.getReplication() == 1) {
                            files++;
                        }
                    }
                } catch (FileNotFoundException movedAway) {
                    // A compaction or a split has taken it meanwhile.
                }
            }
            return files;
        }
    }
}
