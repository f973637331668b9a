// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process.clock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;

/** The machine's wall clock and what a file says that it is ahead, in milliseconds; the file is read five times a second. Thread-safe. */
public final class SteppedClock {

    private static final long POLL_MS = 200;

    private static volatile long aheadMs;

    private SteppedClock() {}

    /** What {@link System#currentTimeMillis} is to whom it was told so. */
    public static long currentTimeMillis() {
        return System.currentTimeMillis() + aheadMs;
    }

    /** Sets the clocks that go by this file. */
    public static void set(Path file, Duration ahead) throws IOException {
        // A whole new file: one that is read half written would be another time.
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.writeString(next, ahead.toMillis() + "\n");
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Goes by that file from now on, for as long as the JVM runs. */
    static void follow(Path file) throws IOException {
        aheadMs = read(file);
        Thread thread = new Thread(() -> poll(file), "stepped-clock");
        thread.setDaemon(true);
        thread.start();
    }

    private static void poll(Path file) {
        try {
            while (true) {
                Thread.sleep(POLL_MS);
                aheadMs = read(file);
            }
        } catch (IOException | NumberFormatException e) {
            System.err.println("The clock stays as it is: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static long read(Path file) throws IOException {
        return Long.parseLong(Files.readString(file).strip());
    }
}
