// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import static org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FakeVolume.BLOCK_POOL;
import static org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FakeVolume.STAMP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.datanode.cache.BlockKey;
import io.hearth.datanode.cache.BlockKey.ReplicaVersion;
import io.hearth.datanode.cache.DiskReplica;
import io.hearth.datanode.cache.ReplicaLookup.Presence;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.NonWritableChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FinalizedReplicasTest {

    private static final long BLOCK = 7;
    private static final int LENGTH = 3_000;

    @TempDir
    private Path folder;

    private FakeVolume volume;
    private FinalizedReplicas replicas;

    @BeforeEach
    void aLoadedBlockPool() throws IOException {
        volume = new FakeVolume(folder);
        replicas = new FinalizedReplicas(volume.map);
        replicas.loaded(BLOCK_POOL);
    }

    private static ReplicaVersion version(long blockId, long stamp, long length) {
        return new ReplicaVersion(new BlockKey(BLOCK_POOL, blockId), stamp, length);
    }

    private DiskReplica find() {
        return replicas.find(BLOCK_POOL, BLOCK, STAMP).orElseThrow();
    }

    @Test
    void aReplicaIsFoundByItsStamp() throws IOException {
        volume.add(BLOCK, LENGTH);

        assertThat(find().version()).isEqualTo(version(BLOCK, STAMP, LENGTH));
        assertThat(replicas.find(BLOCK_POOL, BLOCK, STAMP + 1)).isEmpty();
        assertThat(replicas.find(BLOCK_POOL, BLOCK + 1, STAMP)).isEmpty();
        volume.isTransient = true;
        assertThat(replicas.find(BLOCK_POOL, BLOCK, STAMP)).as("in memory").isEmpty();
    }

    @Test
    void itsFilesHoldTheVolumeWhileTheyAreOpen() throws IOException {
        byte[] bytes = volume.add(BLOCK, LENGTH);
        byte[] metaBytes = Files.readAllBytes(Path.of(volume.replica(BLOCK).getMetadataURI()));

        try (InputStream meta = find().openMeta();
                FileChannel data = find().openData()) {
            assertThat(volume.references).hasValue(2);
            assertThat(meta.readAllBytes()).isEqualTo(metaBytes);
            assertThat(data.size()).isEqualTo(LENGTH);
            ByteBuffer got = ByteBuffer.allocate(LENGTH - 1_000);
            assertThat(data.read(got, 1_000)).isEqualTo(LENGTH - 1_000);
            assertThat(got.array()).isEqualTo(Arrays.copyOfRange(bytes, 1_000, LENGTH));
            assertThat(data.read(got.clear(), LENGTH)).isEqualTo(-1);
        }
        assertThat(volume.references).hasValue(0);
    }

    /** HDFS tells slow disks by that, and has the volume checked when one fails. */
    @Test
    void whatAClientGetsWithoutSendfileIsMeasuredAsHdfsMeasuresIt() throws IOException {
        byte[] bytes = volume.add(BLOCK, LENGTH);

        try (FileChannel data = find().openData()) {
            ByteBuffer got = ByteBuffer.allocate(700).position(100).limit(600).slice();
            assertThat(data.read(got, 1_000)).isEqualTo(500);
            assertThat(got.hasRemaining()).isFalse();
            assertThat(Arrays.copyOfRange(got.array(), 100, 600)).isEqualTo(Arrays.copyOfRange(bytes, 1_000, 1_500));
            assertThat(volume.measuredReads()).isEqualTo(1);
            assertThat(data.read(got.clear(), 20)).isEqualTo(500);
            assertThat(Arrays.copyOfRange(got.array(), 100, 600)).isEqualTo(Arrays.copyOfRange(bytes, 20, 520));
            assertThat(volume.measuredReads()).isEqualTo(2);
            ByteBuffer page = ByteBuffer.allocateDirect(LENGTH);
            assertThat(data.read(page, 0)).isEqualTo(LENGTH);
            assertThat(page.flip()).isEqualTo(ByteBuffer.wrap(bytes));
        }
    }

    @Test
    void aFileThatHasGoneHoldsNothing() throws IOException {
        volume.add(BLOCK, LENGTH);
        DiskReplica found = find();
        Files.delete(Path.of(volume.replica(BLOCK).getBlockURI()));
        Files.delete(Path.of(volume.replica(BLOCK).getMetadataURI()));

        assertThatThrownBy(found::openData).isInstanceOf(IOException.class);
        assertThatThrownBy(found::openMeta).isInstanceOf(IOException.class);
        assertThat(volume.references).hasValue(0);
    }

    @Test
    void aReplicaThatHasChangedIsNotCurrentAndOpensNothing() throws IOException {
        volume.add(BLOCK, LENGTH);
        DiskReplica before = find();
        assertThat(before.isCurrent()).isTrue();

        volume.bumpGenerationStamp(BLOCK);

        assertThat(before.isCurrent()).isFalse();
        assertThatThrownBy(before::openData)
                .isInstanceOf(ReplicaNotFoundException.class)
                .hasMessageContaining("has gone or changed");
        assertThat(volume.references).hasValue(0);
    }

    @Test
    void itsChannelOnlyReads() throws IOException {
        volume.add(BLOCK, LENGTH);
        try (FileChannel data = find().openData()) {
            List<ThrowingCallable> writes = List.of(
                    () -> data.write(ByteBuffer.allocate(1)),
                    () -> data.write(ByteBuffer.allocate(1), 0),
                    () -> data.write(new ByteBuffer[] {ByteBuffer.allocate(1)}),
                    () -> data.truncate(0),
                    () -> data.force(true),
                    () -> data.transferFrom(data, 0, 1));
            assertThat(writes)
                    .allSatisfy(write -> assertThatThrownBy(write).isInstanceOf(NonWritableChannelException.class));
            List<ThrowingCallable> unsupported =
                    List.of(() -> data.map(FileChannel.MapMode.READ_ONLY, 0, 1), data::lock, data::tryLock);
            assertThat(unsupported)
                    .allSatisfy(call -> assertThatThrownBy(call).isInstanceOf(UnsupportedOperationException.class));
        }
    }

    @Test
    void theSweepIsToldWhatIsThere() throws IOException {
        volume.add(BLOCK, LENGTH);

        assertThat(replicas.presenceOf(version(BLOCK, STAMP, LENGTH))).isEqualTo(Presence.CURRENT);
        assertThat(replicas.presenceOf(version(BLOCK, STAMP + 1, LENGTH))).isEqualTo(Presence.GONE);
        assertThat(replicas.presenceOf(version(BLOCK, STAMP, LENGTH + 1))).isEqualTo(Presence.GONE);
        assertThat(replicas.presenceOf(version(BLOCK + 1, STAMP, LENGTH))).isEqualTo(Presence.GONE);
    }

    /** A map without replicas says nothing before it is loaded and after it was emptied. */
    @Test
    void nothingOfABlockPoolThatIsNotLoadedHasGone() {
        ReplicaVersion other = new ReplicaVersion(new BlockKey("BP-2", BLOCK), STAMP, LENGTH);
        assertThat(replicas.presenceOf(other)).isEqualTo(Presence.UNKNOWN);

        replicas.loaded("BP-2");
        assertThat(replicas.presenceOf(other)).isEqualTo(Presence.GONE);

        replicas.unloaded("BP-2");
        assertThat(replicas.presenceOf(other)).isEqualTo(Presence.UNKNOWN);
    }
}
