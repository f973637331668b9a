// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import static org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FakeVolume.BLOCK_POOL;
import static org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FakeVolume.STAMP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.datanode.cache.LocalPageStore;
import io.hearth.datanode.cache.PageStore;
import io.hearth.datanode.cache.ReadCache;
import io.hearth.datanode.cache.ReadCacheCounts.Counter;
import io.hearth.datanode.cache.SsdCache;
import io.hearth.datanode.config.ReadCacheSettings.Admission;
import io.hearth.datanode.config.ReadCacheSettings.Mode;
import io.hearth.datanode.config.ReadCacheSettings.ReadCacheConfig;
import io.hearth.datanode.config.ReadCacheSettings.Storage;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.lang.reflect.Proxy;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.LengthInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks as HDFS's BlockSender reads them: meta first, then data, in one thread whose name says for whom. */
class ReadCacheHooksTest {

    private static final int PAGE = 4_096;
    private static final int LENGTH = 3 * PAGE + 700;
    private static final String CLIENT =
            "DataXceiver for client DFSClient_1 at /10.0.0.7:4711 [Sending block BP-1:blk_1_1001]";

    @TempDir
    private Path folder;

    private final String threadName = Thread.currentThread().getName();
    private final AtomicLong nanos = new AtomicLong();
    private final List<String> failures = new ArrayList<>();
    private boolean isInMemory;
    private FakeVolume volume;
    private volatile ReadCacheConfig config;
    private ReadCache cache;
    private ReadCacheHooks hooks;

    @BeforeEach
    void aCacheThatTakesWhatIsReadOnce() throws IOException {
        Thread.currentThread().setName(CLIENT);
        volume = new FakeVolume(folder.resolve("disk"));
        config = configOf(Mode.ON);
        cache = new ReadCache(
                () -> {
                    if (config == null) {
                        throw new IllegalStateException("a fault of ours");
                    }
                    return config;
                },
                nanos::get);
        SsdCache ssd = cache.openFolder(Files.createDirectories(folder.resolve("ssd")));
        assertThat(ssd.restore(() -> false)).isTrue();
        cache.use(ssd);
        hooks = new ReadCacheHooks(
                new FinalizedReplicas(volume.map),
                (blockPool, blockId) -> isInMemory,
                Optional.of(cache),
                (what, failure) -> failures.add(what + ": " + failure.getMessage()),
                () -> {});
    }

    private static ReadCacheConfig configOf(Mode mode) {
        return new ReadCacheConfig(
                mode, Optional.empty(), new Storage(1L << 30, 0, 100, PAGE, 100), new Admission(0, 60), List.of());
    }

    @AfterEach
    void nothingIsHeld() throws IOException {
        Thread.currentThread().setName(threadName);
        cache.close();
        assertThat(volume.references).hasValue(0);
    }

    private static ExtendedBlock block(long blockId) {
        return new ExtendedBlock(BLOCK_POOL, blockId, LENGTH, STAMP);
    }

    private LengthInputStream stockMeta(long blockId) throws IOException {
        return volume.replica(blockId).getMetadataInputStream(0);
    }

    private InputStream stockData(long blockId, long position) throws IOException {
        return volume.replica(blockId).getDataInputStream(position);
    }

    private LengthInputStream openMeta(long blockId) throws IOException {
        return hooks.openMeta(block(blockId), () -> stockMeta(blockId));
    }

    private InputStream openData(long blockId, long position) throws IOException {
        return hooks.openData(block(blockId), position, () -> stockData(blockId, position));
    }

    /** What a client gets of the block's data from this position on, by sendfile as HDFS does it. */
    private byte[] read(long blockId, int position) throws IOException {
        byte[] metaBytes = Files.readAllBytes(Path.of(volume.replica(blockId).getMetadataURI()));
        try (LengthInputStream meta = openMeta(blockId)) {
            assertThat(meta.getLength()).isEqualTo(metaBytes.length);
            assertThat(meta.readAllBytes()).isEqualTo(metaBytes);
        }
        try (InputStream data = openData(blockId, position)) {
            return send((FileInputStream) data);
        }
    }

    private static byte[] send(FileInputStream data) throws IOException {
        FileChannel channel = data.getChannel();
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        WritableByteChannel target = Channels.newChannel(got);
        long position = channel.position();
        while (position < channel.size()) {
            long sent = channel.transferTo(position, 1 << 16, target);
            assertThat(sent).isPositive();
            position += sent;
        }
        assertThat(channel.transferTo(position, 1, target)).isZero();
        return got.toByteArray();
    }

    private long count(Counter counter) {
        return cache.counts().get(counter);
    }

    private Path copyOfData() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("ssd"))) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> file.toFile().length() == LENGTH)
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Descriptors of this process in the test's folder, but for the lock of the cache. */
    private List<String> openFiles() throws IOException {
        List<String> open = new ArrayList<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors.toList()) {
                try {
                    String file = Files.readSymbolicLink(descriptor).toString();
                    if (file.startsWith(folder.toRealPath().toString()) && !file.endsWith("in_use.lock")) {
                        open.add(file);
                    }
                } catch (IOException closedMeanwhile) {
                    // It is that of the folder which is listed.
                }
            }
        }
        return open;
    }

    @Test
    void whatWasReadOnceComesFromTheSsd() throws IOException {
        byte[] bytes = volume.add(1, LENGTH);

        assertThat(read(1, 0)).isEqualTo(bytes);
        assertThat(count(Counter.SSD_BYTES)).isZero();
        assertThat(count(Counter.DISK_BYTES)).isEqualTo(LENGTH);

        assertThat(read(1, 0)).isEqualTo(bytes);
        assertThat(count(Counter.SSD_BYTES)).isEqualTo(LENGTH);
        assertThat(count(Counter.DISK_BYTES)).isEqualTo(LENGTH);
        assertThat(count(Counter.READS)).isEqualTo(2);
        assertThat(openFiles()).isEmpty();
        assertThat(failures).isEmpty();
    }

    /** HDFS reads ahead by the descriptor: that of the disk's file would have the disk read what the SSD has. */
    @Test
    void aStoreWithoutFilesOfBlocksIsReadByAnEmptyDescriptor() throws IOException {
        byte[] bytes = volume.add(1, LENGTH);
        SsdCache pathless = cache.openFolder(
                Files.createDirectories(folder.resolve("other")), own -> withoutPaths(LocalPageStore.open(own)));
        assertThat(pathless.restore(() -> false)).isTrue();
        cache.use(pathless);

        assertThat(read(1, 0)).isEqualTo(bytes);
        try (InputStream data = openData(1, 0)) {
            assertThat(openFiles()).isNotEmpty().allMatch(file -> file.contains(SsdCache.FOLDER));
            assertThat(send((FileInputStream) data)).isEqualTo(bytes);
        }
        assertThat(count(Counter.SSD_BYTES)).isEqualTo(LENGTH);
        assertThat(failures).isEmpty();
    }

    private static PageStore withoutPaths(PageStore store) {
        return (PageStore) Proxy.newProxyInstance(
                PageStore.class.getClassLoader(),
                new Class<?>[] {PageStore.class},
                (proxy, method, arguments) ->
                        method.getName().equals("path") ? Optional.empty() : method.invoke(store, arguments));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 512, PAGE - 1, PAGE, LENGTH - 1})
    void fromAnyPosition(int position) throws IOException {
        byte[] bytes = volume.add(1, LENGTH);
        byte[] rest = Arrays.copyOfRange(bytes, position, LENGTH);

        assertThat(read(1, position)).isEqualTo(rest);
        assertThat(read(1, position)).isEqualTo(rest);
        try (InputStream data = openData(1, position)) {
            assertThat(data.available()).isEqualTo(rest.length);
            assertThat(data.read()).isEqualTo(rest[0] & 0xff);
            assertThat(data.skip(LENGTH)).isEqualTo(rest.length - 1);
            assertThat(data.read()).isEqualTo(-1);
        }
        try (InputStream data = openData(1, position)) {
            assertThat(data.readAllBytes()).isEqualTo(rest);
        }
        try (InputStream data = openData(1, position)) {
            assertThat(data.readNBytes(600)).isEqualTo(Arrays.copyOf(rest, Math.min(600, rest.length)));
        }
        try (InputStream data = openData(1, position)) {
            ByteArrayOutputStream got = new ByteArrayOutputStream();
            assertThat(data.transferTo(got)).isEqualTo(rest.length);
            assertThat(got.toByteArray()).isEqualTo(rest);
        }
        assertThat(count(Counter.SSD_BYTES)).isGreaterThanOrEqualTo(rest.length);
    }

    @Test
    void theDisksBytesAreCountedWhereTheBlockIsNotCached() throws IOException {
        config = configOf(Mode.SHADOW);
        byte[] bytes = volume.add(1, LENGTH);

        assertThat(read(1, 0)).isEqualTo(bytes);
        try (InputStream data = openData(1, 100)) {
            assertThat(data.readAllBytes()).isEqualTo(Arrays.copyOfRange(bytes, 100, LENGTH));
        }

        assertThat(count(Counter.READS)).isEqualTo(2);
        assertThat(count(Counter.DISK_BYTES)).isEqualTo(2 * LENGTH - 100);
        assertThat(count(Counter.WRITTEN_BYTES)).isZero();
        assertThat(openFiles()).isEmpty();
    }

    /** The balancer between disks may have moved the file when the cache opens it. */
    @Test
    void theDisksBytesAreCountedWhereTheCacheCannotOpenThem() throws IOException {
        byte[] bytes = volume.add(1, LENGTH);
        Path moved = Files.move(Path.of(volume.replica(1).getBlockURI()), folder.resolve("moved"));
        openMeta(1).close();
        try (InputStream data = hooks.openData(block(1), 0, () -> new FileInputStream(moved.toFile()))) {
            assertThat(send((FileInputStream) data)).isEqualTo(bytes);
        }
        assertThat(count(Counter.FALLBACKS)).isEqualTo(1);
        assertThat(count(Counter.DISK_BYTES)).isEqualTo(LENGTH);
    }

    /** HDFS's stream of a replica measures its reads, and has the volume checked when one fails. */
    @Test
    void theDisksStreamReadsByItself() throws IOException {
        config = configOf(Mode.SHADOW);
        byte[] bytes = volume.add(1, LENGTH);
        File file = new File(volume.replica(1).getBlockURI());
        AtomicInteger reads = new AtomicInteger();
        FileInputStream disk = new FileInputStream(file) {
            @Override
            public int read(byte[] target, int offset, int length) throws IOException {
                reads.incrementAndGet();
                return super.read(target, offset, length);
            }
        };

        try (InputStream data = hooks.openData(block(1), 0, () -> disk)) {
            assertThat(data.readNBytes(600)).isEqualTo(Arrays.copyOf(bytes, 600));
            assertThat(data.skip(100)).isEqualTo(100);
            assertThat(data.readAllBytes()).isEqualTo(Arrays.copyOfRange(bytes, 700, LENGTH));
        }
        assertThat(reads).hasValue(2);
        assertThat(count(Counter.DISK_BYTES)).isEqualTo(LENGTH - 100);
    }

    /** By a cache directive of HDFS. */
    @Test
    void whatHdfsHoldsInMemoryIsNotReadFromTheSsd() throws IOException {
        byte[] bytes = volume.add(1, LENGTH);
        read(1, 0);
        isInMemory = true;

        assertThat(read(1, 0)).isEqualTo(bytes);
        try (InputStream data = openData(1, 0)) {
            assertThat(data).isNotInstanceOf(ClientBlockStream.class);
        }
        assertThat(count(Counter.READS)).isEqualTo(1);
        assertThat(count(Counter.SSD_BYTES)).isZero();

        isInMemory = false;
        assertThat(read(1, 0)).isEqualTo(bytes);
        assertThat(count(Counter.SSD_BYTES)).isEqualTo(LENGTH);
    }

    @Test
    void offIsStock() throws IOException {
        config = configOf(Mode.OFF);
        byte[] bytes = volume.add(1, LENGTH);

        assertThat(read(1, 0)).isEqualTo(bytes);
        Thread.currentThread().setName("main");
        try (InputStream data = openData(1, 0)) {
            assertThat(data).isNotInstanceOf(ClientBlockStream.class);
        }

        assertThat(Arrays.stream(Counter.values()).mapToLong(this::count).sum()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DataXceiver for client  at /10.0.0.7:4711 [Sending block BP-1:blk_1_1001]",
                "DataXceiver for client /10.0.0.7:4711 [Copying block BP-1:blk_1_1001]",
                "VolumeScannerThread(/data/1)",
                "main"
            })
    void othersReadTheDiskAndAreCounted(String thread) throws IOException {
        byte[] bytes = volume.add(1, LENGTH);
        read(1, 0);
        Thread.currentThread().setName(thread);

        assertThat(read(1, 0)).isEqualTo(bytes);
        assertThat(count(Counter.NOT_A_CLIENT)).isEqualTo(1);
        assertThat(count(Counter.READS)).isEqualTo(1);
        assertThat(count(Counter.SSD_BYTES)).isZero();
    }

    @Test
    void shortCircuitGetsTheDisksFiles() throws IOException {
        volume.add(1, LENGTH);
        read(1, 0);
        Thread.currentThread()
                .setName("DataXceiver for client unix:/run/dn [Passing file descriptors for block BP-1:blk_1_1001]");

        try (InputStream data = openData(1, 0);
                LengthInputStream meta = openMeta(1)) {
            assertThat(data).isNotInstanceOf(ClientBlockStream.class);
            assertThat(meta.getWrappedStream()).isInstanceOf(FileInputStream.class);
        }
        assertThat(count(Counter.NOT_A_CLIENT)).isZero();
        assertThat(count(Counter.READS)).isEqualTo(1);
    }

    @Test
    void metaAndDataAreOneReadAndDataAloneAreOne() throws IOException {
        byte[] bytes = volume.add(1, LENGTH);
        read(1, 0);
        assertThat(count(Counter.READS)).isEqualTo(1);

        try (InputStream data = openData(1, 0)) {
            assertThat(send((FileInputStream) data)).isEqualTo(bytes);
        }
        assertThat(count(Counter.READS)).isEqualTo(2);
        assertThat(count(Counter.SSD_BYTES)).isEqualTo(LENGTH);
    }

    /** BlockSender may throw between the two. */
    @Test
    void aMetaFileWithoutDataHoldsNothingAndIsNotTakenForAnotherBlock() throws IOException {
        volume.add(1, LENGTH);
        byte[] other = volume.add(2, LENGTH);
        read(1, 0);
        openMeta(1).close();
        assertThat(openFiles()).isEmpty();

        try (InputStream data = openData(2, 0)) {
            assertThat(send((FileInputStream) data)).isEqualTo(other);
        }
        assertThat(openFiles()).isEmpty();
        assertThat(volume.references).hasValue(0);
    }

    /** BlockSender asks for the message of what a read by buffers throws, and that of an interrupted channel has none. */
    @ParameterizedTest
    @EnumSource(names = {"ON", "SHADOW"})
    void anInterruptedReadByBuffersSaysSo(Mode mode) throws IOException {
        config = configOf(mode);
        volume.add(1, LENGTH);
        read(1, 0);
        try (InputStream data = openData(1, 0)) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> data.read(new byte[100]))
                    .isInstanceOf(InterruptedIOException.class)
                    .hasMessage("the read of a block was interrupted");
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void aFlippedByteIsNeverSent() throws IOException {
        byte[] bytes = volume.add(1, LENGTH);
        read(1, 0);
        byte[] copy = Files.readAllBytes(copyOfData());
        copy[PAGE + 5] ^= 1;
        Files.write(copyOfData(), copy);

        assertThat(read(1, 0)).isEqualTo(bytes);
        assertThat(count(Counter.VERIFICATION_FAILURES)).isEqualTo(1);
        assertThat(count(Counter.FALLBACKS)).isEqualTo(1);
        assertThat(failures).as("it is no failure of ours").isEmpty();
        assertThat(openFiles()).isEmpty();
    }

    @Test
    void aCopyThatHasGoneIsReadFromTheDisk() throws IOException {
        byte[] bytes = volume.add(1, LENGTH);
        read(1, 0);
        Files.delete(copyOfData());

        assertThat(read(1, 0)).isEqualTo(bytes);
        assertThat(count(Counter.FALLBACKS)).isEqualTo(1);
        assertThat(openFiles()).isEmpty();
    }

    @Test
    void aFaultOfOursLeavesTheStockStreams() throws IOException {
        byte[] bytes = volume.add(1, LENGTH);
        config = null;

        assertThat(read(1, 0)).isEqualTo(bytes);
        assertThat(failures)
                .containsExactly(
                        "the meta file of a block: a fault of ours", "a block that is opened: a fault of ours");
        config = configOf(Mode.ON);
    }

    @Test
    void aFailureOfTheDiskIsTheCallers() throws IOException {
        config = configOf(Mode.SHADOW);
        volume.add(1, LENGTH);
        openMeta(1).close();

        assertThatThrownBy(() -> hooks.openData(block(1), 0, () -> {
                    throw new FileNotFoundException("blk_1 is not there");
                }))
                .isInstanceOf(FileNotFoundException.class)
                .hasMessage("blk_1 is not there");
        assertThat(count(Counter.FALLBACKS)).isZero();
    }

    @Test
    void aReplicaThatGoesTakesItsCopyAlong() throws IOException {
        volume.add(1, LENGTH);
        volume.add(2, LENGTH);
        read(1, 0);
        read(2, 0);
        SsdCache ssd = cache.ssd().orElseThrow();

        hooks.drop(BLOCK_POOL, 1);
        assertThat(ssd.status().blocks()).isEqualTo(1);
        hooks.blockPoolDeleted(BLOCK_POOL);
        assertThat(ssd.status().blocks()).isZero();
        assertThat(count(Counter.DROPPED_BLOCKS)).isEqualTo(2);
    }

    @Test
    void whatWasAppendedIsNotServedFromTheCopyOfBefore() throws IOException {
        volume.add(1, LENGTH);
        read(1, 0);
        volume.bumpGenerationStamp(1);
        ExtendedBlock appended = new ExtendedBlock(BLOCK_POOL, 1, LENGTH, STAMP + 1);

        hooks.openData(appended, 0, () -> stockData(1, 0)).close();

        assertThat(count(Counter.DROPPED_BLOCKS)).isEqualTo(1);
        assertThat(count(Counter.SSD_BYTES)).isZero();
    }

    @Test
    void withoutACacheEverythingIsStock() throws IOException {
        byte[] bytes = volume.add(1, LENGTH);
        hooks = new ReadCacheHooks(
                new FinalizedReplicas(volume.map),
                (blockPool, blockId) -> isInMemory,
                Optional.empty(),
                (what, failure) -> failures.add(what),
                () -> {});

        assertThat(read(1, 0)).isEqualTo(bytes);
        hooks.drop(BLOCK_POOL, 1);
        hooks.blockPoolDeleted(BLOCK_POOL);
        assertThat(failures).isEmpty();
    }
}
