// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

/** The same over Alluxio's store. */
class AlluxioCacheThreadsTest extends SsdCacheThreadsTest {

    @Override
    PageStoreFactory stores() {
        return AlluxioPageStoreTest.STORES;
    }
}
