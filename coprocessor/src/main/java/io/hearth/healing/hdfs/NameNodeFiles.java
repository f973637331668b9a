package io.hearth.healing.hdfs;

import io.hearth.healing.model.StoreFile;
import io.hearth.healing.observe.FileBlocks;
import io.hearth.healing.observe.Observed;
import io.hearth.healing.observe.StoreFolders;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;

/** Asks the NameNode for files with their blocks and locations. Needs read permission only. Thread-safe. */
final class NameNodeFiles implements StoreFolders, FileBlocks {

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
            DirectoryListing page = client.listPaths(folderPath, HdfsFileStatus.EMPTY_NAME, true);
            while (page != null) {
                for (HdfsFileStatus status : page.getPartialListing()) {
                    if (status instanceof HdfsLocatedFileStatus located && status.isFile()) {
                        files.add(locatedFiles.storeFile(status.getFullName(folderPath), located));
                    }
                }
                if (!page.hasMore()) {
                    return Observed.known(files);
                }
                page = client.listPaths(folderPath, page.getLastName(), true);
            }
            return Observed.gone();
        });
    }

    @Override
    public Observed<StoreFile> locate(String path) {
        return NameNodeAnswers.to(() -> {
            HdfsLocatedFileStatus status = client.getLocatedFileInfo(path, false);
            return status == null ? Observed.gone() : Observed.known(locatedFiles.storeFile(path, status));
        });
    }
}
