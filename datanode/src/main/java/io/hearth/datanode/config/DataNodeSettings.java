// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.config;

import io.hearth.common.config.ConfigProblem;
import io.hearth.common.config.RawSettings;
import io.hearth.common.config.Setting;
import io.hearth.common.config.UnknownKeys;
import io.hearth.datanode.config.DeletionDelaySettings.DeletionDelayConfig;
import io.hearth.datanode.config.ReadCacheSettings.ReadCacheConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Every {@code hearth.datanode.} key, and their reading. All of them but {@link ReadCacheSettings#ALLUXIO_DIRECTORY} are live:
 * hdfs-site.xml is read again when it changes.
 */
public final class DataNodeSettings {

    private static final String PREFIX = "hearth.datanode.";

    /** Every key, in the order of the documentation. */
    public static final List<Setting<?>> ALL = Stream.of(DeletionDelaySettings.ALL, ReadCacheSettings.ALL)
            .<Setting<?>>flatMap(List::stream)
            .toList();

    /**
     * What is configured, and what could not be used in it. Immutable.
     *
     * @param alluxioFolder the jars of Alluxio's page store; empty where the read cache keeps its pages itself
     */
    public record Reading(
            DeletionDelayConfig deletionDelay,
            ReadCacheConfig readCache,
            Optional<Path> alluxioFolder,
            List<ConfigProblem> problems) {

        public Reading {
            problems = List.copyOf(problems);
        }
    }

    private DataNodeSettings() {}

    /**
     * Reads every key, each as its own class says, and finds those that nobody knows.
     *
     * @param where the name of the configuration in messages
     */
    public static Reading read(String where, RawSettings raw) {
        DeletionDelaySettings.Reading deletionDelay = DeletionDelaySettings.read(where, raw);
        ReadCacheSettings.Reading readCache = ReadCacheSettings.read(where, raw);
        List<ConfigProblem> problems = new ArrayList<>(deletionDelay.problems());
        problems.addAll(readCache.problems());
        List<String> keys = ALL.stream().map(Setting::key).toList();
        problems.addAll(UnknownKeys.find(where, raw, PREFIX, keys::contains, keys));
        return new Reading(deletionDelay.config(), readCache.config(), readCache.alluxioFolder(), problems);
    }
}
