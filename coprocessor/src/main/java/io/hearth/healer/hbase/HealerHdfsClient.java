// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import io.hearth.healer.core.BandwidthRaise.DataNodeBandwidth;
import io.hearth.healer.core.BandwidthRaise.RaisedBandwidth;
import io.hearth.healer.core.PausePersister.PauseStore;
import io.hearth.healer.core.PauseSwitch.PauseState;
import io.hearth.healer.hdfs.HdfsPorts;
import io.hearth.healer.lock.HealerLock;
import io.hearth.healer.lock.HealerLock.LockHolder;
import io.hearth.healer.lock.HealerLock.LockResult;
import java.io.IOException;
import java.time.Clock;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * HDFS as one host's healing sees it: as a user of its own if so configured, through a file system of its own, so that its
 * lock is nobody else's. Used by the healing thread alone, and opened when that first needs it.
 */
final class HealerHdfsClient implements HealerLock, PauseStore, DataNodeBandwidth {

    private static final long LOGIN_EVERY_MS = 60_000;

    private final HealerRuntime runtime;
    private final Clock wallClock;
    private final Executor threads;
    private final HdfsPorts.Opener opener;
    private @Nullable HealerUser user;
    private @Nullable FileSystem fileSystem;
    private @Nullable HdfsPorts adapter;
    private long loggedInMs;

    /** @param threads where DataNodes are asked what the loop does not wait for */
    HealerHdfsClient(HealerRuntime runtime, Clock wallClock, Executor threads, HdfsPorts.Opener opener) {
        this.runtime = runtime;
        this.wallClock = wallClock;
        this.threads = threads;
        this.opener = opener;
    }

    /** The adapter, opened if it is not. */
    HdfsPorts adapter() throws IOException {
        if (adapter == null) {
            Configuration conf = runtime.configuration();
            Path root = runtime.rootDir();
            user = user == null ? runtime.login() : user;
            adapter = user.doAs(() -> {
                fileSystem = fileSystem == null ? FileSystem.newInstance(root.toUri(), ownClient(conf)) : fileSystem;
                return opener.open(fileSystem, fileSystem.makeQualified(root), conf, threads);
            });
        }
        return adapter;
    }

    /** It is closed here, after the lock was given back, and not by Hadoop's own hook when the process ends. */
    private static Configuration ownClient(Configuration conf) {
        Configuration own = new Configuration(conf);
        own.setBoolean(CommonConfigurationKeysPublic.FS_AUTOMATIC_CLOSE_KEY, false);
        return own;
    }

    /** Renews the login now and then. */
    void keepLoggedIn(long nowMs) throws IOException {
        if (user != null && nowMs - loggedInMs >= LOGIN_EVERY_MS) {
            loggedInMs = nowMs;
            user.keepLoggedIn();
        }
    }

    /** This host's word for the lock. */
    LockHolder self() {
        return new LockHolder(
                runtime.program(),
                Objects.requireNonNull(user, "the adapter was not opened").shortName(),
                runtime.hostName(),
                wallClock.instant());
    }

    private HdfsPorts opened() {
        return Objects.requireNonNull(adapter, "the adapter was not opened");
    }

    @Override
    public LockResult take(LockHolder self) {
        return opened().lock().take(self);
    }

    @Override
    public LockResult confirm() {
        return opened().lock().confirm();
    }

    @Override
    public void release() {
        if (adapter != null) {
            adapter.lock().release();
        }
    }

    @Override
    public Map<String, Long> ask() throws IOException {
        return adapter().dataNodeBandwidth().ask();
    }

    @Override
    public void setAll(long bytesPerSecond) throws IOException {
        adapter().dataNodeBandwidth().setAll(bytesPerSecond);
    }

    @Override
    public Optional<RaisedBandwidth> loadRaised() throws IOException {
        return adapter().dataNodeBandwidth().loadRaised();
    }

    @Override
    public void save(RaisedBandwidth raised) throws IOException {
        adapter().dataNodeBandwidth().save(raised);
    }

    @Override
    public void forgetRaised() throws IOException {
        adapter().dataNodeBandwidth().forgetRaised();
    }

    @Override
    public PauseState load() throws IOException {
        return runtime.persistsPause() ? adapter().pauseStore().load() : PauseState.NONE;
    }

    @Override
    public void save(PauseState state) throws IOException {
        if (runtime.persistsPause()) {
            adapter().pauseStore().save(state);
        }
    }

    /** Gives back the lock and all else. */
    void close() throws IOException {
        release();
        if (adapter != null) {
            adapter.close();
            adapter = null;
        }
        if (fileSystem != null) {
            fileSystem.close();
            fileSystem = null;
        }
    }
}
