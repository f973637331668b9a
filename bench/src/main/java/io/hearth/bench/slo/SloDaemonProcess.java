// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.slo;

import io.hearth.cli.Main;
import io.hearth.testkit.measure.ProcessMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * {@code bin/hearth slo run} as a process of its own, with what it takes of the machine by the kernel. It ends with {@link #close}.
 * Used by one thread.
 */
final class SloDaemonProcess implements AutoCloseable {

    private static final Pattern HEAP_AFTER = Pattern.compile("Pause .*\\d+M->(\\d+)M\\(");
    private static final long END_SECONDS = 60;
    private static final long LOOK_MS = 200;

    /** Its name among daemons. */
    static final String INSTANCE = "bench";

    private final Process process;
    private final Path lines;
    private final Path collections;

    private SloDaemonProcess(Process process, Path lines, Path collections) {
        this.process = process;
        this.lines = lines;
        this.collections = collections;
    }

    /**
     * Starts it.
     *
     * @param folder for its store and its log
     * @param conf with the cluster's {@code hbase-site.xml}
     * @param heap as {@code -Xmx} has it
     * @param options of {@code slo run}, besides
     */
    static SloDaemonProcess start(Path folder, Path conf, String heap, String... options) throws IOException {
        Path lines = folder.resolve("slo.log");
        Path collections = folder.resolve("gc.log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                "-Xlog:gc:file=" + collections,
                // The names of a process cluster's hosts are known nowhere else.
                "-Djdk.net.hosts.file=" + System.getProperty("jdk.net.hosts.file", ""),
                "-Djava.awt.headless=true",
                "-Dhbase.root.logger=WARN,console",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of("slo", "run", "--config", conf.toString(), "--instance", INSTANCE));
        command.addAll(List.of("--folder", store(folder).toString()));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(lines.toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        return new SloDaemonProcess(process, lines, collections);
    }

    /** Where one of this folder keeps what it finds. */
    static Path store(Path folder) {
        return folder.resolve("store");
    }

    /**
     * Waits for its line of the first minute.
     *
     * @return how many lines it has printed by then
     * @throws IOException if it has ended by itself
     */
    int awaitFirstMinute() throws IOException, InterruptedException {
        while (true) {
            List<String> printed = lines();
            if (printed.stream().anyMatch(line -> SloMinute.parse(line).isPresent())) {
                return printed.size();
            }
            if (!process.isAlive()) {
                throw new IOException("slo run has ended by itself: " + String.join(" | ", printed));
            }
            Thread.sleep(LOOK_MS);
        }
    }

    /** The processors' time that it has taken since it was started. */
    Duration processorTime() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** The most memory that it had resident at a time, in bytes; empty once it has ended. */
    OptionalLong peakResidentBytes() {
        return ProcessMemory.peakBytes(process.pid());
    }

    /** The most that its heap had after a collection, in bytes; empty before the first. */
    OptionalLong mostHeapBytes() {
        try (Stream<String> all = Files.lines(collections)) {
            return all.flatMap(line -> HEAP_AFTER.matcher(line).results())
                    .mapToLong(pause -> Long.parseLong(pause.group(1)) << 20)
                    .max();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The lines that it has printed. */
    List<String> lines() throws IOException {
        return Files.readAllLines(lines, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException hurry) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
