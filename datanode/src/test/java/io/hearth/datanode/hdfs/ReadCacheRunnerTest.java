// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.datanode.cache.BlockKey;
import io.hearth.datanode.cache.BlockKey.ReplicaVersion;
import io.hearth.datanode.cache.DiskReplica;
import io.hearth.datanode.cache.ReplicaLookup.Presence;
import io.hearth.datanode.cache.SsdCache;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the thread of the SSD does, turn by turn, without that thread. */
class ReadCacheRunnerTest {

    private static final long MINUTE_MS = 60_000;
    private static final long HOUR_MS = 60 * MINUTE_MS;

    @TempDir
    private Path folder;

    private Path ssd;
    private LiveDataNodeConfig config;
    private ReadCacheRunner runner;
    private long changes;
    private String alluxio = "none";
    private int pageBytes = 4_096;

    @BeforeEach
    void aDataNodeWithoutACache() throws IOException {
        ssd = Files.createDirectories(folder.resolve("ssd"));
        write("off", "none");
        Configuration conf = new Configuration(false);
        conf.setClassLoader(new URLClassLoader(
                new URL[] {folder.toUri().toURL()}, getClass().getClassLoader()));
        conf.addResource("hdfs-site.xml");
        config = new LiveDataNodeConfig(conf);
        runner = new ReadCacheRunner(config, false, version -> Presence.CURRENT, 0);
    }

    /** Nothing is put in its place: whoever has set it wants no other store. */
    @Test
    void withoutTheJarsOfAlluxioThereIsNoCache() throws IOException {
        Path jars = Files.createDirectory(folder.resolve("jars"));
        alluxio = jars.toString();
        aDataNodeWithoutACache();
        configure("on", ssd.toString());

        assertThatThrownBy(() -> runner.turn(0))
                .isInstanceOf(IOException.class)
                .hasMessage(jars
                        + " holds no hearth-datanode-alluxio.jar. Put hearth-datanode-alluxio.jar and the jars that"
                        + " it needs there, or set hearth.datanode.cache.alluxio.dir to none: the read cache then keeps its"
                        + " pages itself.");
        assertThat(runner.cache().ssd()).isEmpty();
        assertThat(isUntouched(ssd)).isTrue();
    }

    @AfterEach
    void close() throws IOException {
        runner.cache().close();
    }

    private void configure(String mode, String directory) throws IOException {
        write(mode, directory);
        config.refresh(5_000 * changes);
    }

    private void write(String mode, String directory) throws IOException {
        Path file = folder.resolve("hdfs-site.xml");
        Files.writeString(
                file,
                "<configuration><property><name>hearth.datanode.cache.mode</name><value>" + mode
                        + "</value></property><property><name>hearth.datanode.cache.admission.reads</name><value>0</value></property>"
                        + "<property><name>hearth.datanode.cache.min.free.bytes</name><value>0</value></property>"
                        + "<property><name>hearth.datanode.cache.page.bytes</name><value>" + pageBytes
                        + "</value></property>"
                        + "<property><name>hearth.datanode.cache.alluxio.dir</name><value>" + alluxio
                        + "</value></property>"
                        + "<property><name>hearth.datanode.cache.dir</name><value>" + directory
                        + "</value></property></configuration>");
        changes++;
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000 * changes));
    }

    private boolean isUntouched(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.findAny().isEmpty();
        }
    }

    @Test
    void theFolderIsOpenedWhenTheModeIsFirstOnAndStaysOpenInOthers() throws IOException {
        configure("off", ssd.toString());
        runner.turn(0);
        configure("shadow", ssd.toString());
        runner.turn(500);
        assertThat(runner.cache().ssd()).isEmpty();
        assertThat(isUntouched(ssd)).isTrue();

        configure("on", ssd.toString());
        runner.turn(1_000);
        SsdCache open = runner.cache().ssd().orElseThrow();
        assertThat(open.status().isRestored()).isTrue();

        configure("off", ssd.toString());
        runner.turn(1_500);
        assertThat(runner.cache().ssd()).containsSame(open);
    }

    @Test
    void wholeBlocksThatWaitAreFilledWhileTheModeIsOn() throws IOException {
        pageBytes = 0;
        configure("on", ssd.toString());
        runner.turn(0);
        assertThat(runner.cache().open(new OneChunkReplica()).orElseThrow().cached())
                .isPresent();
        configure("off", ssd.toString());
        assertThat(runner.fillNextBlock()).isFalse();
        configure("shadow", ssd.toString());
        assertThat(runner.fillNextBlock()).isFalse();

        configure("on", ssd.toString());
        assertThat(runner.fillNextBlock()).isTrue();
        assertThat(runner.fillNextBlock()).isFalse();
    }

    @Test
    void anotherFolderTakesItsPlaceAndNoneClosesIt() throws IOException {
        configure("on", ssd.toString());
        runner.turn(0);
        SsdCache before = runner.cache().ssd().orElseThrow();

        Path other = Files.createDirectories(folder.resolve("other"));
        configure("on", other.toString());
        runner.turn(500);
        assertThat(runner.cache().ssd().orElseThrow()).isNotSameAs(before);
        assertThat(before.status().isRestored()).as("the one before is open").isFalse();
        assertThat(isUntouched(other)).isFalse();

        configure("on", "none");
        runner.turn(1_000);
        assertThat(runner.cache().ssd()).isEmpty();
    }

    @Test
    void aFolderThatIsNotThereIsTriedAgainInAMinute() throws IOException {
        Path unmounted = folder.resolve("unmounted");
        configure("on", unmounted.toString());
        assertThatThrownBy(() -> runner.turn(0))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        unmounted + " is not there. Make the folder of hearth.datanode.cache.dir on the SSD, and mount"
                                + " the SSD first.");
        Files.createDirectories(unmounted);

        runner.turn(MINUTE_MS - 1);
        assertThat(runner.cache().ssd()).isEmpty();
        runner.turn(MINUTE_MS);
        assertThat(runner.cache().ssd()).isPresent();
    }

    /** The new one has the folder that is configured, and nothing in it. */
    @Test
    void anSsdThatWasReplacedIsUsedAfterAnHour() throws IOException {
        AtomicLong nanos = new AtomicLong();
        runner = new ReadCacheRunner(config, false, version -> Presence.CURRENT, 0, nanos::get);
        configure("on", ssd.toString());
        runner.turn(0);
        SsdCache before = runner.cache().ssd().orElseThrow();
        Files.move(ssd.resolve(SsdCache.FOLDER), folder.resolve("the one before"));
        for (int turn = 1; turn <= 10; turn++) {
            runner.turn(500L * turn);
        }
        assertThat(before.status().trips()).isEqualTo(1);
        nanos.set(TimeUnit.HOURS.toNanos(1) - 1_000_000);
        runner.turn(HOUR_MS - 1);
        assertThat(runner.cache().ssd()).containsSame(before);

        nanos.set(TimeUnit.HOURS.toNanos(1));
        runner.turn(HOUR_MS);
        assertThat(runner.cache().ssd().orElseThrow()).isNotSameAs(before);
        assertThat(runner.cache().open(new OneChunkReplica()).orElseThrow().cached())
                .isPresent();
    }

    @Test
    void aFolderOfAnotherDataNodeIsLeftAlone() throws IOException {
        configure("on", ssd.toString());
        runner.turn(0);
        ReadCacheRunner other = new ReadCacheRunner(config, false, version -> Presence.CURRENT, 0);

        assertThatThrownBy(() -> other.turn(0)).hasMessageContaining("is in use by another DataNode");
        assertThat(other.cache().ssd()).isEmpty();
    }

    @Test
    void aRestartTakesUpWhatWasCachedAndARollbackDoesNot() throws IOException {
        configure("on", ssd.toString());
        runner.turn(0);
        assertThat(runner.cache().open(new OneChunkReplica()).orElseThrow().cached())
                .isPresent();

        assertThat(cachedBlocksAfterARestart(false)).isEqualTo(1);
        assertThat(cachedBlocksAfterARestart(true)).isZero();
    }

    /** A replica may have gone while the DataNode was down, or go while the mode is off. */
    @Test
    void whatAnEarlierProcessHasCachedGoesWithItsReplicasThoughTheModeIsOff() throws IOException {
        configure("on", ssd.toString());
        runner.turn(0);
        assertThat(runner.cache().open(new OneChunkReplica()).orElseThrow().cached())
                .isPresent();
        runner.cache().close();
        configure("off", ssd.toString());
        runner = new ReadCacheRunner(config, false, version -> Presence.GONE, 0);

        runner.turn(0);
        runner.turn(MINUTE_MS);
        runner.turn(MINUTE_MS + 500);
        try (Stream<Path> files = Files.walk(ssd.resolve(SsdCache.FOLDER + "/pages"))) {
            assertThat(files.filter(Files::isRegularFile)).isEmpty();
        }
        assertThat(runner.cache().open(new OneChunkReplica())).isEmpty();
    }

    /** A replica whose deletion nobody told goes within a minute, a file that belongs to no block within an hour. */
    @Test
    void whatWentUnnoticedIsSwept() throws IOException {
        AtomicReference<Presence> presence = new AtomicReference<>(Presence.CURRENT);
        runner = new ReadCacheRunner(config, false, version -> presence.get(), 0);
        configure("on", ssd.toString());
        runner.turn(0);
        SsdCache open = runner.cache().ssd().orElseThrow();
        assertThat(runner.cache().open(new OneChunkReplica()).orElseThrow().cached())
                .isPresent();
        presence.set(Presence.GONE);
        runner.turn(MINUTE_MS - 1);
        assertThat(open.status().blocks()).isEqualTo(1);
        runner.turn(MINUTE_MS);
        assertThat(open.status().blocks()).isZero();

        Path pages = ssd.resolve(SsdCache.FOLDER + "/pages/00");
        Path orphan = Files.write(pages.resolve("0000000000000100"), new byte[10]);
        runner.turn(HOUR_MS - 1);
        assertThat(orphan).exists();
        runner.turn(HOUR_MS);
        assertThat(orphan).doesNotExist();
    }

    private long cachedBlocksAfterARestart(boolean isRollback) throws IOException {
        runner.cache().close();
        runner = new ReadCacheRunner(config, isRollback, version -> Presence.CURRENT, 0);
        runner.turn(0);
        return runner.cache().ssd().orElseThrow().status().blocks();
    }

    /** A replica of one chunk whose data nobody reads. */
    private static final class OneChunkReplica implements DiskReplica {

        @Override
        public ReplicaVersion version() {
            return new ReplicaVersion(new BlockKey("BP-1", 7), 1_001, 512);
        }

        @Override
        public InputStream openMeta() {
            return new ByteArrayInputStream(new byte[] {0, 1, 2, 0, 0, 2, 0, 0, 0, 0, 0});
        }

        @Override
        public FileChannel openData() throws IOException {
            throw new IOException("not asked for");
        }

        @Override
        public boolean isCurrent() {
            return true;
        }
    }
}
