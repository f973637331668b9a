// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process;

import io.hearth.testkit.process.layout.Daemon;
import io.hearth.testkit.process.layout.SiteSettings;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * HBase's folder in HDFS, which belongs to HBase's own user. That one is no superuser of HDFS, as on a cluster of an operator's; the user that
 * started the NameNode is.
 */
final class HBaseRootDir {

    private HBaseRootDir() {}

    /** Makes it; to be called before HBase starts. */
    static void make(Daemon activeNameNode) throws IOException {
        // By its address: the names of the hosts are not known to this JVM.
        URI hdfs = URI.create("hdfs://" + activeNameNode.host().address() + ":8020");
        try (FileSystem fileSystem = FileSystem.newInstance(hdfs, new Configuration())) {
            Path folder = new Path(SiteSettings.HBASE_FOLDER);
            fileSystem.mkdirs(folder);
            fileSystem.setOwner(folder, SiteSettings.HBASE_USER, SiteSettings.HBASE_USER);
        }
    }
}
