// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.value;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** The time of all processors of this machine since it was started, by {@code /proc/stat}, in the kernel's ticks. */
record ProcessorTimes(long idle, long all) {

    private static final int IDLE = 3;
    private static final int WAITING_FOR_DISKS = 4;

    /** Guests' time is in the user's already. */
    private static final int COLUMNS = 8;

    static ProcessorTimes read() throws IOException {
        try (var lines = Files.lines(Path.of("/proc/stat"))) {
            return parse(lines.findFirst().orElseThrow());
        }
    }

    /** @param line the first of {@code /proc/stat} */
    static ProcessorTimes parse(String line) {
        long[] ticks = Arrays.stream(line.trim().split(" +"))
                .skip(1)
                .limit(COLUMNS)
                .mapToLong(Long::parseLong)
                .toArray();
        return new ProcessorTimes(
                ticks[IDLE] + ticks[WAITING_FOR_DISKS], Arrays.stream(ticks).sum());
    }

    /** The share of the processors' time in which they had nothing to do, 0 to 1. */
    double idleSince(ProcessorTimes before) {
        return all == before.all ? 1 : (double) (idle - before.idle) / (all - before.all);
    }
}
