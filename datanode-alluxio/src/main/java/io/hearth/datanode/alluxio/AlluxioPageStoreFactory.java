// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.alluxio;

import io.hearth.datanode.cache.PageStore;
import io.hearth.datanode.cache.PageStoreFactory;
import java.io.IOException;
import java.nio.file.Path;

/** Opens {@link AlluxioPageStore}s; what the jar names as its {@link PageStoreFactory}. */
public final class AlluxioPageStoreFactory implements PageStoreFactory {

    @Override
    public PageStore open(Path folder) throws IOException {
        return AlluxioPageStore.open(folder);
    }
}
