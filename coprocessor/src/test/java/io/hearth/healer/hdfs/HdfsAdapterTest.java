// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.hearth.healer.core.HealerServices.NameNodeProbe.Sample;
import io.hearth.healer.hdfs.HdfsAdapter.NameNodeLatencyProbe;
import io.hearth.healer.spi.NameNodeUsage;
import io.hearth.healer.spi.Observed;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HdfsAdapterTest {

    private static final String ADVICE = ". Set hbase.rootdir to a folder in HDFS, or remove the observer.";

    private final Configuration conf = new Configuration(false);

    @Test
    void whatIsNotHdfsIsRefused(@TempDir java.nio.file.Path dir) {
        assertThatThrownBy(() -> HdfsAdapter.to(FileSystem.getLocal(conf), new Path(dir.toUri()), conf, Runnable::run))
                .isInstanceOf(IOException.class)
                .hasMessage("Healing moves replicas of HDFS blocks, and HBase's root folder is on file:///" + ADVICE);
    }

    @Test
    void bothCallsByWhichTheNameNodeIsMeasuredAreCounted() throws IOException {
        AtomicLong nowNanos = new AtomicLong();
        DFSClient client = mock(DFSClient.class);
        when(client.isFileClosed("/system/balancer.id")).thenAnswer(call -> {
            nowNanos.addAndGet(3_000_000);
            return false;
        });
        when(client.isFileClosed("/system/mover.id")).thenAnswer(call -> {
            nowNanos.addAndGet(4_000_000);
            throw new FileNotFoundException("/system/mover.id");
        });
        NameNodeUsage usage = new NameNodeUsage();

        assertThat(new NameNodeLatencyProbe(client, usage, nowNanos::get).probe())
                .isEqualTo(Observed.known(new Sample(3_000, true, false)));
        assertThat(usage.regularMicros()).isEqualTo(7_000);
        assertThat(usage.calls()).as("for files and blocks").isZero();
    }

    @Test
    void confirmingTakesAsLongAsTheIntervalsOfTheConfigurationSay() {
        assertThat(HdfsAdapter.confirmSeconds(conf)).as("HDFS's own").isEqualTo(6.5);
        conf.set("dfs.heartbeat.interval", "1");
        conf.set("dfs.namenode.redundancy.interval.seconds", "500ms");
        assertThat(HdfsAdapter.confirmSeconds(conf)).isEqualTo(2.25);
    }

    /** SharedFilesIT follows one to HDFS. */
    @Test
    void aMountTableIsFollowed(@TempDir java.nio.file.Path dir) {
        conf.set("fs.viewfs.impl", "org.apache.hadoop.fs.viewfs.ViewFileSystem");
        conf.set("fs.file.impl", "org.apache.hadoop.fs.LocalFileSystem");
        conf.set("fs.viewfs.mounttable.c.link./hbase", dir.toUri().toString());

        assertThatThrownBy(() -> HdfsAdapter.to(
                        FileSystem.get(URI.create("viewfs://c/"), conf),
                        new Path("viewfs://c/hbase"),
                        conf,
                        Runnable::run))
                .isInstanceOf(IOException.class)
                .hasMessage("Healing moves replicas of HDFS blocks, and HBase's root folder is on file:///" + ADVICE);
    }

    /** A loop that is made anew every ten seconds would keep as many clients of HDFS for ever. */
    @Test
    void whatCannotBeOpenedIsClosedAgain() throws IOException {
        conf.set("dfs.nameservices", "ns");
        conf.set("dfs.ha.namenodes.ns", "a,b");
        conf.set("dfs.namenode.rpc-address.ns.a", "127.0.0.1:1");
        conf.set("dfs.namenode.rpc-address.ns.b", "127.0.0.1:2");
        conf.set("dfs.client.failover.proxy.provider.ns", ObserverReadProxyProvider.class.getName());
        conf.set("fs.hdfs.impl", CountedFileSystem.class.getName());
        try (FileSystem fs = FileSystem.newInstance(URI.create("hdfs://ns/"), conf)) {
            Configuration ofMaster = new Configuration(conf);
            ofMaster.set("dfs.block.replicator.classname", "com.example.NotThere");
            int before = CountedFileSystem.open;

            for (int attempt = 0; attempt < 3; attempt++) {
                assertThatThrownBy(() -> HdfsAdapter.to(fs, new Path("/hbase"), ofMaster, Runnable::run))
                        .hasMessageContaining("com.example.NotThere");
            }

            assertThat(CountedFileSystem.opened).isEqualTo(4);
            assertThat(CountedFileSystem.open).isEqualTo(before);
        }
    }

    /** How many there are, and were. */
    public static final class CountedFileSystem extends DistributedFileSystem {

        private static int opened;
        private static int open;

        @Override
        public void initialize(URI uri, Configuration conf) throws IOException {
            super.initialize(uri, conf);
            opened++;
            open++;
        }

        @Override
        public void close() throws IOException {
            super.close();
            open--;
        }
    }
}
