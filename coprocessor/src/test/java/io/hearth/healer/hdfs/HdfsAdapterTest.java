// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HdfsAdapterTest {

    private static final String ADVICE = ". Set hbase.rootdir to a folder in HDFS, or remove the observer.";

    private final Configuration conf = new Configuration(false);

    @Test
    void whatIsNotHdfsIsRefused(@TempDir java.nio.file.Path dir) {
        assertThatThrownBy(() -> HdfsAdapter.to(FileSystem.getLocal(conf), new Path(dir.toUri()), conf, Runnable::run))
                .isInstanceOf(IOException.class)
                .hasMessage("Healing moves replicas of HDFS blocks, and HBase's root folder is on file:///" + ADVICE);
    }

    /** SharedFilesIT follows one to HDFS. */
    @Test
    void aMountTableIsFollowed(@TempDir java.nio.file.Path dir) {
        conf.set("fs.viewfs.impl", "org.apache.hadoop.fs.viewfs.ViewFileSystem");
        conf.set("fs.file.impl", "org.apache.hadoop.fs.LocalFileSystem");
        conf.set("fs.viewfs.mounttable.c.link./hbase", dir.toUri().toString());

        assertThatThrownBy(() -> HdfsAdapter.to(
                        FileSystem.get(URI.create("viewfs://c/"), conf),
                        new Path("viewfs://c/hbase"),
                        conf,
                        Runnable::run))
                .isInstanceOf(IOException.class)
                .hasMessage("Healing moves replicas of HDFS blocks, and HBase's root folder is on file:///" + ADVICE);
    }
}
