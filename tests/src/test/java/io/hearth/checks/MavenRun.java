// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.docs.HearthScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A run of Maven from within one, with the same repository of artifacts and, for what it builds, folders of its own. */
public final class MavenRun {

    private MavenRun() {}

    /** What the last run of this name printed. */
    static String output(String name) throws IOException {
        return Files.readString(Path.of("target", name + ".log"));
    }

    /** Runs it in the root of the project with its output in {@code tests/target/NAME.log}; fails if it fails. */
    public static void run(String name, int minutes, String... arguments) throws IOException, InterruptedException {
        runIn(HearthScript.ROOT, Map.of(), name, minutes, arguments);
    }

    /** The same in another folder, with these changes of the environment. */
    public static void runIn(
            Path folder, Map<String, String> environment, String name, int minutes, String... arguments)
            throws IOException, InterruptedException {
        Path log = Path.of("target", name + ".log");
        ProcessBuilder builder = new ProcessBuilder(command(arguments))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        try {
            assertThat(process.waitFor(minutes, TimeUnit.MINUTES))
                    .as("it ended within %d minutes; %s", minutes, log.toAbsolutePath())
                    .isTrue();
            assertThat(process.exitValue()).as(Files.readString(log)).isZero();
        } finally {
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroy();
        }
    }

    private static List<String> command(String... arguments) {
        List<String> command = new ArrayList<>(List.of("mvn", "-B", "-C", "-ntp"));
        if (System.getProperty("hearth.build.mode", "").equals("offline: true")) {
            command.add("-o");
        }
        String repository = System.getProperty("hearth.build.repository");
        if (repository != null) {
            command.add("-Dmaven.repo.local=" + repository);
        }
        command.addAll(List.of(arguments));
        return command;
    }
}
