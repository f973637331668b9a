// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.foreign;

import io.hearth.datanode.cache.LocalPageStore;
import io.hearth.datanode.cache.PageStore;
import io.hearth.datanode.cache.PageStoreFactory;
import java.io.IOException;
import java.nio.file.Path;

/** The factory in the jar of a foreign store, for tests: it needs a library, and tells in the folder what its classes see. */
public final class ForeignPageStores implements PageStoreFactory {

    /** What comes in a jar of its own. */
    public static final class Library {

        private Library() {}

        static boolean sees(String type) {
            try {
                Class.forName(type, false, Library.class.getClassLoader());
                return true;
            } catch (ClassNotFoundException unseen) {
                return false;
            }
        }
    }

    @Override
    public PageStore open(Path folder) throws IOException {
        boolean seesSlf4j = Library.sees("org.slf4j.Logger");
        boolean seesHadoop = Library.sees("org.apache.hadoop.conf.Configuration");
        boolean seesTheDataNodesPart = Library.sees("io.hearth.datanode.config.DataNodeSettings");
        return LocalPageStore.open(folder.resolve(seesSlf4j + " " + seesHadoop + " " + seesTheDataNodesPart + " "
                + getClass().hashCode()));
    }
}
