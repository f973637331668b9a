// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.locality;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectStoresTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"s3a://bucket/hbase", "S3A://bucket/hbase", "abfss://c@a.dfs.core.windows.net/hbase", "gs://b/h"
            })
    void aRootFolderInOneIsNamed(String root) {
        assertThat(ObjectStores.rootFolder(root, "hdfs://nn:8020")).contains(root);
        assertThat(ObjectStores.rootFolder(" " + root + " ", null)).contains(root);
    }

    @ParameterizedTest
    @CsvSource({
        "hdfs://nn:8020/hbase, s3a://bucket",
        "viewfs://cluster/hbase, s3a://bucket",
        "file:/tmp/hbase, s3a://bucket",
        "/hbase, hdfs://nn:8020",
        "/a:b/hbase, hdfs://nn:8020",
    })
    void othersAreNone(String root, String defaultFileSystem) {
        assertThat(ObjectStores.rootFolder(root, defaultFileSystem)).isEmpty();
    }

    @Test
    void aFolderOfTheDefaultFileSystemIsThere() {
        assertThat(ObjectStores.rootFolder("/hbase", "s3a://bucket")).contains("/hbase");
        assertThat(ObjectStores.rootFolder("/a:b/hbase", "s3a://bucket")).contains("/a:b/hbase");
        assertThat(ObjectStores.rootFolder("/hbase", null)).isEmpty();
        assertThat(ObjectStores.rootFolder("", "s3a://bucket")).isEmpty();
        assertThat(ObjectStores.rootFolder(null, "s3a://bucket")).isEmpty();
    }
}
