package io.hearth.bench.readers;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/**
 * What HDFS's clients in this JVM say about one folder's files: that they lost a replica and took another (a failover), or
 * that they had none left, waited and asked the NameNode (a stall). Thread-safe.
 */
final class HdfsEvents extends AppenderSkeleton implements AutoCloseable {

    private static final Logger CLIENT = Logger.getLogger("org.apache.hadoop.hdfs.DFSClient");

    /** What happened. */
    enum Kind {
        FAILOVER,
        STALL
    }

    /** @param nanoTime when it was said, by {@link System#nanoTime} */
    record Event(Kind kind, long nanoTime) {}

    private final String folder;
    private final List<Event> events = new CopyOnWriteArrayList<>();

    private HdfsEvents(String folder) {
        this.folder = folder;
    }

    /** Listens until it is closed; a stall does not name its file, so those of all files count. */
    static HdfsEvents listen(String folder) {
        HdfsEvents events = new HdfsEvents(folder);
        CLIENT.setLevel(Level.INFO);
        CLIENT.addAppender(events);
        return events;
    }

    @Override
    protected void append(LoggingEvent said) {
        String message = said.getRenderedMessage();
        if (message.contains("Will get new block locations from namenode")) {
            events.add(new Event(Kind.STALL, System.nanoTime()));
        } else if (isFailover(message) && message.contains(folder)) {
            events.add(new Event(Kind.FAILOVER, System.nanoTime()));
        }
    }

    private static boolean isFailover(String message) {
        return message.startsWith("Connection failure:") || message.contains("add to deadNodes and continue");
    }

    int count(Kind kind, long fromNanos, long toNanos) {
        return (int) events.stream()
                .filter(event -> event.kind() == kind && isWithin(event, fromNanos, toNanos))
                .count();
    }

    /** Whether anything happened within this time. */
    boolean anyWithin(long fromNanos, long toNanos) {
        return events.stream().anyMatch(event -> isWithin(event, fromNanos, toNanos));
    }

    private static boolean isWithin(Event event, long fromNanos, long toNanos) {
        return event.nanoTime() - fromNanos >= 0 && toNanos - event.nanoTime() >= 0;
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
