// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/** The checksums of the files below a folder when each was read first, and how many reads since then got others. Not thread-safe. */
final class FileChecksums {

    private static final int BUFFER_BYTES = 64 << 10;

    private final FileSystem fileSystem;
    private final Path folder;
    private final Map<Path, Long> crcByFile = new HashMap<>();
    private int filesRead;
    private int filesChanged;

    FileChecksums(FileSystem fileSystem, Path folder) {
        this.fileSystem = fileSystem;
        this.folder = folder;
    }

    /** Reads every file to its end, and compares it with its first read. */
    void read() throws IOException {
        RemoteIterator<LocatedFileStatus> files = fileSystem.listFiles(folder, true);
        while (files.hasNext()) {
            Path file = files.next().getPath();
            try {
                long crc = crc(file);
                filesRead++;
                filesChanged += crcByFile.getOrDefault(file, crc) == crc ? 0 : 1;
                crcByFile.putIfAbsent(file, crc);
            } catch (FileNotFoundException e) {
                // A temporary file of a RegionServer's, which has its last name by now.
            }
        }
    }

    int filesRead() {
        return filesRead;
    }

    /** How many of {@link #filesRead} had other bytes than the first read of the same file. */
    int filesChanged() {
        return filesChanged;
    }

    private long crc(Path file) throws IOException {
        CRC32 crc = new CRC32();
        byte[] buffer = new byte[BUFFER_BYTES];
        try (FSDataInputStream in = fileSystem.open(file)) {
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                crc.update(buffer, 0, length);
            }
        }
        return crc.getValue();
    }
}
