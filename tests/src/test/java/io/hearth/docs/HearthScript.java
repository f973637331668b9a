// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs {@code bin/hearth} as its user does: in a process of its own, with its own output. */
public final class HearthScript {

    public static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    /** What a run printed, on both streams, and how it ended. */
    public record Result(int exitCode, String output) {}

    private HearthScript() {}

    /** Runs it in this folder with these changes of the environment, for at most this many minutes. */
    public static Result run(Path folder, Map<String, String> environment, int minutes, String... arguments)
            throws IOException, InterruptedException {
        return runFrom(ROOT, folder, environment, minutes, arguments);
    }

    /** The same with the {@code bin/hearth} of another root. */
    static Result runFrom(Path root, Path folder, Map<String, String> environment, int minutes, String... arguments)
            throws IOException, InterruptedException {
        return run(builder(root, folder, environment, arguments), minutes, arguments);
    }

    /** The same as a part of another command, such as one that enters a host's network. */
    static Result runWithin(
            List<String> another, Path folder, Map<String, String> environment, int minutes, String... arguments)
            throws IOException, InterruptedException {
        ProcessBuilder builder = builder(ROOT, folder, environment, arguments);
        List<String> command = new ArrayList<>(another);
        command.addAll(builder.command());
        return run(builder.command(command), minutes, arguments);
    }

    private static Result run(ProcessBuilder builder, int minutes, String... arguments)
            throws IOException, InterruptedException {
        Path output = Files.createTempFile("hearth-front-door-", ".txt");
        try {
            Process process = builder.redirectOutput(output.toFile()).start();
            process.getOutputStream().close();
            if (!process.waitFor(minutes, TimeUnit.MINUTES)) {
                process.destroy();
                process.waitFor(1, TimeUnit.MINUTES);
                throw new AssertionError("bin/hearth " + String.join(" ", arguments) + " did not end within " + minutes
                        + " minutes and printed: " + Files.readString(output));
            }
            return new Result(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
        } finally {
            Files.delete(output);
        }
    }

    /** Starts it and leaves it to the caller; what it prints is not kept. */
    static Process start(Path folder, Map<String, String> environment, String... arguments) throws IOException {
        return start(folder, environment, ProcessBuilder.Redirect.DISCARD, arguments);
    }

    /** The same with what it prints there. */
    static Process start(
            Path folder, Map<String, String> environment, ProcessBuilder.Redirect output, String... arguments)
            throws IOException {
        return builder(ROOT, folder, environment, arguments)
                .redirectOutput(output)
                .start();
    }

    private static ProcessBuilder builder(
            Path root, Path folder, Map<String, String> environment, String... arguments) {
        List<String> command = new ArrayList<>(
                List.of("/bin/bash", root.resolve("bin").resolve("hearth").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().putAll(environment);
        return builder;
    }
}
