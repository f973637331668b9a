// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hearth.datanode.cache.CachedBlockReader;
import io.hearth.datanode.cache.CachedRead;
import io.hearth.datanode.cache.ReadCache.ClientRead;
import java.io.FileInputStream;
import java.io.IOException;
import org.jspecify.annotations.NullMarked;

/** The streams of cached blocks that the shipped dataset gives HDFS, without a DataNode around them. */
@NullMarked
public final class CachedBlockStreams {

    private CachedBlockStreams() {}

    /** The data of a block that is cached in files, which the caller closes. */
    public static FileInputStream open(ClientRead read) throws IOException {
        CachedRead cached = read.cached().orElseThrow(() -> new IOException("the block is not cached"));
        FileInputStream file = new FileInputStream(cached.dataFile()
                .orElseThrow(() -> new IOException("the block is cached in no file"))
                .toFile());
        try {
            CachedBlockReader block = cached.openData();
            return ClientBlockStream.ofCache(file, block, read, 0);
        } catch (IOException | RuntimeException failure) {
            file.close();
            throw failure;
        }
    }
}
