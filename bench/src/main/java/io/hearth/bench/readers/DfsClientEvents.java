// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.readers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What HDFS's clients have said of one folder's files: that they lost a replica and took another (a failover), or that they had
 * none left, waited and asked the NameNode (a stall). Immutable.
 */
record DfsClientEvents(List<Event> events) {

    /** What happened. */
    enum Kind {
        FAILOVER,
        STALL
    }

    /** @param nanoTime when it was said, by {@link System#nanoTime} */
    record Event(Kind kind, long nanoTime) {}

    DfsClientEvents {
        events = List.copyOf(events);
    }

    /** What a message of HDFS's client is, if it is one of these; a stall does not name its file, so those of all files count. */
    static Optional<Kind> kind(String message, String folder) {
        if (message.contains("Will get new block locations from namenode")) {
            return Optional.of(Kind.STALL);
        }
        return isFailover(message) && message.contains(folder) ? Optional.of(Kind.FAILOVER) : Optional.empty();
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

    /** As the pattern of the cluster's log4j.properties writes it: time, level, thread, logger, message. */
    private static final Pattern CLIENTS_LINE =
            Pattern.compile("(\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d,\\d{3}) \\w+ +\\[.*?] hdfs\\.DFSClient: (.*)");

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS");

    /** What HDFS's client in a server of the process cluster has said, from that server's log. */
    static DfsClientEvents events(Path log, String folder) throws IOException {
        long nanosAheadOfWallClock = System.nanoTime() - System.currentTimeMillis() * 1_000_000;
        return new DfsClientEvents(
                events(Files.readAllLines(log), folder, ZoneId.systemDefault(), nanosAheadOfWallClock));
    }

    /** @param nanosAheadOfWallClock {@link System#nanoTime} less the wall clock */
    static List<Event> events(List<String> lines, String folder, ZoneId zone, long nanosAheadOfWallClock) {
        return lines.stream()
                .map(line -> event(line, folder, zone, nanosAheadOfWallClock))
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<Event> event(String line, String folder, ZoneId zone, long nanosAhead) {
        Matcher matcher = CLIENTS_LINE.matcher(line);
        return matcher.matches()
                ? kind(matcher.group(2), folder)
                        .map(kind -> new Event(kind, wallMillis(matcher.group(1), zone) * 1_000_000 + nanosAhead))
                : Optional.empty();
    }

    /** The time of a line, by the wall clock. */
    static long wallMillis(String time, ZoneId zone) {
        return LocalDateTime.parse(time, TIME).atZone(zone).toInstant().toEpochMilli();
    }
}
