package io.hearth.doctor.hdfs;

import io.hearth.doctor.model.FoundFolder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/** Finds the folders of HBase that have a policy which their parent has not: its own folders, namespaces and tables. Stateless. */
final class HBaseFolders {

    /** The root, its children, {@code data/NAMESPACE} and {@code data/NAMESPACE/TABLE}. */
    private static final int DEPTH = 3;

    private HBaseFolders() {}

    static List<FoundFolder> withPolicies(DistributedFileSystem fs, Path root) throws IOException {
        Map<Byte, String> nameById = new HashMap<>();
        for (BlockStoragePolicy policy : fs.getClient().getStoragePolicies()) {
            nameById.put(policy.getId(), policy.getName());
        }
        List<FoundFolder> found = new ArrayList<>();
        HdfsFileStatus top = fs.getClient().getFileInfo(root.toUri().getPath());
        if (top != null) {
            FoundFolder here = folder(root, top, nameById);
            addIfNew(here, new FoundFolder("", "", "", 0), found);
            walk(fs, here, DEPTH, nameById, found);
            found.addAll(OneReplica.under(fs, new Path(root, "data")));
        }
        return found;
    }

    private static void walk(
            DistributedFileSystem fs,
            FoundFolder parent,
            int depth,
            Map<Byte, String> nameById,
            List<FoundFolder> found)
            throws IOException {
        RemoteIterator<FileStatus> children = fs.listStatusIterator(new Path(parent.path()));
        while (children.hasNext()) {
            FileStatus child = children.next();
            if (child.isDirectory() && child instanceof HdfsFileStatus status) {
                FoundFolder here = folder(child.getPath(), status, nameById);
                addIfNew(here, parent, found);
                boolean goesOn = depth < DEPTH || child.getPath().getName().equals("data");
                if (depth > 1 && goesOn) {
                    walk(fs, here, depth - 1, nameById, found);
                }
            }
        }
    }

    private static void addIfNew(FoundFolder folder, FoundFolder parent, List<FoundFolder> found) {
        boolean isNew = !folder.erasureCoding().equals(parent.erasureCoding())
                || !folder.storagePolicy().equals(parent.storagePolicy());
        if (isNew
                && !(folder.erasureCoding().isEmpty() && folder.storagePolicy().isEmpty())) {
            found.add(folder);
        }
    }

    private static FoundFolder folder(Path path, HdfsFileStatus status, Map<Byte, String> nameById) {
        return new FoundFolder(
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
}
