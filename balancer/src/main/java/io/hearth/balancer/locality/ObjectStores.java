// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.locality;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells an object store from a file system that has its blocks on servers. The connectors of Hadoop answer the question where a block is
 * with {@code localhost}: no block is local to any server, and to ask costs a request each time. Pure.
 */
public final class ObjectStores {

    /** Of Hadoop's own connectors and of those that vendors ship for theirs. */
    private static final Set<String> SCHEMES = Set.of(
            "s3", "s3n", "s3a", "gs", "wasb", "wasbs", "abfs", "abfss", "adl", "oss", "cosn", "obs", "swift", "bos",
            "tos");

    private ObjectStores() {}

    /**
     * HBase's root folder, where it is in an object store.
     *
     * @param rootFolder the value of {@code hbase.rootdir}; null or empty where there is none
     * @param defaultFileSystem the value of {@code fs.defaultFS}, which holds where the root folder names no file system
     */
    public static Optional<String> rootFolder(@Nullable String rootFolder, @Nullable String defaultFileSystem) {
        if (rootFolder == null || rootFolder.isBlank()) {
            return Optional.empty();
        }
        String root = rootFolder.trim();
        String from = scheme(root).or(() -> scheme(defaultFileSystem)).orElse("");
        return SCHEMES.contains(from.toLowerCase(Locale.ROOT)) ? Optional.of(root) : Optional.empty();
    }

    private static Optional<String> scheme(@Nullable String uri) {
        if (uri == null || uri.startsWith("/")) {
            return Optional.empty();
        }
        int end = uri.indexOf(':');
        return end <= 0 ? Optional.empty() : Optional.of(uri.substring(0, end));
    }
}
