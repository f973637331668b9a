// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.hadoop;

import io.hearth.common.log.RateLimitedLogger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The configuration files of a process, read again when one of them has another modification time. Files that can't be read, as
 * while they are being written, are read again the next time. Files that these include are not watched: touch the
 * outer one. For one thread.
 */
public final class ConfigFileWatcher {

    private static final Logger LOG = LoggerFactory.getLogger(ConfigFileWatcher.class);

    private final Supplier<List<Path>> files;
    private final Supplier<Configuration> reader;
    private final RateLimitedLogger rateLimitedLogger = new RateLimitedLogger(LOG);
    private Map<Path, Long> modifiedMsByFile;

    /**
     * Watches from now on.
     *
     * @param files the files to watch as of now, whether they are there or not
     * @param reader reads them all
     */
    public ConfigFileWatcher(Supplier<List<Path>> files, Supplier<Configuration> reader) {
        this.files = files;
        this.reader = reader;
        this.modifiedMsByFile = modificationTimes();
    }

    /** The files that were watched the last time. */
    public Set<Path> files() {
        return modifiedMsByFile.keySet();
    }

    /** What they say, if one has changed since the last time and all can be read. */
    public Optional<Configuration> changed(long nowMs) {
        Map<Path, Long> now = modificationTimes();
        if (now.equals(modifiedMsByFile)) {
            return Optional.empty();
        }
        try {
            Configuration fresh = reader.get();
            // A configuration reads its files when it is first asked.
            LOG.info("{} have changed: {} settings", now.keySet(), fresh.size());
            modifiedMsByFile = now;
            return Optional.of(fresh);
        } catch (RuntimeException unreadable) {
            rateLimitedLogger.warn(
                    "unreadable",
                    "The configuration files " + now.keySet() + " can't be read, what was read before holds: "
                            + unreadable.getMessage(),
                    nowMs);
            return Optional.empty();
        }
    }

    private Map<Path, Long> modificationTimes() {
        Map<Path, Long> modifiedMs = new LinkedHashMap<>();
        files.get().forEach(file -> modifiedMs.put(file, modifiedMs(file)));
        return modifiedMs;
    }

    private static long modifiedMs(Path file) {
        try {
            return Files.getLastModifiedTime(file).toMillis();
        } catch (IOException notThere) {
            return -1;
        }
    }
}
