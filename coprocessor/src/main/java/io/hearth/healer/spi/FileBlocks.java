// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.spi;

import io.hearth.healer.model.StoreFile;
import java.util.List;
import java.util.Optional;

/** The blocks of one file and where they are now. */
public interface FileBlocks {

    /** Asks the NameNode once. Gone if the file is. */
    Observed<StoreFile> locate(String path);

    /** The most files that one call asks about just now; 1 where each takes a call of its own. */
    default int filesAtATime() {
        return 1;
    }

    /** Asks about each of these files, by one call if they are no more than {@link #filesAtATime}; the answers in their order. */
    default List<Observed<StoreFile>> locateAll(List<String> paths) {
        return paths.stream().map(this::locate).toList();
    }

    /** The address of the NameNode that gave the last answer, which changes with a failover; empty where that can't be told. Asks nobody. */
    default Optional<String> answeringNameNode() {
        return Optional.empty();
    }

    /** Folders of files in HDFS, and the files in them. */
    interface StoreDirectories extends FileBlocks {

        /** Asks the NameNode for the files of this folder, their blocks and locations included. Gone if the folder is. */
        Observed<List<StoreFile>> list(String dirPath);

        /** The most folders that one call lists just now; 1 where each takes a call of its own. */
        default int foldersAtATime() {
            return 1;
        }

        /** Lists each of these folders, by one call if they are no more than {@link #foldersAtATime}; the answers in their order. */
        default List<Observed<List<StoreFile>>> listAll(List<String> dirPaths) {
            return dirPaths.stream().map(this::list).toList();
        }

        /** Asks the NameNode for the names of this folder's files alone, which costs it little. Gone if the folder is. */
        Observed<List<String>> names(String dirPath);
    }
}
