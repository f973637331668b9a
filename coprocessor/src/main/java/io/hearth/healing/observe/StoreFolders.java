package io.hearth.healing.observe;

import io.hearth.healing.model.StoreFile;
import java.util.List;

/** Folders of files in HDFS. */
public interface StoreFolders {

    /** Asks the NameNode for the files of this folder, their blocks and locations included. Gone if the folder is. */
    Observed<List<StoreFile>> list(String folderPath);
}
