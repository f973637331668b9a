// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.hdfs;

import io.hearth.common.config.ConfigProblem;
import io.hearth.common.hadoop.ConfigFileWatcher;
import io.hearth.common.hadoop.ConfigurationSettings;
import io.hearth.datanode.config.DataNodeSettings;
import io.hearth.datanode.config.DeletionDelaySettings.DeletionDelayConfig;
import io.hearth.datanode.config.ReadCacheSettings.ReadCacheConfig;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings of Hearth in one DataNode, read again when one of its configuration files has another modification time: HDFS's own
 * reconfiguration knows its own keys only.
 *
 * <p>A file that is away or not whole while it is being written leaves the settings as they are; it is read again at the next poll.
 * Thread-safe; only {@link #refresh} reads files.
 */
public final class LiveDataNodeConfig {

    private static final Logger LOG = LoggerFactory.getLogger(LiveDataNodeConfig.class);
    private static final String WHERE = "hdfs-site.xml";
    private static final List<String> FILES = List.of("core-site.xml", WHERE);
    private static final long REFRESH_MS = 5_000;

    private final ConfigFileWatcher watcher;
    private final Optional<Path> alluxioFolder;
    private volatile DataNodeSettings.Reading reading;
    /** Guarded by this. */
    private long refreshedMs = Long.MIN_VALUE;

    /** Reads the settings as they stand, and says what can't be used. */
    public LiveDataNodeConfig(Configuration conf) {
        this.watcher = new ConfigFileWatcher(() -> files(conf), () -> reloaded(conf));
        this.reading = read(conf);
        this.alluxioFolder = reading.alluxioFolder();
        LOG.info(
                "{}. {}. Read again when one of {} changes",
                inWords(reading.deletionDelay()),
                inWords(reading.readCache()),
                watcher.files());
        tellProblems(List.of());
    }

    public DeletionDelayConfig deletionDelay() {
        return reading.deletionDelay();
    }

    public ReadCacheConfig readCache() {
        return reading.readCache();
    }

    /** The jars of Alluxio's page store, as it was set when the DataNode started; empty where the read cache keeps its pages itself. */
    public Optional<Path> alluxioFolder() {
        return alluxioFolder;
    }

    /** How many values and keys can't be used. */
    public int problems() {
        return reading.problems().size();
    }

    /**
     * Reads the files again if one has changed, unless they were looked at within the last 5 s.
     *
     * @param nowMs monotonic milliseconds, the same clock in each call
     */
    public synchronized void refresh(long nowMs) {
        if (refreshedMs == Long.MIN_VALUE || nowMs - refreshedMs >= REFRESH_MS) {
            refreshedMs = nowMs;
            watcher.changed(nowMs).ifPresent(fresh -> replace(read(fresh)));
        }
    }

    private void replace(DataNodeSettings.Reading fresh) {
        DataNodeSettings.Reading before = reading;
        reading = fresh;
        if (!fresh.deletionDelay().equals(before.deletionDelay())) {
            LOG.info("{} from now on", inWords(fresh.deletionDelay()));
        }
        if (!fresh.readCache().equals(before.readCache())) {
            LOG.info("{} from now on", inWords(fresh.readCache()));
        }
        tellProblems(before.problems());
    }

    private void tellProblems(List<ConfigProblem> known) {
        reading.problems().stream()
                .filter(problem -> !known.contains(problem))
                .forEach(problem -> LOG.warn("{}", problem));
    }

    private static DataNodeSettings.Reading read(Configuration conf) {
        return DataNodeSettings.read(WHERE, new ConfigurationSettings(conf));
    }

    private static Configuration reloaded(Configuration conf) {
        Configuration fresh = new Configuration(conf);
        fresh.reloadConfiguration();
        return fresh;
    }

    /** The configuration files on the class path that are files. */
    private static List<Path> files(Configuration conf) {
        List<Path> files = new ArrayList<>();
        for (String name : FILES) {
            URL resource = conf.getResource(name);
            if (resource != null && resource.getProtocol().equals("file")) {
                // Its path has %20 and the like where the folder has blanks.
                files.add(Path.of(URI.create(resource.toString())));
            }
        }
        return files;
    }

    private static String inWords(DeletionDelayConfig config) {
        return config.delayMs() == 0
                ? "Replicas that were moved away are deleted at once, as with stock HDFS"
                : "Replicas that were moved away and are being read stay readable for " + config.delayMs()
                        + " ms, on volumes with at least " + config.minFreeBytes() + " bytes free, at most "
                        + config.maxReplicas() + " of at most " + config.maxBytes() + " bytes";
    }

    static String inWords(ReadCacheConfig config) {
        return switch (config.mode()) {
            case OFF -> "The read cache is off";
            case SHADOW ->
                "The read cache only simulates " + config.shadowVariants().size() + " caches";
            case ON ->
                config.folder()
                        .map(folder -> "Blocks that clients read more than "
                                + config.admission().reads() + " times within "
                                + config.admission().minutes() + " minutes are cached in " + folder + ", at most "
                                + config.storage().maxBytes() + " bytes")
                        .orElse("The read cache has no folder and caches nothing: set hearth.datanode.cache.dir");
        };
    }
}
