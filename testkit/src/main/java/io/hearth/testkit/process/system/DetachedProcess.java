// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process.system;

import io.hearth.testkit.process.system.ProcessTable.ProcessId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One process to be started, which lives on when whoever starts it ends.
 *
 * <p>It does not begin before its number is written down: a shell in its place waits for a word, and ends without it. So
 * there is never a process of the cluster that nobody knows of, however hard the harness is killed.
 *
 * @param command what is run, in the end in the process that was started
 * @param environment variables that it gets beside those of this process; HADOOP_ and HBASE_ ones are taken away
 * @param output the file to which both of its streams are appended
 */
public record DetachedProcess(List<String> command, Map<String, String> environment, Path output) {

    /** Where its identity is written down. */
    @FunctionalInterface
    public interface ProcessRegistry {
        void write(ProcessId process) throws IOException;
    }

    public DetachedProcess {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    /** Starts it in a session of its own, out of reach of the terminal's Ctrl-C. */
    public void start(ProcessTable processes, ProcessRegistry registry) throws IOException {
        List<String> words = new ArrayList<>(List.of("setsid", "sh", "-c", "read go && exec \"$@\"", "sh"));
        words.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
        builder.environment().keySet().removeIf(name -> name.startsWith("HADOOP_") || name.startsWith("HBASE_"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        try (var stdin = process.getOutputStream()) {
            ProcessId id = processes
                    .identify(process.pid())
                    .orElseThrow(() -> new IOException(
                            "It ended at once; " + output + " may say why: " + String.join(" ", command)));
            registry.write(id);
            stdin.write("go\n".getBytes(StandardCharsets.US_ASCII));
        }
    }
}
