// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import io.hearth.datanode.cache.ReadCacheCounts.Counter;
import io.hearth.datanode.hdfs.ReadCacheMetrics;
import io.hearth.testkit.embedded.ClusterHost;
import io.hearth.testkit.process.JmxClient;
import io.hearth.testkit.process.ProcessCluster;
import io.hearth.testkit.process.layout.Daemon;
import io.hearth.testkit.process.layout.Daemon.DaemonRole;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * The SSD of one DataNode's read cache changes bytes, or loses them, or is full, while a client of HDFS reads a table's files again and
 * again. The client must get the same bytes as before and no error, and the DataNode must have noticed. Afterwards the DataNode is killed:
 * it starts again on what the SSD has by then.
 */
final class SickSsdFault {

    /** What is wrong with the SSD, and what the DataNode counts when it notices. */
    enum Trouble {
        FLIPPED_BYTES("a byte in every 64 KiB of it is another", EnumSet.of(Counter.VERIFICATION_FAILURES)),
        SHORT_FILES("its files end in the middle", EnumSet.of(Counter.SSD_ERRORS, Counter.VERIFICATION_FAILURES)),
        LOST_FILES("its files are gone", EnumSet.of(Counter.SSD_ERRORS)),
        FULL("it is full", EnumSet.of(Counter.REJECTED_SPACE, Counter.REJECTED_FULL));

        private final String description;
        private final Set<Counter> noticed;

        Trouble(String description, Set<Counter> noticed) {
            this.description = description;
            this.noticed = noticed;
        }
    }

    private static final String BEAN = "Hadoop:service=DataNode,name=" + ReadCacheMetrics.NAME;
    private static final String PAGES = "cache/hearth-read-cache/pages";
    private static final int FLIPPED_EVERY_BYTES = 64 << 10;
    private static final int ENOUGH_HITS = 10;
    private static final int PASSES_AFTERWARDS = 5;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final ProcessCluster cluster;
    private final DistributedFileSystem fileSystem;
    private final SplittableRandom random;
    private final Trouble trouble;
    private final Consumer<String> say;
    private final JmxClient jmx = new JmxClient();
    private final Map<Path, Long> crcByFile = new HashMap<>();
    private int filesRead;
    private int filesChanged;

    /** @param seed every fourth has the same trouble */
    SickSsdFault(ProcessCluster cluster, DistributedFileSystem fileSystem, long seed, Consumer<String> say) {
        this.cluster = cluster;
        this.fileSystem = fileSystem;
        this.random = new SplittableRandom(seed);
        this.trouble = Trouble.values()[Math.floorMod(seed - 1, Trouble.values().length)];
        this.say = say;
    }

    /** Has the cache of that host's DataNode serve what is below this folder, makes its SSD sick, and reads on. */
    List<String> run(ClusterHost host, Path folder) throws IOException, InterruptedException {
        say.accept("the SSD of " + host.name() + ": " + trouble.description);
        List<String> wrong = new ArrayList<>();
        long hits = count(host, EnumSet.of(Counter.HITS));
        if (!readUntil(folder, host, EnumSet.of(Counter.HITS), hits + ENOUGH_HITS)) {
            wrong.add("the read cache of " + host.name() + " has served nothing within " + LIMIT.toSeconds() + " s");
        }
        long before = count(host, trouble.noticed);
        try {
            bringAbout(host);
            if (!readUntil(folder, host, trouble.noticed, before + 1)) {
                wrong.add("the DataNode on " + host.name() + " has not noticed within " + LIMIT.toSeconds()
                        + " s that its SSD is sick: " + trouble.description);
            }
            for (int pass = 0; pass < PASSES_AFTERWARDS; pass++) {
                read(folder);
            }
        } finally {
            cluster.setSsdFull(host, false);
            cluster.kill(cluster.daemon(DaemonRole.DATANODE, host.name()));
        }
        if (filesChanged > 0) {
            wrong.add(filesChanged + " of " + filesRead + " reads of files got other bytes than the first");
        }
        return wrong;
    }

    private void bringAbout(ClusterHost host) throws IOException {
        if (trouble == Trouble.FULL) {
            cluster.setSsdFull(host, true);
            return;
        }
        for (java.nio.file.Path file : cachedFiles(host)) {
            switch (trouble) {
                case FLIPPED_BYTES -> flip(file);
                case SHORT_FILES -> cut(file);
                case LOST_FILES, FULL -> Files.deleteIfExists(file);
            }
        }
    }

    private List<java.nio.file.Path> cachedFiles(ClusterHost host) throws IOException {
        try (Stream<java.nio.file.Path> files = Files.walk(cluster.ssd(host).resolve(PAGES))) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    private void flip(java.nio.file.Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            for (long at = random.nextInt(FLIPPED_EVERY_BYTES); at < channel.size(); at += FLIPPED_EVERY_BYTES) {
                channel.read(one.clear(), at);
                one.put(0, (byte) ~one.get(0));
                channel.write(one.rewind(), at);
            }
        }
    }

    private static void cut(java.nio.file.Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(channel.size() / 2);
        }
    }

    /** Reads until that host's DataNode has counted so many; returns whether it has within the limit. */
    private boolean readUntil(Path folder, ClusterHost host, Set<Counter> counters, long enough)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (count(host, counters) < enough) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            read(folder);
        }
        return true;
    }

    /** Reads every file, and counts those that have other bytes than when they were read first. */
    private void read(Path folder) throws IOException {
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

    private long crc(Path file) throws IOException {
        CRC32 crc = new CRC32();
        byte[] buffer = new byte[FLIPPED_EVERY_BYTES];
        try (FSDataInputStream in = fileSystem.open(file)) {
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                crc.update(buffer, 0, length);
            }
        }
        return crc.getValue();
    }

    /** The sum of these counters; 0 while the DataNode does not say. */
    private long count(ClusterHost host, Set<Counter> counters) throws InterruptedException {
        Daemon dataNode = cluster.daemon(DaemonRole.DATANODE, host.name());
        return jmx.bean(host.address(), dataNode.role().watchedPort(), BEAN)
                .map(bean -> counters.stream()
                        .mapToLong(counter -> bean.get(counter.metric()).getAsLong())
                        .sum())
                .orElse(0L);
    }
}
