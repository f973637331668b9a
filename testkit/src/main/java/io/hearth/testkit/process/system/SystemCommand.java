// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process.system;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs short commands of the operating system; the exception for one that fails has what it printed. */
public final class SystemCommand {

    /**
     * How a command ended.
     *
     * @param exitCode 0 for success
     * @param output its standard output and standard error, mixed
     */
    public record Result(int exitCode, String output) {

        public boolean succeeded() {
            return exitCode == 0;
        }
    }

    private SystemCommand() {}

    /**
     * Runs commands one after the other.
     *
     * @throws IOException with the command and what it printed if one of them fails
     */
    public static void runAll(List<List<String>> commands) throws IOException, InterruptedException {
        for (List<String> command : commands) {
            run(command.toArray(String[]::new));
        }
    }

    /**
     * Runs a command and returns what it printed.
     *
     * @throws IOException with the command and what it printed if it fails
     */
    public static String run(String... command) throws IOException, InterruptedException {
        Result result = tryRun(command);
        if (!result.succeeded()) {
            throw new IOException(
                    String.join(" ", command) + ": " + result.output().strip().replaceAll("\\s*\\R\\s*", "; "));
        }
        return result.output();
    }

    /** Runs a command and returns how it ended, also where it failed. */
    public static Result tryRun(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), output);
    }
}
