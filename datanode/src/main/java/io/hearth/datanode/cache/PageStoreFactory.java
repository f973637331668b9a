// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import java.io.IOException;
import java.nio.file.Path;

/** Opens page stores of one kind. Thread-safe. */
@FunctionalInterface
public interface PageStoreFactory {

    /**
     * Opens the store in this folder, which is made if it is not there.
     *
     * @throws IOException where the folder can't be written, another store has it, or this kind of store can't be had
     */
    PageStore open(Path folder) throws IOException;
}
