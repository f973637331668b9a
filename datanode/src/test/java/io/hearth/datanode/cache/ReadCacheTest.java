// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.datanode.cache.BlockKey.ReplicaVersion;
import io.hearth.datanode.cache.ReadCache.ClientRead;
import io.hearth.datanode.cache.ReadCacheCounts.Counter;
import io.hearth.datanode.cache.ReplicaMeta.SumType;
import io.hearth.datanode.cache.ShadowCache.ShadowResult;
import io.hearth.datanode.config.ReadCacheSettings;
import io.hearth.datanode.config.ReadCacheSettings.Admission;
import io.hearth.datanode.config.ReadCacheSettings.Mode;
import io.hearth.datanode.config.ReadCacheSettings.ReadCacheConfig;
import io.hearth.datanode.config.ReadCacheSettings.ShadowVariant;
import io.hearth.datanode.config.ReadCacheSettings.Storage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadCacheTest {

    private static final int PAGE = 4_096;
    private static final long MINUTE_NANOS = 60_000_000_000L;
    private static final Storage STORAGE = new Storage(1 << 20, 0, 1_000, PAGE, 100);

    @TempDir
    Path folder;

    private Path disk;
    /** Below zero, as System.nanoTime may be. */
    private final AtomicLong nanos = new AtomicLong(-3 * MINUTE_NANOS);

    private volatile ReadCacheConfig config = config(Mode.ON, new Admission(1, 60), STORAGE);
    private ReadCache cache;

    private static ReadCacheConfig config(Mode mode, Admission admission, Storage storage) {
        return new ReadCacheConfig(
                mode,
                Optional.empty(),
                storage,
                admission,
                List.of(
                        new ShadowVariant(admission, storage.maxBytes()),
                        new ShadowVariant(new Admission(0, 60), 1 << 30)));
    }

    @BeforeEach
    void open() throws IOException {
        disk = Files.createDirectories(folder.resolve("disk"));
        cache = new ReadCache(() -> config, nanos::get);
        use("ssd");
    }

    private SsdCache use(String name) throws IOException {
        SsdCache fresh = cache.openFolder(Files.createDirectories(folder.resolve(name)));
        assertThat(fresh.restore(() -> false)).isTrue();
        cache.use(fresh);
        return fresh;
    }

    @AfterEach
    void close() throws IOException {
        cache.close();
    }

    private byte[] read(FakeReplica replica) throws IOException {
        return read(replica, 0, replica.bytes.length);
    }

    private byte[] read(FakeReplica replica, int from, int count) throws IOException {
        Optional<ClientRead> opened = cache.open(replica);
        if (opened.isEmpty()) {
            return Arrays.copyOfRange(replica.bytes, from, from + count);
        }
        try (ClientRead read = opened.get()) {
            byte[] got;
            if (read.cached().isPresent()) {
                try (CachedBlockReader data = read.cached().get().openData()) {
                    got = CacheFixture.send(data, from, count);
                }
            } else {
                got = Arrays.copyOfRange(replica.bytes, from, from + count);
            }
            for (int at = 0; at < count; at += 1_000) {
                read.delivered(from + at, Math.min(1_000, count - at));
            }
            return got;
        }
    }

    @Test
    void whatIsReadOftenComesFromTheSsd() throws IOException {
        FakeReplica replica = FakeReplica.of(disk, 1, 2 * PAGE);
        for (int read = 0; read < 4; read++) {
            assertThat(read(replica)).isEqualTo(replica.bytes);
        }
        assertThat(cache.counts().get(Counter.READS)).isEqualTo(4);
        assertThat(cache.counts().get(Counter.NOT_ADMITTED)).isEqualTo(1);
        assertThat(cache.counts().get(Counter.SSD_BYTES)).isEqualTo(4L * PAGE);
        assertThat(cache.counts().get(Counter.DISK_BYTES)).isEqualTo(4L * PAGE);
        assertThat(cache.status().admission().blocks()).isEqualTo(1);
    }

    /** Broken (a cache begins with a budget of its own): an SSD that fails every hour is written a day's budget every hour. */
    @Test
    void aFolderThatIsOpenedAgainHasNoNewBudget() throws IOException {
        FakeReplica replica = FakeReplica.of(disk, 1, 2 * PAGE);
        for (int read = 0; read < 3; read++) {
            read(replica);
        }
        SsdCache before = cache.ssd().orElseThrow();
        cache.drop(replica.key());
        before.turn();
        long left = before.status().writeBudgetBytes();
        assertThat(left).isLessThan(STORAGE.bytesPerDay());
        cache.close();

        assertThat(use("ssd").status().writeBudgetBytes()).isEqualTo(left);
    }

    @Test
    void aReadCountsForAsLongAsTheWindow() throws IOException {
        FakeReplica replica = FakeReplica.of(disk, 1, PAGE);
        read(replica);
        nanos.addAndGet(60 * MINUTE_NANOS);
        cache.sweepCounts();
        assertThat(cache.status().admission().blocks()).isZero();
        read(replica);
        assertThat(cache.counts().get(Counter.FILLS)).isZero();
        nanos.addAndGet(59 * MINUTE_NANOS);
        read(replica);
        assertThat(cache.counts().get(Counter.FILLS)).isEqualTo(1);
    }

    @Test
    void offMeansThatNothingIsAskedAndWhatIsCachedStays() throws IOException {
        FakeReplica replica = FakeReplica.of(disk, 1, PAGE);
        read(replica);
        read(replica);
        config = config(Mode.OFF, new Admission(1, 60), STORAGE);
        assertThat(cache.open(replica)).isEmpty();
        assertThat(cache.counts().get(Counter.READS)).isEqualTo(2);
        config = config(Mode.ON, new Admission(1, 60), STORAGE);
        read(replica);
        assertThat(cache.counts().get(Counter.HITS)).isEqualTo(1);

        config = config(Mode.OFF, new Admission(1, 60), STORAGE);
        cache.drop(replica.key());
        assertThat(cache.status().ssd().orElseThrow().blocks()).isZero();
    }

    @Test
    void shadowCountsAndWritesNothing() throws IOException {
        config = config(Mode.SHADOW, new Admission(1, 60), STORAGE);
        FakeReplica replica = FakeReplica.of(disk, 1, 2 * PAGE);
        for (int read = 0; read < 4; read++) {
            assertThat(read(replica)).isEqualTo(replica.bytes);
        }
        assertThat(cache.counts().get(Counter.DISK_BYTES)).isEqualTo(8L * PAGE);
        assertThat(cache.counts().get(Counter.FILLS)).isZero();
        assertThat(cache.status().ssd().orElseThrow().bytes()).isZero();
        assertThat(cache.status().shadow()).extracting(ShadowResult::ssdBytes).containsExactly(4L * PAGE, 6L * PAGE);
        assertThat(cache.status().shadow()).extracting(ShadowResult::hits).containsExactly(4L, 6L);
    }

    @Test
    void withoutAnSsdEverythingComesFromTheDisk() throws IOException {
        cache.close();
        FakeReplica replica = FakeReplica.of(disk, 1, PAGE);
        for (int read = 0; read < 3; read++) {
            assertThat(read(replica)).isEqualTo(replica.bytes);
        }
        assertThat(cache.counts().get(Counter.SSD_BYTES)).isZero();
        assertThat(cache.status().ssd()).isEmpty();
    }

    @Test
    void anotherFolderIsServedFromAtOnceAndTheOldOneIsGivenUp() throws IOException {
        FakeReplica replica = FakeReplica.of(disk, 1, PAGE);
        read(replica);
        read(replica);
        SsdCache before = cache.ssd().orElseThrow();
        SsdCache fresh = use("other");
        assertThat(cache.ssd()).contains(fresh);
        assertThat(before.status().isRestored()).isFalse();
        read(replica);
        read(replica);
        assertThat(cache.counts().get(Counter.FILLS)).isEqualTo(2);

        use("ssd");
        long hits = cache.counts().get(Counter.HITS);
        assertThat(read(replica)).isEqualTo(replica.bytes);
        assertThat(cache.counts().get(Counter.HITS)).isEqualTo(hits + 1);
    }

    /** Without its SSD it would be an empty folder of the disk below. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void aMountPointIsNotUsed() {
        Path mountPoint = Path.of("/proc");
        assertThatThrownBy(() -> cache.openFolder(mountPoint))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        mountPoint
                                + " is a mount point: without its SSD the disk below would be filled. Make a folder in it, and set hearth.datanode.cache.dir to that.");
    }

    @Test
    void aFolderThatIsNotThereIsNotMade() {
        Path missing = folder.resolve("not mounted");
        assertThatThrownBy(() -> cache.openFolder(missing))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        missing
                                + " is not there. Make the folder of hearth.datanode.cache.dir on the SSD, and mount the SSD first.");
        assertThat(missing).doesNotExist();
    }

    @Test
    void anotherAdmissionBeginsWithNoCounts() throws IOException {
        FakeReplica replica = FakeReplica.of(disk, 1, PAGE);
        read(replica);
        config = config(Mode.ON, new Admission(2, 60), STORAGE);
        read(replica);
        read(replica);
        assertThat(cache.counts().get(Counter.FILLS)).isZero();
        read(replica);
        assertThat(cache.counts().get(Counter.FILLS)).isEqualTo(1);
    }

    /** Three reads more than an hour apart, which the shadow of a day admits. */
    @Test
    void admissionAndShadowCountTheSameAccessesEachInItsWindow() throws IOException {
        Admission ofADay = new Admission(2, 1_440);
        config = new ReadCacheConfig(
                Mode.ON,
                Optional.empty(),
                STORAGE,
                new Admission(2, 60),
                List.of(new ShadowVariant(ofADay, 1 << 20), new ShadowVariant(new Admission(2, 60), 1 << 20)));
        FakeReplica replica = FakeReplica.of(disk, 1, PAGE);
        for (int read = 0; read < 3; read++) {
            read(replica);
            nanos.addAndGet(61 * MINUTE_NANOS);
            cache.sweepCounts();
        }
        assertThat(cache.counts().get(Counter.FILLS)).isZero();
        assertThat(cache.status().shadow()).extracting(ShadowResult::fills).containsExactly(1L, 0L);
        assertThat(cache.status().admission().blocks())
                .as("kept for the shadow")
                .isEqualTo(1);
    }

    @Test
    void otherVariantsLeaveTheCountsUnlessTheyNeedMore() throws IOException {
        Admission admission = new Admission(1, 60);
        config = new ReadCacheConfig(
                Mode.ON, Optional.empty(), STORAGE, admission, List.of(new ShadowVariant(admission, 1 << 20)));
        FakeReplica replica = FakeReplica.of(disk, 1, PAGE);
        read(replica);
        config = new ReadCacheConfig(
                Mode.ON, Optional.empty(), STORAGE, admission, List.of(new ShadowVariant(admission, 2 << 20)));
        read(replica);
        assertThat(cache.counts().get(Counter.FILLS)).isEqualTo(1);
        assertThat(cache.status().shadow()).extracting(ShadowResult::fills).containsExactly(1L);

        config = new ReadCacheConfig(
                Mode.ON,
                Optional.empty(),
                STORAGE,
                admission,
                List.of(new ShadowVariant(new Admission(9, 60), 1 << 20)));
        FakeReplica other = FakeReplica.of(disk, 2, PAGE);
        read(other);
        assertThat(cache.status().admission().blocks()).isEqualTo(1);
    }

    /** What the first read of a block pool takes: 64 tables of 64 slots of 12 bytes. */
    @Test
    void withItsDefaultsItCountsInOneTableThatGrowsWithWhatIsRead() {
        ReadCacheConfig defaults = ReadCacheSettings.read(
                        "hdfs-site.xml", new MapSettings(Map.of("hearth.datanode.cache.mode", "shadow")))
                .config();
        config = defaults;
        assertThat(defaults.shadowVariants()).hasSize(5);
        assertThat(cache.status().admission().bytes()).isZero();

        cache.open(neverOpened(0));
        assertThat(cache.status().admission().bytes()).isEqualTo(64 * 64 * 12);
        for (int block = 1; block < 100_000; block++) {
            cache.open(neverOpened(block));
        }
        assertThat(cache.status().admission().blocks()).isEqualTo(100_000);
        assertThat(cache.status().admission().bytes()).isBetween(16L * 100_000, 26L * 100_000);
    }

    private static DiskReplica neverOpened(long block) {
        ReplicaVersion version = new ReplicaVersion(new BlockKey("BP-1", block), 1_001, 128 << 20);
        return new DiskReplica() {
            @Override
            public ReplicaVersion version() {
                return version;
            }

            @Override
            public InputStream openMeta() throws IOException {
                throw new IOException("the shadow reads nothing");
            }

            @Override
            public FileChannel openData() throws IOException {
                throw new IOException("the shadow reads nothing");
            }

            @Override
            public boolean isCurrent() {
                return true;
            }
        };
    }

    @Test
    void aBlockPoolThatIsGoneLeavesNothing() throws IOException {
        FakeReplica replica = FakeReplica.of(disk, 1, PAGE);
        read(replica);
        read(replica);
        cache.dropBlockPool("BP-1");
        assertThat(cache.status().ssd().orElseThrow().blocks()).isZero();
        assertThat(cache.status().admission().blocks()).isZero();
        assertThat(cache.status().shadow()).extracting(ShadowResult::usedBytes).containsOnly(0L);
    }

    @Test
    void timeSavedIsForEachHitWhatAPageTakesFromTheDiskLessWhatItTakesFromTheSsd() {
        ReadCacheCounts counts = new ReadCacheCounts();
        assertThat(counts.savedNanos()).isZero();
        counts.add(Counter.HITS, 10);
        counts.add(Counter.SSD_NANOS, 5_000);
        assertThat(counts.savedNanos())
                .as("nothing was read from the disk to compare with")
                .isZero();
        counts.add(Counter.FILL_READS, 4);
        counts.add(Counter.FILL_READ_NANOS, 32_000);
        assertThat(counts.savedNanos())
                .as("10 hits of 8,000 ns less 500 ns each")
                .isEqualTo(75_000);
        counts.add(Counter.SSD_NANOS, 500_000);
        assertThat(counts.savedNanos())
                .as("an SSD slower than the disk saves nothing")
                .isZero();
    }

    @Test
    void aPageIsTimedWhenItIsFilledAndOnlyThen() throws IOException {
        FakeReplica replica = FakeReplica.of(disk, 1, 3 * PAGE + 77);
        read(replica);
        assertThat(cache.counts().get(Counter.FILL_READS)).isZero();
        read(replica);
        assertThat(cache.counts().get(Counter.FILL_READS)).isEqualTo(4);
        assertThat(cache.counts().get(Counter.FILL_READ_BYTES)).isEqualTo(replica.bytes.length);
        read(replica);
        assertThat(cache.counts().get(Counter.FILL_READS)).isEqualTo(4);
    }

    @Test
    void theLastDayIsPartOfTheStatus() throws IOException {
        FakeReplica replica = FakeReplica.of(disk, 1, 2 * PAGE);
        for (int read = 0; read < 5; read++) {
            read(replica);
        }
        nanos.addAndGet(60 * MINUTE_NANOS);
        cache.sweepCounts();
        assertThat(cache.status().lastDay())
                .isEqualTo(new LastDay.Activity(3_600_000, 6, 2, cache.counts().get(Counter.WRITTEN_BYTES)));
        for (int hour = 0; hour < 25; hour++) {
            nanos.addAndGet(60 * MINUTE_NANOS);
            cache.sweepCounts();
        }
        assertThat(cache.status().lastDay()).isEqualTo(new LastDay.Activity(86_400_000, 0, 0, 0));
    }

    /** On the same reads, the shadow of the cache's own settings has its hit rate and its writes. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void theShadowPredictsTheCache(long seed) throws IOException {
        Storage storage = new Storage(40 * PAGE, 0, 1_000, PAGE, 20);
        config = config(Mode.ON, new Admission(3, 10), storage);
        Random random = new Random(seed);
        List<FakeReplica> replicas = new ArrayList<>();
        for (int block = 0; block < 60; block++) {
            ReplicaVersion version =
                    new ReplicaVersion(new BlockKey("BP-" + block % 2, block), 1_001, PAGE + random.nextInt(4 * PAGE));
            replicas.add(new FakeReplica(disk, version, SumType.CRC32C, 512));
        }
        for (int read = 0; read < 3_000; read++) {
            FakeReplica replica = replicas.get((int) (60 * Math.pow(random.nextDouble(), 3)));
            int from = random.nextInt(replica.bytes.length);
            int count = 1 + random.nextInt(replica.bytes.length - from);
            assertThat(read(replica, from, count)).isEqualTo(Arrays.copyOfRange(replica.bytes, from, from + count));
            nanos.addAndGet(random.nextInt(10_000) * 1_000_000L);
        }
        ReadCacheCounts counts = cache.counts();
        ShadowResult shadow = cache.status().shadow().get(0);
        long clientBytes = counts.get(Counter.SSD_BYTES) + counts.get(Counter.DISK_BYTES);
        assertThat(shadow.clientBytes()).as("seed %s", seed).isEqualTo(clientBytes);
        assertThat(shadow.hitRate())
                .as("seed %s", seed)
                .isCloseTo((double) counts.get(Counter.SSD_BYTES) / clientBytes, within(0.02));
        assertThat((double) shadow.writtenBytes())
                .as("seed %s", seed)
                .isCloseTo((double) counts.get(Counter.WRITTEN_BYTES), within(0.02 * shadow.writtenBytes()));
        assertThat(shadow.evictedBlocks()).as("seed %s", seed).isPositive();
        assertThat(counts.get(Counter.HITS)).as("seed %s", seed).isGreaterThan(100);
    }
}
