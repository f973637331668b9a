// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileChecksumsTest {

    @TempDir
    private Path folder;

    private final RawLocalFileSystem fileSystem = new RawLocalFileSystem();
    private Path first;
    private FileChecksums files;

    @BeforeEach
    void twoFiles() throws IOException {
        fileSystem.initialize(URI.create("file:///"), new Configuration(false));
        first = Files.write(Files.createDirectory(folder.resolve("region")).resolve("first"), new byte[200_000]);
        Files.write(folder.resolve("second"), new byte[3]);
        files = new FileChecksums(fileSystem, new org.apache.hadoop.fs.Path(folder.toUri()));
        files.read();
    }

    @AfterEach
    void close() throws IOException {
        fileSystem.close();
    }

    @Test
    void theSameBytesAreNoChange() throws Exception {
        files.read();

        assertThat(files.filesRead()).isEqualTo(4);
        assertThat(files.filesChanged()).isZero();
    }

    @Test
    void everyReadOfOtherBytesThanTheFirstIsAChange() throws Exception {
        byte[] flipped = new byte[200_000];
        flipped[199_999] = 1;
        Files.write(first, flipped);
        files.read();
        files.read();
        assertThat(files.filesChanged()).isEqualTo(2);

        Files.write(first, new byte[200_000]);
        files.read();
        assertThat(files.filesChanged()).as("as at first again").isEqualTo(2);
        assertThat(files.filesRead()).isEqualTo(8);
    }

    @Test
    void aFileThatIsShorterHasChanged() throws Exception {
        Files.write(first, new byte[199_999]);
        files.read();

        assertThat(files.filesChanged()).isEqualTo(1);
    }

    @Test
    void filesThatGoAndComeAreNoChange() throws Exception {
        Files.delete(first);
        Files.write(folder.resolve("third"), new byte[9]);
        files.read();

        assertThat(files.filesRead()).isEqualTo(4);
        assertThat(files.filesChanged()).isZero();
    }
}
