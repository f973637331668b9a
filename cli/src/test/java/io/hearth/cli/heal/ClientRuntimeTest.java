// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.heal;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In a folder of this machine instead of one in HDFS. */
class ClientRuntimeTest {

    /** By HBase's default a client without the key would heal /tmp/hbase-USER/hbase, and find no files of any region. */
    @Test
    void aFolderWithoutHBaseIsNamed(@TempDir java.nio.file.Path folder) throws IOException {
        Path root = new Path(folder.toUri());
        try (RawLocalFileSystem fs = new RawLocalFileSystem()) {
            fs.initialize(URI.create("file:///"), new Configuration(false));

            assertThatThrownBy(() -> ClientRuntime.checkHasHBase(fs, root))
                    .isInstanceOf(IOException.class)
                    .hasMessage("no HBase is in " + root + "; set hbase.rootdir as the HMaster has it");
            Files.createFile(folder.resolve("hbase.id"));
            assertThatCode(() -> ClientRuntime.checkHasHBase(fs, root)).doesNotThrowAnyException();
        }
    }

    @Test
    void hdfsThatDoesNotAnswerIsWaitedForByHealingItself() {
        FileSystem silent = new FilterFileSystem() {
            @Override
            public FileStatus getFileStatus(Path file) throws IOException {
                throw new IOException("Operation category READ is not supported in state standby");
            }
        };

        assertThatCode(() -> ClientRuntime.checkHasHBase(silent, new Path("/hbase")))
                .doesNotThrowAnyException();
    }
}
