// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.hdfs;

import io.hearth.common.config.ConfigProblem;
import io.hearth.common.hadoop.ConfigFileWatcher;
import io.hearth.common.hadoop.ConfigurationSettings;
import io.hearth.datanode.config.DeletionDelaySettings;
import io.hearth.datanode.config.DeletionDelaySettings.DeletionDelayConfig;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The DataNode's settings of the deletion delay, read again when one of its configuration files has another modification time: HDFS's
 * own reconfiguration knows its own keys only.
 *
 * <p>A file that is not whole while it is being written leaves the settings as they are; it is read again at the next poll.
 * {@link #get} may be called from any thread, {@link #refresh} from one at a time.
 */
public final class LiveDeletionDelayConfig implements Supplier<DeletionDelayConfig> {

    private static final Logger LOG = LoggerFactory.getLogger(LiveDeletionDelayConfig.class);
    private static final String WHERE = "hdfs-site.xml";
    private static final List<String> FILES = List.of("core-site.xml", WHERE);

    private final ConfigFileWatcher watcher;
    private volatile DeletionDelaySettings.Reading reading;

    /** Reads the settings as they stand, and says what can't be used. */
    public LiveDeletionDelayConfig(Configuration conf) {
        this.watcher = new ConfigFileWatcher(() -> files(conf), () -> reloaded(conf));
        this.reading = read(conf);
        LOG.info("{}, read again when one of {} changes", inWords(reading.config()), watcher.files());
        tellProblems(List.of());
    }

    @Override
    public DeletionDelayConfig get() {
        return reading.config();
    }

    /** How many values and keys can't be used. */
    public int problems() {
        return reading.problems().size();
    }

    /** Reads the files again if one has changed. */
    public void refresh(long nowMs) {
        watcher.changed(nowMs).ifPresent(fresh -> replace(read(fresh)));
    }

    private void replace(DeletionDelaySettings.Reading fresh) {
        DeletionDelaySettings.Reading before = reading;
        reading = fresh;
        if (!fresh.config().equals(before.config())) {
            LOG.info("{} from now on", inWords(fresh.config()));
        }
        tellProblems(before.problems());
    }

    private void tellProblems(List<ConfigProblem> known) {
        reading.problems().stream()
                .filter(problem -> !known.contains(problem))
                .forEach(problem -> LOG.warn("{}", problem));
    }

    private static DeletionDelaySettings.Reading read(Configuration conf) {
        return DeletionDelaySettings.read(WHERE, new ConfigurationSettings(conf));
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
}
