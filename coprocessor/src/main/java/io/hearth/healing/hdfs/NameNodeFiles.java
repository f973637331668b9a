package io.hearth.healing.hdfs;

import io.hearth.healing.model.StoreFile;
import io.hearth.healing.observe.Observed;
import io.hearth.healing.observe.StoreFolders;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;

/** Asks the NameNode for files with their blocks and locations. Needs read permission only. Thread-safe. */
final class NameNodeFiles implements StoreFolders {

    private final DFSClient client;
    private final LocatedFiles locatedFiles;

    NameNodeFiles(DFSClient client, DataNodeBook book) {
        this.client = client;
        this.locatedFiles = new LocatedFiles(book, new StoragePolicies(client::getStoragePolicies));
    }

    /** One call, or a few where the folder has more files or blocks than {@code dfs.ls.limit}. */
    @Override
    public Observed<List<StoreFile>> list(String folderPath) {
        return NameNodeAnswers.to(() -> {
            List<StoreFile> files = new ArrayList<>();
            boolean isThere = readFolder(folderPath, true, status -> {
                if (status instanceof HdfsLocatedFileStatus located) {
                    files.add(locatedFiles.storeFile(status.getFullName(folderPath), located));
                }
            });
            return isThere ? Observed.known(files) : Observed.gone();
        });
    }

    /** Some thousand names a call ({@code dfs.ls.limit}); without locations the NameNode only copies them. */
    @Override
    public Observed<List<String>> names(String folderPath) {
        return NameNodeAnswers.to(() -> {
            List<String> names = new ArrayList<>();
            boolean isThere = readFolder(folderPath, false, status -> names.add(status.getLocalName()));
            return isThere ? Observed.known(names) : Observed.gone();
        });
    }

    private interface EachFile {
        void take(HdfsFileStatus status) throws IOException;
    }

    /** Returns whether the folder is there. */
    private boolean readFolder(String folderPath, boolean located, EachFile each) throws IOException {
        DirectoryListing page = client.listPaths(folderPath, HdfsFileStatus.EMPTY_NAME, located);
        while (page != null) {
            for (HdfsFileStatus status : page.getPartialListing()) {
                if (status.isFile()) {
                    each.take(status);
                }
            }
            if (!page.hasMore()) {
                return true;
            }
            page = client.listPaths(folderPath, page.getLastName(), located);
        }
        return false;
    }

    @Override
    public Observed<StoreFile> locate(String path) {
        return NameNodeAnswers.to(() -> {
            HdfsLocatedFileStatus status = client.getLocatedFileInfo(path, false);
            return status == null ? Observed.gone() : Observed.known(locatedFiles.storeFile(path, status));
        });
    }
}
