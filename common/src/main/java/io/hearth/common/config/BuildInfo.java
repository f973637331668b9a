// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.config;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/**
 * What a jar of Hearth says of its own build in its manifest. Immutable.
 *
 * @param commit the commit that it was built from, followed by {@code -dirty} where files had changed since; {@code unknown} where there was
 *     no Git
 * @param committedAt when that commit was made; a build's own time would make each of two builds another one
 * @param hbase the version of HBase that it was compiled with
 * @param hadoop the version of Hadoop that it was compiled with
 * @param java the oldest Java that it runs on
 */
public record BuildInfo(
        String version, String commit, Optional<Instant> committedAt, String hbase, String hadoop, String java) {

    private static final String UNKNOWN = "unknown";

    /** Of the jar that this class was loaded from; empty where that is no jar, or one of another build. Reads the jar each time. */
    public static Optional<BuildInfo> of(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null) {
            return Optional.empty();
        }
        try {
            Path jar = Path.of(source.getLocation().toURI());
            if (!Files.isRegularFile(jar)) {
                return Optional.empty();
            }
            try (JarFile opened = new JarFile(jar.toFile())) {
                return Optional.ofNullable(opened.getManifest()).flatMap(BuildInfo::of);
            }
        } catch (URISyntaxException | IllegalArgumentException | IOException unreadable) {
            return Optional.empty();
        }
    }

    /** By this manifest; empty where it is not one of Hearth's. */
    static Optional<BuildInfo> of(Manifest manifest) {
        Attributes main = manifest.getMainAttributes();
        String commit = main.getValue("Hearth-Commit");
        if (commit == null) {
            return Optional.empty();
        }
        return Optional.of(new BuildInfo(
                value(main, "Implementation-Version"),
                commit,
                time(value(main, "Hearth-Commit-Time")),
                value(main, "Hearth-HBase"),
                value(main, "Hearth-Hadoop"),
                value(main, "Hearth-Java")));
    }

    private static String value(Attributes attributes, String name) {
        return Optional.ofNullable(attributes.getValue(name)).orElse(UNKNOWN);
    }

    private static Optional<Instant> time(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeException unknown) {
            return Optional.empty();
        }
    }
}
