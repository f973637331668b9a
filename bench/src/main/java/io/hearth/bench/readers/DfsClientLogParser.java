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

/** Reads what HDFS's client in a server of the process cluster has said from that server's log. */
final class DfsClientLogParser {

    /** As the pattern of the cluster's log4j.properties writes it: time, level, thread, logger, message. */
    private static final Pattern CLIENTS_LINE =
            Pattern.compile("(\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d,\\d{3}) \\w+ +\\[.*?] hdfs\\.DFSClient: (.*)");

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS");

    private DfsClientLogParser() {}

    static DfsClientEvents events(Path log, String folder) throws IOException {
        long nanosAheadOfWallClock = System.nanoTime() - System.currentTimeMillis() * 1_000_000;
        return new DfsClientEvents(
                events(Files.readAllLines(log), folder, ZoneId.systemDefault(), nanosAheadOfWallClock));
    }

    /** @param nanosAheadOfWallClock {@link System#nanoTime} less the wall clock */
    static List<DfsClientEvents.Event> events(
            List<String> lines, String folder, ZoneId zone, long nanosAheadOfWallClock) {
        return lines.stream()
                .map(line -> event(line, folder, zone, nanosAheadOfWallClock))
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<DfsClientEvents.Event> event(String line, String folder, ZoneId zone, long nanosAhead) {
        Matcher matcher = CLIENTS_LINE.matcher(line);
        return matcher.matches()
                ? DfsClientEvents.kind(matcher.group(2), folder)
                        .map(kind -> new DfsClientEvents.Event(kind, wallNanos(matcher.group(1), zone) + nanosAhead))
                : Optional.empty();
    }

    private static long wallNanos(String time, ZoneId zone) {
        return LocalDateTime.parse(time, TIME).atZone(zone).toInstant().toEpochMilli() * 1_000_000;
    }
}
