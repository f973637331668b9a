// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The name of a file: what it has, of which hour or day (UTC), and a number where there is more than one. {@code minutes-2026-11-29T13.slo},
 * {@code cluster-2026-11-29.2.slo}. Immutable.
 *
 * @param startMs the start of its hour or day, in ms since 1970
 * @param number 1 for most; another where the first can't be added to
 */
record Segment(Series series, long startMs, int number) {

    /** What is stored, each in files of its own that are deleted whole. */
    enum Series {
        /** Latencies of each server by minute. */
        MINUTES(Duration.ofHours(1), Duration.ofHours(24)),
        /** Latencies of each server by hour. */
        HOURS(Duration.ofDays(1), Duration.ofDays(35)),
        /** Counts of each server, latencies of the cluster, by minute. */
        CLUSTER(Duration.ofDays(1), Duration.ofDays(35)),
        /** What happened in the cluster, by minute. */
        EVENTS(Duration.ofDays(1), Duration.ofDays(35)),
        /** Timeline-consistent reads, by minute. */
        TIMELINE(Duration.ofDays(1), Duration.ofDays(35)),
        /** Which DataNodes the NameNode called live and which dead, by minute. */
        DATANODES(Duration.ofDays(1), Duration.ofDays(35));

        private final Duration span;
        private final Duration kept;

        Series(Duration span, Duration kept) {
            this.span = span;
            this.kept = kept;
        }

        long spanMs() {
            return span.toMillis();
        }

        long keptMs() {
            return kept.toMillis();
        }

        /** The file that has this time. */
        Segment at(long timeMs) {
            return new Segment(this, Math.floorDiv(timeMs, spanMs()) * spanMs(), 1);
        }

        private String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final Pattern NAME = Pattern.compile(
            "(minutes|hours|cluster|events|timeline|datanodes)-(\\d{4}-\\d\\d-\\d\\d)(?:T(\\d\\d))?(?:[.](\\d{1,6}))?[.]slo");
    private static final DateTimeFormatter DAY = DateTimeFormatter.ISO_LOCAL_DATE;
    private static final DateTimeFormatter HOUR = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH", Locale.ROOT);

    static Optional<Segment> parse(String fileName) {
        Matcher parts = NAME.matcher(fileName);
        if (!parts.matches()) {
            return Optional.empty();
        }
        Series series = Series.valueOf(parts.group(1).toUpperCase(Locale.ROOT));
        try {
            LocalDateTime start = LocalDate.parse(parts.group(2))
                    .atTime(parts.group(3) == null ? 0 : Integer.parseInt(parts.group(3)), 0);
            int number = parts.group(4) == null ? 1 : Integer.parseInt(parts.group(4));
            Segment segment =
                    new Segment(series, start.toInstant(ZoneOffset.UTC).toEpochMilli(), number);
            return segment.fileName().equals(fileName) ? Optional.of(segment) : Optional.empty();
        } catch (DateTimeException noTime) {
            return Optional.empty();
        }
    }

    /** The files of a series in this folder, the oldest first. */
    static List<Segment> list(Path folder, Series series) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.flatMap(file -> parse(file.getFileName().toString()).stream())
                    .filter(segment -> segment.series() == series)
                    .sorted(Comparator.comparingLong(Segment::startMs).thenComparingInt(Segment::number))
                    .toList();
        }
    }

    String fileName() {
        LocalDateTime start = LocalDateTime.ofEpochSecond(Math.floorDiv(startMs, 1000L), 0, ZoneOffset.UTC);
        return series.label() + "-" + (series == Series.MINUTES ? HOUR : DAY).format(start)
                + (number == 1 ? "" : "." + number) + ".slo";
    }

    long endMs() {
        return startMs + series.spanMs();
    }

    /** The next one of the same time. */
    Segment another() {
        return new Segment(series, startMs, number + 1);
    }
}
