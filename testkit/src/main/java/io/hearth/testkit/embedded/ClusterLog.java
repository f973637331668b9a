// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.log4j.FileAppender;
import org.apache.log4j.Logger;
import org.apache.log4j.PatternLayout;

/**
 * The log file of one embedded cluster: what HBase and HDFS warn of, and what Hearth says.
 *
 * <p>It is {@code cluster.log} in the cluster's directory, and so goes with it, unless the system property
 * {@code hearth.cluster.log} names another file.
 */
final class ClusterLog implements AutoCloseable {
    private static final String FILE_PROPERTY = "hearth.cluster.log";
    private static final String PATTERN = "%d{ISO8601} %-5p [%t] %c{2}: %m%n";

    private final Path file;
    private final FileAppender appender;
    private volatile long startByte;

    private ClusterLog(Path file, FileAppender appender, long startByte) {
        this.file = file;
        this.appender = appender;
        this.startByte = startByte;
    }

    static ClusterLog open(Path directory) throws IOException {
        String named = System.getProperty(FILE_PROPERTY);
        Path file = (named == null ? directory.resolve("cluster.log") : Path.of(named)).toAbsolutePath();
        Files.createDirectories(file.getParent());
        long startByte = Files.exists(file) ? Files.size(file) : 0;
        FileAppender appender = new FileAppender(new PatternLayout(PATTERN), file.toString());
        Logger.getRootLogger().addAppender(appender);
        return new ClusterLog(file, appender, startByte);
    }

    Path file() {
        return file;
    }

    /** Takes nothing down until it {@linkplain #reset starts anew}: another cluster may log to the same file. */
    void pause() {
        Logger.getRootLogger().removeAppender(appender);
    }

    /** Takes down what is logged from now on, and leaves out of {@link #text} what was logged before. */
    void reset() throws IOException {
        startByte = Files.size(file);
        Logger.getRootLogger().addAppender(appender);
    }

    /** What was logged since it was opened or started anew: the file may hold what earlier clusters logged, too. */
    String text() throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            in.skipNBytes(startByte);
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Override
    public void close() {
        Logger.getRootLogger().removeAppender(appender);
        appender.close();
    }
}
