// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.datanode.cache.ReadCacheCounts.Counter;
import io.hearth.datanode.config.ReadCacheSettings.Storage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** A cache on a folder, a disk in another, and a clock that is turned. */
final class CacheFixture implements AutoCloseable {

    static final int PAGE = 4_096;
    static final Storage PLENTY = new Storage(1L << 30, 0, 1_000, PAGE, 100);

    final Path disk;
    final Path ssd;
    private final PageStoreFactory stores;
    final AtomicLong nanos = new AtomicLong();
    ReadCacheCounts counts = new ReadCacheCounts();
    volatile Storage storage = PLENTY;
    FaultyPageStore store;
    SsdCache cache;

    CacheFixture(Path folder) throws IOException {
        this(folder, LocalPageStore::open);
    }

    CacheFixture(Path folder, PageStoreFactory stores) throws IOException {
        this.stores = stores;
        disk = Files.createDirectories(folder.resolve("disk"));
        ssd = folder.resolve("ssd");
        restart();
    }

    /** Opens the cache; {@link #close} or {@link #kill} comes before. */
    void open() throws IOException {
        store = new FaultyPageStore(stores.open(ssd));
        counts = new ReadCacheCounts();
        cache = new SsdCache(ssd, store, () -> storage, counts, nanos::get);
    }

    void restart() throws IOException {
        if (cache != null) {
            cache.close();
        }
        open();
        assertThat(cache.restore(() -> false)).isTrue();
    }

    /** As if the process died: nothing is saved. */
    void kill() throws IOException {
        store.close();
        open();
        assertThat(cache.restore(() -> false)).isTrue();
    }

    void passMs(long ms) {
        nanos.addAndGet(ms * 1_000_000);
    }

    FakeReplica replica(long blockId, int length) throws IOException {
        return FakeReplica.of(disk, blockId, length);
    }

    /** Reads the block as a client that the cache has admitted, and returns what it got. */
    byte[] read(FakeReplica replica) throws IOException {
        return read(replica, true);
    }

    byte[] read(FakeReplica replica, boolean isAdmitted) throws IOException {
        Optional<CachedRead> read = cache.open(replica, isAdmitted);
        return read.isPresent() ? read(read.get(), replica) : Files.readAllBytes(replica.dataFile);
    }

    private static byte[] read(CachedRead read, FakeReplica replica) throws IOException {
        try (InputStream meta = read.openMeta()) {
            assertThat(meta.readAllBytes()).isEqualTo(replica.meta);
        }
        try (CachedBlockReader data = read.openData()) {
            return send(data, 0, replica.bytes.length);
        }
    }

    /** What a client gets, in pieces of 64 KiB at most. */
    static byte[] send(CachedBlockReader data, long from, int count) throws IOException {
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        WritableByteChannel target = Channels.newChannel(got);
        long position = from;
        while (position < from + count) {
            long sent = data.transferTo(position, Math.min(1 << 16, from + count - position), target);
            if (sent == 0) {
                break;
            }
            position += sent;
        }
        return got.toByteArray();
    }

    /** Reads the block twice, after which it is on the SSD. */
    void warm(FakeReplica replica) throws IOException {
        assertThat(read(replica)).isEqualTo(replica.bytes);
        long before = counts.get(Counter.SSD_BYTES);
        assertThat(read(replica)).isEqualTo(replica.bytes);
        assertThat(counts.get(Counter.SSD_BYTES) - before).isEqualTo(replica.bytes.length);
    }

    /** The files of pages on the SSD, data and copies of meta files; folders with pages where the store has these. */
    List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(ssd, 3)) {
            return all.filter(path -> ssd.relativize(path).getNameCount() == 3).toList();
        }
    }

    /** What these files take. */
    long fileBytes() throws IOException {
        long bytes = 0;
        for (Path file : files()) {
            bytes += Files.size(file);
        }
        return bytes;
    }

    /** The file on the SSD that has this replica's data. */
    Path dataCopy(FakeReplica replica) {
        return cache.open(replica, false).flatMap(CachedRead::dataFile).orElseThrow();
    }

    /** The file on the SSD that has the copy of this replica's meta file. */
    Path metaCopy(FakeReplica replica) throws IOException {
        return files().stream()
                .filter(file -> startsWith(file, Arrays.copyOf(replica.meta, 11)))
                .findFirst()
                .orElseThrow();
    }

    private static boolean startsWith(Path file, byte[] start) {
        try (InputStream in = Files.newInputStream(file)) {
            return Arrays.equals(in.readNBytes(start.length), start);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    static void flip(Path file, int at) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[at] ^= 0x5a;
        Files.write(file, bytes);
    }

    long usedBytes() {
        return cache.status().bytes();
    }

    @Override
    public void close() throws IOException {
        cache.close();
    }
}
