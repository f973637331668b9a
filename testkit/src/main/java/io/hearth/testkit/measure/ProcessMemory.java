// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** What a process takes of the machine's memory, by the kernel. */
public final class ProcessMemory {

    private static final String PEAK = "VmHWM:";

    private ProcessMemory() {}

    /** The most that this process had resident at a time; empty where there is no Linux kernel to ask. */
    public static OptionalLong peakBytes() {
        return peakBytes("self");
    }

    /** The same of another process; empty also where it has ended. */
    public static OptionalLong peakBytes(long pid) {
        return peakBytes(Long.toString(pid));
    }

    private static OptionalLong peakBytes(String process) {
        try (Stream<String> lines = Files.lines(Path.of("/proc", process, "status"))) {
            return lines.filter(line -> line.startsWith(PEAK))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                    .findFirst();
        } catch (IOException noSuchFile) {
            return OptionalLong.empty();
        }
    }
}
