// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static io.hearth.integration.ReadCacheCluster.BLOCK_BYTES;
import static io.hearth.integration.ReadCacheCluster.metric;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.integration.HeldPageStore.Hold;
import io.hearth.integration.HeldPageStore.Moment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The read cache in a stock DataNode whose SSD hangs in reads and writes: a read that has met the hang is given up by its client, which
 * asks again after {@code dfs.client.socket-timeout}, and finds the cache off.
 */
class ReadCacheHangIT {

    /** Above the 10 s after which a hang switches the cache off, as the default of 60 s is. */
    private static final int CLIENT_TIMEOUT_MS = 12_000;

    private static final int LENGTH = BLOCK_BYTES + 300_123;

    /** Of a block's data: clients have some bytes by then. */
    private static final int HELD_PAGE = 1;

    @TempDir
    private Path folder;

    @Test
    @Tag("soak")
    void clientsOfAnSsdThatHangsAskAgainAndReadTheDisk() throws Exception {
        anSsdHangs(BlockTransport.TRANSFER_TO, ReadCacheCluster.PAGE_BYTES);
    }

    @ParameterizedTest
    @CsvSource({"BUFFERS, 65536", "ENCRYPTED, 65536"})
    @Tag("release-checks")
    void alsoByBuffersAndEncrypted(BlockTransport transport, int pageBytes) throws Exception {
        anSsdHangs(transport, pageBytes);
    }

    private void anSsdHangs(BlockTransport transport, int pageBytes) throws Exception {
        Map<String, String> settings = new TreeMap<>(transport.settings());
        settings.put("dfs.client.socket-timeout", "" + CLIENT_TIMEOUT_MS);
        try (ReadCacheCluster cluster =
                new ReadCacheCluster(folder, settings, MiniDFSNNTopology.simpleSingleNN(0, 0))) {
            HeldPageStore pages = cluster.holdPages();
            cluster.awaitPages(pageBytes);
            byte[] cached = cluster.write("/cached", LENGTH);
            cluster.untilBothComeFromTheSsd("/cached", cached);
            byte[] fresh = cluster.write("/fresh", LENGTH);

            List<FutureTask<byte[]>> reads = new ArrayList<>();
            List<FutureTask<byte[]>> fills = new ArrayList<>();
            try (Hold reading = pages.hold(Moment.BEFORE_GET, HELD_PAGE);
                    Hold writing = pages.hold(Moment.BEFORE_PUT, HELD_PAGE)) {
                for (DistributedFileSystem client : cluster.clients()) {
                    reads.add(inBackground(client, "/cached"));
                    fills.add(inBackground(client, "/fresh"));
                }
                reading.awaitHeld();
                writing.awaitHeld();
                for (FutureTask<byte[]> read : reads) {
                    assertThat(read.get(1, TimeUnit.MINUTES)).isEqualTo(cached);
                }
                for (FutureTask<byte[]> read : fills) {
                    assertThat(read.get(1, TimeUnit.MINUTES)).isEqualTo(fresh);
                }
                assertThat(metric("SsdTrips")).isEqualTo(1);
                assertThat(metric("Serving")).isZero();
                assertThat(cluster.corruptOrMissing()).isZero();
            }
            cluster.restartDataNode();
            cluster.untilBothComeFromTheSsd("/cached", cached);
            cluster.untilBothComeFromTheSsd("/fresh", fresh);
            cluster.awaitOnlyWhatIsCached();
        }
    }

    private static FutureTask<byte[]> inBackground(DistributedFileSystem client, String file) {
        FutureTask<byte[]> read = new FutureTask<>(() -> ReadCacheCluster.read(client, file));
        Thread thread = new Thread(read, "client");
        thread.setDaemon(true);
        thread.start();
        return read;
    }
}
