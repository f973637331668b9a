// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.hdfs.HdfsAdapter;
import io.hearth.healer.lock.HealerLock;
import io.hearth.healer.lock.HealerLock.LockHolder;
import io.hearth.healer.lock.HealerLock.LockResult;
import java.io.EOFException;
import java.io.IOException;
import java.time.Instant;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.util.Progressable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The healers' lock by a NameNode that ends, or that changes nothing, at the wrong moment. It needs no DataNode. */
class HealerLockIT {

    private static final LockHolder SELF = new LockHolder("test", "test", "here", Instant.EPOCH);
    private static final LockHolder OTHER = new LockHolder("other", "other", "there", Instant.EPOCH);

    @TempDir
    private static java.nio.file.Path folder;

    private static MiniDFSCluster dfs;
    private static Configuration conf;

    private Healer healer;
    private Healer other;

    @BeforeAll
    static void startNameNode() throws IOException {
        conf = new HdfsConfiguration();
        conf.set("hdfs.minidfs.basedir", folder.toString());
        // Its default asks for the machine's own name, which the hosts file of the build's JVM does not hold.
        conf.set("hadoop.http.authentication.kerberos.principal", "HTTP/localhost@LOCALHOST");
        dfs = new MiniDFSCluster.Builder(conf).numDataNodes(0).build();
        conf.setInt("dfs.replication", 1);
        dfs.getFileSystem().mkdirs(new Path("/hbase"));
    }

    @AfterAll
    static void stopNameNode() {
        dfs.shutdown(true);
    }

    @BeforeEach
    void twoHealers() throws IOException {
        healer = new Healer();
        other = new Healer();
    }

    @AfterEach
    void noHealer() throws IOException {
        dfs.getFileSystem().setSafeMode(SafeModeAction.SAFEMODE_LEAVE);
        healer.close();
        other.close();
    }

    @Test
    void aNameNodeThatEndsInsideOfTheCallLocksNobodyOut() throws IOException {
        assertThat(healer.lock.take(SELF)).isEqualTo(new LockResult.Held());
        healer.lock.release();

        healer.files.endsInsideOfTheCall = true;
        assertThat(healer.lock.take(SELF)).isInstanceOf(LockResult.Unknown.class);

        assertThat(other.lock.take(OTHER))
                .as("the NameNode remembers whose it is")
                .isInstanceOf(LockResult.HeldBy.class);
        assertThat(healer.lock.take(SELF)).isEqualTo(new LockResult.Held());
        assertThat(healer.lock.confirm()).isEqualTo(new LockResult.Held());
        healer.lock.release();
        assertThat(other.lock.take(OTHER)).isEqualTo(new LockResult.Held());
    }

    @Test
    void aLockThatCouldNotBeGivenBackInSafeModeIsTakenAgain() throws IOException {
        assertThat(healer.lock.take(SELF)).isEqualTo(new LockResult.Held());
        dfs.getFileSystem().setSafeMode(SafeModeAction.SAFEMODE_ENTER);
        healer.lock.release();
        assertThat(healer.lock.take(SELF)).isInstanceOf(LockResult.Unknown.class);

        dfs.getFileSystem().setSafeMode(SafeModeAction.SAFEMODE_LEAVE);
        assertThat(healer.lock.take(SELF)).isEqualTo(new LockResult.Held());
    }

    @Test
    void anothersLockIsLeftToIt() {
        assertThat(healer.lock.take(SELF)).isEqualTo(new LockResult.Held());
        assertThat(other.lock.take(OTHER)).isEqualTo(new LockResult.HeldBy(SELF));
        assertThat(healer.lock.confirm()).isEqualTo(new LockResult.Held());
    }

    /** A healer's lock with a file system of its own. */
    private static final class Healer implements AutoCloseable {

        private final RudeFiles files = new RudeFiles();
        private final HdfsAdapter adapter;
        private final HealerLock lock;

        private Healer() throws IOException {
            files.initialize(dfs.getURI(), conf);
            adapter = HdfsAdapter.to(files, new Path(dfs.getURI().toString(), "/hbase"), conf, Runnable::run);
            lock = adapter.lock();
        }

        @Override
        public void close() throws IOException {
            lock.release();
            adapter.close();
            files.close();
        }
    }

    /** Asks a NameNode that is restarted, once, after it has done what it was asked for and before it says so. */
    private static final class RudeFiles extends DistributedFileSystem {

        private boolean endsInsideOfTheCall;

        @Override
        public FSDataOutputStream append(Path file, int bufferSize, Progressable progress) throws IOException {
            if (!endsInsideOfTheCall) {
                return super.append(file, bufferSize, progress);
            }
            endsInsideOfTheCall = false;
            getClient()
                    .getNamenode()
                    .append(
                            file.toUri().getPath(),
                            getClient().getClientName(),
                            new EnumSetWritable<>(EnumSet.of(CreateFlag.APPEND)));
            dfs.restartNameNode(0, true);
            throw new EOFException("the NameNode has ended");
        }
    }
}
