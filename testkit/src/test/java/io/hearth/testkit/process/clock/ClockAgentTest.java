// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In a JVM of its own, as the servers have it. */
class ClockAgentTest {

    /** Prints what it takes for the time, asked for in three ways, in milliseconds ahead of what the JDK's own classes say. */
    public static final class AskTheTime {

        private interface Clock {
            long now();
        }

        private AskTheTime() {}

        public static void main(String[] arguments) {
            // Takes two places in the constant pool.
            long rounding = 60_000_000_000L / 1_000_000;
            Clock reference = System::currentTimeMillis;
            long real = java.time.Instant.now().toEpochMilli();
            System.out.println((System.currentTimeMillis() - real + rounding / 2) / rounding + " "
                    + (reference.now() - real + rounding / 2) / rounding);
        }
    }

    @TempDir
    private Path folder;

    @Test
    void aJvmGoesByTheClockInTheFile() throws Exception {
        Path jar = folder.resolve("clocks.jar");
        Path clock = folder.resolve("clock");
        ClockAgent.writeJar(jar);
        SteppedClock.set(clock, Duration.ofHours(1));

        Process java = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-javaagent:" + jar + "=" + clock,
                        "-cp",
                        Path.of(AskTheTime.class
                                        .getProtectionDomain()
                                        .getCodeSource()
                                        .getLocation()
                                        .toURI())
                                .toString(),
                        AskTheTime.class.getName()))
                .redirectErrorStream(true)
                .start();

        assertThat(new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("60 60\n");
        assertThat(clock).hasContent("3600000\n");
    }

    @Test
    void aClassThatDoesNotAskIsLeftAlone() throws Exception {
        byte[] classFile;
        try (var in = ClockAgentTest.class.getResourceAsStream("ClockAgentTest.class")) {
            classFile = in.readAllBytes();
        }
        assertThat(ClockAgent.redirected(classFile)).isEmpty();
    }
}
