// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cache;

import io.hearth.bench.plan.Statistics;
import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.datanode.cache.ReadCache;
import io.hearth.datanode.cache.ReadCache.ClientRead;
import io.hearth.datanode.cache.ReadCacheCounts.Counter;
import io.hearth.datanode.cache.SsdCache;
import io.hearth.datanode.config.ReadCacheSettings.Admission;
import io.hearth.datanode.config.ReadCacheSettings.Mode;
import io.hearth.datanode.config.ReadCacheSettings.ReadCacheConfig;
import io.hearth.datanode.config.ReadCacheSettings.Storage;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.CachedBlockStreams;
import org.apache.hadoop.net.SocketOutputStream;

/**
 * What sending a cached block costs one thread of the DataNode beside a plain sendfile of the same block: in packets of 64 KiB to a
 * socket of this host, each with its checksums, as {@code BlockSender} does it. All files are in the page cache. Not thread-safe.
 */
public final class SenderBench {

    private static final int PACKET_BYTES = 64 << 10;
    private static final int CHUNK_BYTES = 512;
    private static final int META_HEADER_BYTES = 7;
    private static final int SUM_BYTES = PACKET_BYTES / CHUNK_BYTES * Integer.BYTES;
    private static final int META_BUFFER_BYTES = 4_096;
    private static final int RECEIVE_BYTES = 1 << 20;
    private static final int SOCKET_TIMEOUT_MS = 60_000;
    private static final int MOST_MEBIBYTES = 4_096;
    private static final double BYTES_PER_MB = 1e6;
    private static final double NANOS_PER_MICRO = 1e3;

    private static final double MOST_CPU = 1.35;
    private static final double LEAST_GB_PER_SECOND = 1.5;

    private final PrintWriter out;
    private final ThresholdReport thresholds;
    private final SenderSetup setup;

    /**
     * What is sent. Immutable.
     *
     * @param mebibytes the length of the block
     * @param passes how often it is sent for one figure
     * @param rounds figures of each kind, alternating
     * @param warmUpRounds rounds before those, which do not count
     */
    public record SenderSetup(int mebibytes, int passes, int rounds, int warmUpRounds) {

        /** A gigabyte for each figure. */
        public static final SenderSetup USUAL = new SenderSetup(256, 4, 9, 2);
    }

    /** What sending so much has cost. Immutable. */
    private record Cost(double gbPerSecond, double cpuMicrosPerMb) {}

    /** The block's data and its meta file, as a sender opens them. */
    private record Opened(FileInputStream data, InputStream meta) {}

    @FunctionalInterface
    private interface Opening {
        Opened open() throws IOException;
    }

    public SenderBench(PrintWriter out, ThresholdReport thresholds, SenderSetup setup) {
        this.out = out;
        this.thresholds = thresholds;
        this.setup = setup;
    }

    /** Measures with files in the folder for temporary ones, and prints. */
    public void run() throws IOException {
        Path folder = Files.createTempDirectory("hearth-bench-read-cache");
        try (ServerSocketChannel server =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            Thread receiver = new Thread(() -> receive(server), "receiver");
            receiver.setDaemon(true);
            receiver.start();
            FileReplica replica = FileReplica.write(folder, setup.mebibytes());
            try (SocketChannel socket = SocketChannel.open(server.getLocalAddress())) {
                socket.configureBlocking(false);
                measure(replica, folder, new SocketOutputStream(socket, SOCKET_TIMEOUT_MS));
            }
        } finally {
            FileUtil.fullyDelete(folder.toFile());
        }
    }

    /** Throws away what comes, until the sender ends. */
    private static void receive(ServerSocketChannel server) {
        try (SocketChannel socket = server.accept()) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(RECEIVE_BYTES);
            while (socket.read(buffer) >= 0) {
                buffer.clear();
            }
        } catch (IOException ended) {
            // The sender has failed, and says so itself.
        }
    }

    private void measure(FileReplica replica, Path folder, SocketOutputStream target) throws IOException {
        ReadCacheConfig config = new ReadCacheConfig(
                Mode.ON,
                Optional.empty(),
                new Storage((long) MOST_MEBIBYTES << 20, 0, 10, 1 << 20, 100),
                new Admission(0, 60),
                List.of());
        ReadCache cache = new ReadCache(() -> config, System::nanoTime);
        SsdCache ssd = cache.openFolder(Files.createDirectory(folder.resolve("ssd")));
        if (!ssd.restore(() -> false)) {
            throw new IOException("the read cache has not begun to serve");
        }
        cache.use(ssd);
        try {
            Opening plain =
                    () -> new Opened(new FileInputStream(replica.dataFile().toFile()), replica.openMeta());
            Opening cached = () -> open(cache, replica);
            // It fills every page.
            Cost unused = send(cached, replica, target, 1);
            long fills = cache.counts().get(Counter.FILLS);
            List<Cost> ofPlain = new ArrayList<>();
            List<Cost> ofCached = new ArrayList<>();
            for (int round = -setup.warmUpRounds(); round < setup.rounds(); round++) {
                Cost plainCost = send(plain, replica, target, setup.passes());
                Cost cachedCost = send(cached, replica, target, setup.passes());
                if (round >= 0) {
                    ofPlain.add(plainCost);
                    ofCached.add(cachedCost);
                }
            }
            checkThatAllWasCached(cache, fills);
            print(ofPlain, ofCached);
        } finally {
            cache.close();
        }
    }

    private static Opened open(ReadCache cache, FileReplica replica) throws IOException {
        ClientRead read = cache.open(replica).orElseThrow();
        InputStream meta = read.cached()
                .orElseThrow(() -> new IOException("the block is not cached"))
                .openMeta();
        return new Opened(CachedBlockStreams.open(read), meta);
    }

    private void checkThatAllWasCached(ReadCache cache, long fills) throws IOException {
        long fallbacks = cache.counts().get(Counter.FALLBACKS);
        long misses = cache.counts().get(Counter.MISSES);
        if (fills != setup.mebibytes() || fallbacks + misses > 0) {
            throw new IOException("of " + setup.mebibytes() + " pages " + fills + " were filled; then there were "
                    + misses + " misses and " + fallbacks + " fallbacks");
        }
    }

    private static Cost send(Opening opening, FileReplica replica, SocketOutputStream target, int passes)
            throws IOException {
        long length = replica.version().length();
        byte[] sums = new byte[SUM_BYTES];
        long beginCpu = threadCpuNanos();
        long begin = System.nanoTime();
        for (int pass = 0; pass < passes; pass++) {
            Opened opened = opening.open();
            try (FileInputStream data = opened.data();
                    DataInputStream meta =
                            new DataInputStream(new BufferedInputStream(opened.meta(), META_BUFFER_BYTES))) {
                meta.skipNBytes(META_HEADER_BYTES);
                for (long position = 0; position < length; position += PACKET_BYTES) {
                    meta.readFully(sums);
                    target.transferToFully(data.getChannel(), position, PACKET_BYTES);
                }
            }
        }
        double bytes = (double) passes * length;
        double nanos = System.nanoTime() - begin;
        double cpuNanos = threadCpuNanos() - beginCpu;
        return new Cost(bytes / nanos, cpuNanos / NANOS_PER_MICRO / (bytes / BYTES_PER_MB));
    }

    private static long threadCpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private void print(List<Cost> ofPlain, List<Cost> ofCached) {
        double plainCpu = Statistics.median(ofPlain, Cost::cpuMicrosPerMb);
        double cachedCpu = Statistics.median(ofCached, Cost::cpuMicrosPerMb);
        out.println(
                thresholds.about("One sender, packets of 64 KiB to a socket of this host, files in the page cache:"));
        out.println(thresholds.figure("  plain sendfile", Statistics.median(ofPlain, Cost::gbPerSecond), "GB/s"));
        out.println(thresholds.atLeast(
                "  cached, verified", Statistics.median(ofCached, Cost::gbPerSecond), LEAST_GB_PER_SECOND, "GB/s"));
        out.println(thresholds.figure("  CPU of the sender's thread for a MB, plain", plainCpu, "µs"));
        out.println(thresholds.figure("  CPU of the sender's thread for a MB, cached", cachedCpu, "µs"));
        out.println(thresholds.atMost("  CPU for a MB, cached over plain", cachedCpu / plainCpu, MOST_CPU, "x"));
        out.flush();
    }
}
