package io.hearth.healing.hbase;

import io.hearth.healing.hdfs.HdfsBridge;
import io.hearth.healing.lock.HealerLock;
import io.hearth.healing.lock.LockAnswer;
import io.hearth.healing.lock.LockHolder;
import io.hearth.healing.loop.BrakeStore;
import io.hearth.healing.loop.HealSwitch.Position;
import java.io.IOException;
import java.time.Clock;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * HDFS as one host's healing sees it: as a user of its own if so configured, through a file system of its own, so that its
 * lock is nobody else's. Used by the healing thread alone, and opened when that first needs it.
 */
final class HostHdfs implements HealerLock, BrakeStore {

    private static final long LOGIN_EVERY_MS = 60_000;

    private final HealingHost host;
    private final Clock wallClock;
    private @Nullable HealerUser user;
    private @Nullable FileSystem fileSystem;
    private @Nullable HdfsBridge bridge;
    private long loggedInMs;

    HostHdfs(HealingHost host, Clock wallClock) {
        this.host = host;
        this.wallClock = wallClock;
    }

    /** The bridge, opened if it is not. */
    HdfsBridge bridge() throws IOException {
        if (bridge == null) {
            Configuration conf = host.configuration();
            Path root = host.rootFolder();
            user = user == null ? host.login() : user;
            bridge = user.doAs(() -> {
                fileSystem = fileSystem == null ? FileSystem.newInstance(root.toUri(), ownClient(conf)) : fileSystem;
                return HdfsBridge.to(fileSystem, fileSystem.makeQualified(root), conf);
            });
        }
        return bridge;
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
                host.program(),
                Objects.requireNonNull(user, "the bridge was not opened").shortName(),
                host.hostName(),
                wallClock.instant());
    }

    private HdfsBridge opened() {
        return Objects.requireNonNull(bridge, "the bridge was not opened");
    }

    @Override
    public LockAnswer take(LockHolder self) {
        return opened().lock().take(self);
    }

    @Override
    public LockAnswer confirm() {
        return opened().lock().confirm();
    }

    @Override
    public void release() {
        if (bridge != null) {
            bridge.lock().release();
        }
    }

    @Override
    public Position load() throws IOException {
        return host.keepsBrake() ? bridge().brake().load() : Position.RELEASED;
    }

    @Override
    public void save(Position position) throws IOException {
        if (host.keepsBrake()) {
            bridge().brake().save(position);
        }
    }

    /** Gives back the lock and all else. */
    void close() throws IOException {
        release();
        if (bridge != null) {
            bridge.close();
            bridge = null;
        }
        if (fileSystem != null) {
            fileSystem.close();
            fileSystem = null;
        }
    }
}
