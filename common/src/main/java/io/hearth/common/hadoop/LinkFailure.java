// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.hadoop;

import io.hearth.common.log.RateLimitedLogger;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.util.VersionInfo;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * A failure that comes of HBase or Hadoop not being what Hearth was compiled with: a class, method or field that it lacks, or an object of
 * theirs of another type. It comes again at each call, so the part of Hearth that meets it rests. Thread-safe; nothing here throws.
 */
public final class LinkFailure {

    private static final String HBASE_VERSION_INFO = "org.apache.hadoop.hbase.util.VersionInfo";
    private static final Pattern CAST_OF_THEIRS = Pattern.compile("(?s).*class org\\.apache\\..*");
    /** Of causes of causes, which may go round. */
    private static final int MOST_CAUSES = 10;

    private LinkFailure() {}

    /**
     * What is missing and both versions, as one sentence for the log; empty where the failure has another cause.
     *
     * @param failure what was caught; its causes are looked at too
     */
    public static Optional<String> of(Throwable failure) {
        return Stream.iterate(failure, cause -> cause != null, LinkFailure::cause)
                .limit(MOST_CAUSES)
                .filter(LinkFailure::isOne)
                .reduce((outer, inner) -> inner)
                .map(one -> one.getClass().getSimpleName() + ": " + message(one) + ". Hearth was built for "
                        + versions(builtFor()) + ", and this is " + versions(running())
                        + ". bin/hearth install --check names all that is missing.");
    }

    /** Logs what failed: on one line with what is missing where another version explains it, and else with the failure's stack trace. */
    public static void warn(Logger log, String what, Throwable failure) {
        Optional<String> missing = of(failure);
        log.warn(what + missing.map(" "::concat).orElse(""), missing.isPresent() ? null : failure);
    }

    /** The same at most once a minute for each kind. */
    public static void warn(RateLimitedLogger log, String kind, String what, Throwable failure, long nowMs) {
        Optional<String> missing = of(failure);
        log.warn(kind, what + missing.map(" "::concat).orElse(""), missing.isPresent() ? null : failure, nowMs);
    }

    private static @Nullable Throwable cause(Throwable failure) {
        return failure.getCause();
    }

    private static boolean isOne(Throwable failure) {
        return failure instanceof LinkageError
                || (failure instanceof ClassCastException
                        && CAST_OF_THEIRS
                                .matcher(String.valueOf(failure.getMessage()))
                                .matches());
    }

    private static String message(Throwable failure) {
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    }

    private static String versions(Properties versions) {
        return "HBase " + versions.getProperty("hbase", "of an unknown version") + " and Hadoop "
                + versions.getProperty("hadoop", "of an unknown version");
    }

    private static Properties builtFor() {
        Properties versions = new Properties();
        try (InputStream file = LinkFailure.class.getResourceAsStream("built-for.properties")) {
            if (file != null) {
                versions.load(file);
            }
        } catch (IOException unreadable) {
            // Unknown is what is said then.
        }
        return versions;
    }

    /** A DataNode has no HBase, and even these two classes may be others. */
    private static Properties running() {
        Properties versions = new Properties();
        try {
            versions.setProperty("hadoop", VersionInfo.getVersion());
            Class<?> ofHBase = Class.forName(HBASE_VERSION_INFO, true, LinkFailure.class.getClassLoader());
            versions.setProperty(
                    "hbase", String.valueOf(ofHBase.getMethod("getVersion").invoke(null)));
        } catch (ReflectiveOperationException | LinkageError | RuntimeException unknown) {
            // As above.
        }
        return versions;
    }
}
