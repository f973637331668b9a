// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * A file of a line or two in the folder {@code .hearth} of HBase's root folder. What is written is whole or not there: it gets its name at
 * the end.
 */
final class SmallFile {

    private static final int MAX_BYTES = 65_536;

    private final DistributedFileSystem fs;
    private final Path file;

    SmallFile(DistributedFileSystem fs, Path rootDir, String name) {
        this.fs = fs;
        this.file = new Path(new Path(rootDir, LeaseLock.DIR), name);
    }

    /** What was written last; empty where the file is not there. */
    Optional<String> read() throws IOException {
        try (FSDataInputStream in = fs.open(file)) {
            return Optional.of(new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8));
        } catch (FileNotFoundException none) {
            return Optional.empty();
        }
    }

    void write(String text) throws IOException {
        Path next = file.suffix(".next");
        try (FSDataOutputStream out = fs.create(next, true)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        fs.rename(next, file, Options.Rename.OVERWRITE);
    }

    void delete() throws IOException {
        fs.delete(file, false);
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
