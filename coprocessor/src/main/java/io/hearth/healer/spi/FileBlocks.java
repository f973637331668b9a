// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.spi;

import io.hearth.healer.model.StoreFile;
import java.util.List;

/** The blocks of one file and where they are now. */
public interface FileBlocks {

    /** Asks the NameNode once. Gone if the file is. */
    Observed<StoreFile> locate(String path);

    /** Folders of files in HDFS, and the files in them. */
    interface StoreDirectories extends FileBlocks {

        /** Asks the NameNode for the files of this folder, their blocks and locations included. Gone if the folder is. */
        Observed<List<StoreFile>> list(String dirPath);

        /** Asks the NameNode for the names of this folder's files alone, which costs it little. Gone if the folder is. */
        Observed<List<String>> names(String dirPath);
    }
}
