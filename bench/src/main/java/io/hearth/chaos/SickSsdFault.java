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
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The SSD of one DataNode's read cache changes bytes, or loses them, or is full, while a client of HDFS reads a table's files again and
 * again. The client must get the same bytes as before and no error, and the DataNode must have noticed. Then the DataNode is killed and
 * starts again on what the SSD has by then, and the client must still get the same bytes.
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
    private static final int ENOUGH_BLOCKS = 10;
    private static final int PASSES_AFTERWARDS = 5;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final ProcessCluster cluster;
    private final SplittableRandom random;
    private final Trouble trouble;
    private final Consumer<String> say;
    private final JmxClient jmx = new JmxClient();
    private final FileChecksums files;

    /**
     * @param files those that clients read
     * @param seed every fourth has the same trouble
     */
    SickSsdFault(ProcessCluster cluster, FileChecksums files, long seed, Consumer<String> say) {
        this.cluster = cluster;
        this.files = files;
        this.random = new SplittableRandom(seed);
        this.trouble = Trouble.values()[Math.floorMod(seed - 1, Trouble.values().length)];
        this.say = say;
    }

    /** Has the cache of that host's DataNode serve the table's files, makes its SSD sick, reads on, and again after a restart. */
    List<String> run(ClusterHost host) throws IOException, InterruptedException {
        say.accept("the SSD of " + host.name() + ": " + trouble.description);
        List<String> wrong = new ArrayList<>();
        long hits = count(host, EnumSet.of(Counter.HITS));
        if (!readUntil(host, EnumSet.of(Counter.HITS), hits + ENOUGH_HITS)) {
            wrong.add("the read cache of " + host.name() + " has served nothing within " + LIMIT.toSeconds() + " s");
        }
        long before = count(host, trouble.noticed);
        try {
            bringAbout(host);
            if (!readUntil(host, trouble.noticed, before + 1)) {
                wrong.add("the DataNode on " + host.name() + " has not noticed within " + LIMIT.toSeconds()
                        + " s that its SSD is sick: " + trouble.description);
            }
            readOn();
        } finally {
            cluster.setSsdFull(host, false);
            cluster.kill(cluster.daemon(DaemonRole.DATANODE, host.name()));
        }
        wrong.addAll(readAfterRestart(host));
        if (files.filesChanged() > 0) {
            wrong.add(files.filesChanged() + " of " + files.filesRead()
                    + " reads of files got other bytes than the first");
        }
        return wrong;
    }

    /** Its counters begin at 0 then. */
    private List<String> readAfterRestart(ClusterHost host) throws IOException, InterruptedException {
        cluster.repair(ChaosRun.REPAIR_LIMIT);
        boolean hasServed = readUntil(host, EnumSet.of(Counter.READS), ENOUGH_BLOCKS);
        readOn();
        return hasServed
                ? List.of()
                : List.of("the DataNode on " + host.name() + " has served nothing within " + LIMIT.toSeconds()
                        + " s after it was started again");
    }

    private void readOn() throws IOException {
        for (int pass = 0; pass < PASSES_AFTERWARDS; pass++) {
            files.read();
        }
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
    private boolean readUntil(ClusterHost host, Set<Counter> counters, long enough)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (count(host, counters) < enough) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            files.read();
        }
        return true;
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
