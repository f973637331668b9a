// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.spi;

import io.hearth.healer.model.StoreFile;

/** The blocks of one file and where they are now. */
public interface FileBlocks {

    /** Asks the NameNode once. Gone if the file is. */
    Observed<StoreFile> locate(String path);
}
