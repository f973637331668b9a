package io.hearth.bench.readers;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/** Hears what HDFS's clients in this JVM say. Thread-safe. */
final class HdfsLog extends AppenderSkeleton implements AutoCloseable {

    private static final Logger CLIENT = Logger.getLogger("org.apache.hadoop.hdfs.DFSClient");

    private final String folder;
    private final List<HdfsEvents.Event> events = new CopyOnWriteArrayList<>();

    private HdfsLog(String folder) {
        this.folder = folder;
    }

    /** Listens until it is closed. */
    static HdfsLog listen(String folder) {
        HdfsLog log = new HdfsLog(folder);
        CLIENT.setLevel(Level.INFO);
        CLIENT.addAppender(log);
        return log;
    }

    @Override
    protected void append(LoggingEvent said) {
        HdfsEvents.kind(said.getRenderedMessage(), folder)
                .ifPresent(kind -> events.add(new HdfsEvents.Event(kind, System.nanoTime())));
    }

    /** What was said so far. */
    HdfsEvents events() {
        return new HdfsEvents(events);
    }

    @Override
    public boolean requiresLayout() {
        return false;
    }

    @Override
    public void close() {
        CLIENT.removeAppender(this);
    }
}
