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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The configuration files of a process, read again when one of them has another modification time. Files that can't be read, as
 * while they are being written, are read again the next time. So are all while one is away that was there, for a minute: what writes it
 * anew may delete it first, and without it every setting in it would have its default. After that it is taken as removed. Files that these include are not watched: touch the outer
 * one. For one thread.
 */
public final class ConfigFileWatcher {

    private static final Logger LOG = LoggerFactory.getLogger(ConfigFileWatcher.class);

    private static final long NOT_THERE = -1;

    /** A file that is away for so long is not being written. */
    private static final long REMOVED_MS = 60_000;

    private final Supplier<List<Path>> files;
    private final Supplier<Configuration> reader;
    private final RateLimitedLogger rateLimitedLogger = new RateLimitedLogger(LOG);
    private Map<Path, Long> modifiedMsByFile;
    /** Since when one of them has been away. */
    private Optional<Long> awaySinceMs = Optional.empty();

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
        Optional<Path> away = firstAway();
        awaySinceMs = away.map(file -> awaySinceMs.orElse(nowMs));
        if (now.equals(modifiedMsByFile)) {
            return Optional.empty();
        }
        if (away.isPresent() && nowMs - awaySinceMs.orElseThrow() < REMOVED_MS) {
            unreadable(away.get() + " is not there any more", nowMs);
            return Optional.empty();
        }
        try {
            Configuration fresh = reader.get();
            // A configuration reads its files when it is first asked.
            int settings = fresh.size();
            if (!modificationTimes().equals(now)) {
                // One may have gone, or come back, while they were read.
                return Optional.empty();
            }
            LOG.info("{} have changed: {} settings", now.keySet(), settings);
            modifiedMsByFile = now;
            return Optional.of(fresh);
        } catch (RuntimeException unreadable) {
            unreadable(unreadable.getMessage(), nowMs);
            return Optional.empty();
        }
    }

    /** A file that was there the last time and is not now, whether it is still one of those to watch or not. */
    private Optional<Path> firstAway() {
        return modifiedMsByFile.entrySet().stream()
                .filter(watched -> watched.getValue() != NOT_THERE && modifiedMs(watched.getKey()) == NOT_THERE)
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private void unreadable(@Nullable String why, long nowMs) {
        rateLimitedLogger.warn(
                "unreadable",
                "The configuration files " + files() + " can't be read, what was read before holds: " + why,
                nowMs);
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
            return NOT_THERE;
        }
    }
}
