// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.slo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.bench.threshold.ThresholdReport.Figure;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SloDiskTest {

    @TempDir
    private Path folder;

    private final ThresholdReport thresholds = new ThresholdReport();

    /** After two days the minutes of the first are gone, and each series has as many files as it keeps. */
    @Test
    void minutesAreMeasuredAsTheyAreKeptAndOtherSeriesByTheDay() throws IOException {
        StringWriter text = new StringWriter();

        new SloDisk(3, 2).measure(folder, thresholds, new PrintWriter(text));

        assertThat(text.toString()).contains("day 2 is played", "what slo run keeps of 3 servers, 2 days played:");
        assertThat(thresholds.violations()).isEmpty();
        double minutes = figure("latencies of servers by minute, at most");
        double hours = figure("latencies of servers by hour, a day");
        double cluster = figure("the cluster, and counts of servers, a day");
        assertThat(figure("the folder with 36 such days"))
                .isEqualTo((minutes + 36 * (hours + cluster)) / 1_000, within(1e-6));
        assertThat(minutes).isEqualTo(megabytes("minutes"), within(0.05 * minutes));
        assertThat(2 * (hours + cluster))
                .isEqualTo(megabytes("hours") + megabytes("cluster"), within(0.05 * (hours + cluster)));
        assertThat(count("minutes")).isBetween(24L, 26L);
        assertThat(count("hours")).isEqualTo(2);
    }

    private double figure(String name) {
        return thresholds.figures().stream()
                .filter(figure -> figure.figure().equals(name))
                .map(Figure::value)
                .findFirst()
                .orElseThrow();
    }

    private double megabytes(String series) throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("a"))) {
            long bytes = 0;
            for (Path file : files.toList()) {
                bytes += file.getFileName().toString().startsWith(series + "-") ? Files.size(file) : 0;
            }
            return bytes / 1e6;
        }
    }

    private long count(String series) throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("a"))) {
            return files.filter(file -> file.getFileName().toString().startsWith(series + "-"))
                    .count();
        }
    }
}
