package io.hearth.bench.readers;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/** Hears what HDFS's clients in this JVM say. Thread-safe. */
final class DfsClientLogAppender extends AppenderSkeleton implements AutoCloseable {

    private static final Logger CLIENT = Logger.getLogger("org.apache.hadoop.hdfs.DFSClient");

    private final String folder;
    private final List<DfsClientEvents.Event> events = new CopyOnWriteArrayList<>();

    private DfsClientLogAppender(String folder) {
        this.folder = folder;
    }

    /** Listens until it is closed. */
    static DfsClientLogAppender listen(String folder) {
        DfsClientLogAppender log = new DfsClientLogAppender(folder);
        CLIENT.setLevel(Level.INFO);
        CLIENT.addAppender(log);
        return log;
    }

    @Override
    protected void append(LoggingEvent said) {
        DfsClientEvents.kind(said.getRenderedMessage(), folder)
                .ifPresent(kind -> events.add(new DfsClientEvents.Event(kind, System.nanoTime())));
    }

    /** What was said so far. */
    DfsClientEvents events() {
        return new DfsClientEvents(events);
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
