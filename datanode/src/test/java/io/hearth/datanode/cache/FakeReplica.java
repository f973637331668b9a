// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import io.hearth.datanode.cache.BlockKey.ReplicaVersion;
import io.hearth.datanode.cache.ReplicaMeta.SumType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/** A replica in two files of a folder. */
final class FakeReplica implements DiskReplica {

    final byte[] bytes;
    final byte[] meta;
    final Path dataFile;
    final Path metaFile;
    final AtomicInteger dataOpenings = new AtomicInteger();
    volatile boolean isCurrent = true;
    /** The byte of the data that the disk can't read; -1 if it can read all. */
    volatile long badPosition = -1;

    private final ReplicaVersion version;

    FakeReplica(Path disk, ReplicaVersion version, SumType type, int chunkBytes) throws IOException {
        this.version = version;
        bytes = new byte[(int) version.length()];
        new Random(version.key().hashCode() + 31 * version.generationStamp()).nextBytes(bytes);
        meta = MetaFiles.of(bytes, type, chunkBytes);
        String name = version.key().blockPool() + "_" + version.key().blockId() + "_" + version.generationStamp();
        dataFile = Files.write(disk.resolve(name), bytes);
        metaFile = Files.write(disk.resolve(name + ".meta"), meta);
    }

    static FakeReplica of(Path disk, long blockId, int length) throws IOException {
        return new FakeReplica(
                disk, new ReplicaVersion(new BlockKey("BP-1", blockId), 1_001, length), SumType.CRC32C, 512);
    }

    BlockKey key() {
        return version.key();
    }

    @Override
    public ReplicaVersion version() {
        return version;
    }

    @Override
    public InputStream openMeta() throws IOException {
        return Files.newInputStream(metaFile);
    }

    @Override
    public FileChannel openData() throws IOException {
        dataOpenings.incrementAndGet();
        return new FaultyDiskChannel(FileChannel.open(dataFile, StandardOpenOption.READ), badPosition);
    }

    @Override
    public boolean isCurrent() {
        return isCurrent;
    }
}
