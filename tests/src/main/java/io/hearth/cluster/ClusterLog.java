package io.hearth.cluster;

import java.io.IOException;
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

    private ClusterLog(Path file, FileAppender appender) {
        this.file = file;
        this.appender = appender;
    }

    static ClusterLog open(Path directory) throws IOException {
        String named = System.getProperty(FILE_PROPERTY);
        Path file = (named == null ? directory.resolve("cluster.log") : Path.of(named)).toAbsolutePath();
        Files.createDirectories(file.getParent());
        FileAppender appender = new FileAppender(new PatternLayout(PATTERN), file.toString());
        Logger.getRootLogger().addAppender(appender);
        return new ClusterLog(file, appender);
    }

    Path file() {
        return file;
    }

    @Override
    public void close() {
        Logger.getRootLogger().removeAppender(appender);
        appender.close();
    }
}
