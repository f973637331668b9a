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
import org.apache.hadoop.security.authorize.AuthorizationException;
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

    /** One call that takes longer than a client waits, and it gives up all that it has open, without a word. */
    @Test
    void aClientThatHasGivenUpItsFileHasLostTheLock() throws IOException {
        assertThat(healer.lock.take(SELF)).isEqualTo(new LockResult.Held());
        healer.files.getClient().closeAllFilesBeingWritten(true);

        assertThat(healer.lock.confirm())
                .isEqualTo(new LockResult.Lost("the client has given up the open file of the lock"));
        healer.lock.release();
        assertThat(healer.lock.take(SELF)).isEqualTo(new LockResult.Held());
        assertThat(healer.lock.confirm()).isEqualTo(new LockResult.Held());
    }

    /** As in an encryption zone: the client asks for the key once it has the lease. */
    @Test
    void whoMayNotHaveTheKeyLeavesTheLockToOthers() {
        healer.files.refusesKey = true;
        long before = streamers();
        for (int attempt = 0; attempt < 5; attempt++) {
            assertThat(healer.lock.take(SELF))
                    .isEqualTo(new LockResult.Refused("append to " + dfs.getURI()
                            + "/hbase/.hearth/healer.lock needs the key of its encryption zone"
                            + " (org.apache.hadoop.security.authorize.AuthorizationException: the key is refused). Run it as"
                            + " the user of HBase, or allow its user to decrypt with that key (DECRYPT_EEK)."));
        }

        assertThat(streamers()).isLessThanOrEqualTo(before + 1);
        assertThat(other.lock.take(OTHER)).isEqualTo(new LockResult.Held());
    }

    /** The threads of streams that are open. */
    private static long streamers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getClass().getSimpleName().equals("DataStreamer"))
                .count();
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

    /**
     * Asks a NameNode that is restarted, once, after it has done what it was asked for and before it says so; or somebody who keeps keys and
     * gives none.
     */
    private static final class RudeFiles extends DistributedFileSystem {

        private boolean endsInsideOfTheCall;
        private boolean refusesKey;

        @Override
        public FSDataOutputStream append(Path file, int bufferSize, Progressable progress) throws IOException {
            if (refusesKey) {
                super.append(file, bufferSize, progress);
                throw new AuthorizationException("the key is refused");
            }
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
