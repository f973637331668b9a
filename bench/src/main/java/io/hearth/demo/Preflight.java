// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo;

import io.hearth.demo.DemoContext.DemoOptions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** Checks, before anything is started, whether this machine has what the demo takes. */
final class Preflight {
    private static final long GIGABYTE = 1L << 30;
    private static final long MEGABYTE = 1L << 20;

    /** Heap, direct memory, metaspace and threads; measured: a run peaks well below it. */
    private static final long MEMORY_BYTES = 4 * GIGABYTE;

    /** Three replicas of the data and of its write-ahead log, and what compactions write beside it. */
    private static final int DISK_BYTES_PER_BYTE = 9;

    private static final long OPEN_FILES = 4_096;

    private Preflight() {}

    /** One line for each thing that is missing; empty when the demo can start. */
    static List<String> problems(DemoOptions options) {
        List<String> problems = new ArrayList<>();
        memory(problems, availableMemoryBytes());
        disk(problems, RunDirectory.parent(), GIGABYTE + options.dataMegabytes() * MEGABYTE * DISK_BYTES_PER_BYTE);
        loopback(problems, options.hosts());
        openFiles(problems);
        return problems;
    }

    static void memory(List<String> problems, OptionalLong availableBytes) {
        if (availableBytes.isPresent() && availableBytes.getAsLong() < MEMORY_BYTES) {
            problems.add("memory: " + gigabytes(availableBytes.getAsLong()) + " are available, "
                    + gigabytes(MEMORY_BYTES) + " are needed; end other programs or use a larger machine");
        }
    }

    static void disk(List<String> problems, Path folder, long neededBytes) {
        try {
            long freeBytes = Files.getFileStore(folder).getUsableSpace();
            if (freeBytes < neededBytes) {
                problems.add("disk: " + gigabytes(freeBytes) + " are free in " + folder + ", " + gigabytes(neededBytes)
                        + " are needed; name another folder with TMPDIR=...");
            }
        } catch (IOException e) {
            problems.add(
                    "disk: cannot use " + folder + " (" + e.getMessage() + "); name another folder with TMPDIR=...");
        }
    }

    /** The embedded cluster gives its hosts the addresses 127.0.0.11 and following. */
    private static void loopback(List<String> problems, int hosts) {
        for (int i = 0; i < hosts; i++) {
            String address = "127.0.0." + (11 + i);
            try (ServerSocket socket = new ServerSocket()) {
                socket.bind(new InetSocketAddress(address, 0));
            } catch (IOException e) {
                problems.add("ports: cannot listen on " + address + " (" + e.getMessage()
                        + "); on macOS: sudo ifconfig lo0 alias " + address);
                return;
            }
        }
    }

    private static void openFiles(List<String> problems) {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.UnixOperatingSystemMXBean unix
                && unix.getMaxFileDescriptorCount() < OPEN_FILES) {
            problems.add("open files: " + unix.getMaxFileDescriptorCount() + " are allowed, " + OPEN_FILES
                    + " are needed; say: ulimit -n " + OPEN_FILES);
        }
    }

    /** What Linux can give without swapping, within the limit of a container; absent where nobody says. */
    private static OptionalLong availableMemoryBytes() {
        try {
            long limitBytes = ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                    .getTotalMemorySize();
            return Files.readAllLines(Path.of("/proc/meminfo")).stream()
                    .filter(line -> line.startsWith("MemAvailable:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                    .map(bytes -> Math.min(bytes, limitBytes))
                    .findFirst();
        } catch (IOException | NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    private static String gigabytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f GB", bytes / (double) GIGABYTE);
    }
}
