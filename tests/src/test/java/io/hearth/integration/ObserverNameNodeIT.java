// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.healer.core.PauseSwitch.PauseState;
import io.hearth.healer.hdfs.HdfsAdapter;
import io.hearth.healer.model.StoreFile;
import io.hearth.healer.spi.Observed;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.management.AttributeNotFoundException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.qjournal.MiniQJMHACluster;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An active NameNode, a standby and an observer, and a client that reads from observers: who is asked what by healing. */
@Tag("soak")
class ObserverNameNodeIT {

    private static final int ACTIVE = 0;
    private static final int OBSERVER = 2;
    private static final int ROUNDS = 5;
    private static final org.apache.hadoop.fs.Path ROOT = new org.apache.hadoop.fs.Path("/hbase");

    /** How long JMX shows what it has read once, and longer. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private static Path folder;

    private static MiniQJMHACluster journal;
    private static MiniDFSCluster dfs;
    private static DistributedFileSystem regionServer;
    private static DistributedFileSystem healer;

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = new HdfsConfiguration();
        conf.set("hdfs.minidfs.basedir", folder.toString());
        conf.set("hadoop.http.authentication.kerberos.principal", "HTTP/localhost@LOCALHOST");
        conf.setBoolean("dfs.namenode.state.context.enabled", true);
        journal = HATestUtil.setUpObserverCluster(conf, 1, 3, true);
        dfs = journal.getDfsCluster();
        regionServer = HATestUtil.configureFailoverFs(dfs, conf);
        healer = HATestUtil.configureObserverReadFs(dfs, conf, ObserverReadProxyProvider.class, true);
    }

    @AfterAll
    static void stop() throws Exception {
        healer.close();
        regionServer.close();
        journal.shutdown();
    }

    @Test
    void theObserverListsWhatOthersHaveJustWrittenAndTheActiveOneVerifies() throws Exception {
        long calls = 0;
        for (int round = 0; round < ROUNDS; round++) {
            org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(ROOT, "data/default/t/r" + round + "/f/h");
            DFSTestUtil.createFile(regionServer, file, 1_000, (short) 3, 1);
            try (HdfsAdapter adapter = HdfsAdapter.to(healer, ROOT, new Configuration(false), Runnable::run)) {
                List<StoreFile> listed = only(adapter.storeDirectories()
                        .listAll(List.of(file.getParent().toUri().getPath())));
                assertThat(listed).as("round %d", round).hasSize(1);
                assertThat(listed.get(0).complete()).as("round %d", round).isTrue();
                StoreFile located =
                        only(adapter.fileBlocks().locateAll(List.of(file.toUri().getPath())));
                assertThat(located.blocks().get(0).replicas()).hasSize(3);
                calls += adapter.nameNodeUsage().calls();
            }
        }
        assertThat(calls)
                .as("in each round one to be in time, one to list, one to locate")
                .isEqualTo(3 * ROUNDS);
        // Folders are listed with the locations of their files, and files located, by the same call.
        await("each has answered").atMost(PATIENCE).untilAsserted(() -> {
            assertThat(batchedListings(OBSERVER)).as("the observer").isEqualTo(ROUNDS);
            assertThat(batchedListings(ACTIVE)).as("the active NameNode").isEqualTo(ROUNDS);
        });
    }

    /** A pause is another's word, and the observer may not have heard of it. */
    @Test
    void aPauseIsReadFromTheActiveNameNode() throws Exception {
        try (HdfsAdapter operator = HdfsAdapter.to(regionServer, ROOT, new Configuration(false), Runnable::run);
                HdfsAdapter adapter = HdfsAdapter.to(healer, ROOT, new Configuration(false), Runnable::run)) {
            for (int round = 0; round < ROUNDS; round++) {
                PauseState paused = new PauseState(Optional.of("round " + round), Optional.empty(), Optional.empty());
                operator.pauseStore().save(paused);
                assertThat(adapter.pauseStore().load()).isEqualTo(paused);
            }
            operator.pauseStore().save(PauseState.NONE);
            assertThat(adapter.pauseStore().load()).isEqualTo(PauseState.NONE);
        }
    }

    /** The HDFS Balancer's lock is another client's too; and the time of an idle observer would say nothing. */
    @Test
    void theActiveNameNodeIsTheOneThatIsMeasured() throws Exception {
        try (HdfsAdapter adapter = HdfsAdapter.to(healer, ROOT, new Configuration(false), Runnable::run)) {
            for (int round = 0; round < ROUNDS; round++) {
                try (FSDataOutputStream balancer =
                        regionServer.create(new org.apache.hadoop.fs.Path("/system/balancer.id"), true)) {
                    balancer.hflush();
                    assertThat(adapter.nameNodeProbe()
                                    .probe()
                                    .ifKnown()
                                    .orElseThrow()
                                    .balancerRuns())
                            .isTrue();
                }
                assertThat(adapter.nameNodeProbe()
                                .probe()
                                .ifKnown()
                                .orElseThrow()
                                .balancerRuns())
                        .isFalse();
            }
        }
    }

    private static <T> T only(List<Observed<T>> answers) {
        assertThat(answers).hasSize(1).first().isInstanceOf(Observed.Known.class);
        return answers.get(0).ifKnown().orElseThrow();
    }

    /** By the NameNode's own count of its calls, as JMX shows it: seconds late, and not at all before the first. */
    private static long batchedListings(int nameNode) throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName bean = new ObjectName("Hadoop:service=NameNode,name=RpcDetailedActivityForPort"
                + dfs.getNameNode(nameNode).getNameNodeAddress().getPort());
        try {
            return ((Number) server.getAttribute(bean, "GetBatchedListingNumOps")).longValue();
        } catch (AttributeNotFoundException notYet) {
            return 0;
        }
    }
}
