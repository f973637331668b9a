// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import io.hearth.testkit.embedded.EmbeddedCluster;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/** A command of {@code io.hearth.cli.Main} in a process of its own, on an embedded cluster. */
final class CliProcess implements AutoCloseable {

    private final Process process;
    private final Path output;
    private final Optional<Path> errors;

    private CliProcess(Process process, Path output, Optional<Path> errors) {
        this.process = process;
        this.output = output;
        this.errors = errors;
    }

    /** Writes a client's configuration of this cluster into a folder. */
    static void writeConfig(EmbeddedCluster cluster, Path folder) throws IOException {
        writeConfig(cluster, Map.of(), folder);
    }

    /** The same with these lines. */
    static void writeConfig(EmbeddedCluster cluster, Map<String, String> lines, Path folder) throws IOException {
        Files.createDirectories(folder);
        Configuration conf = cluster.configuration();
        lines.forEach(conf::set);
        try (OutputStream site = Files.newOutputStream(folder.resolve("hbase-site.xml"))) {
            conf.writeXml(site);
        }
    }

    static CliProcess start(Path folder, String... arguments) throws IOException {
        return start(folder, command(arguments), false);
    }

    /** The same, with what it prints to standard error apart from its {@link #output}. */
    static CliProcess startWithSeparateErrors(Path folder, String... arguments) throws IOException {
        return start(folder, command(arguments), true);
    }

    /** The same on a terminal of its own, where what is typed goes to the process's input. */
    static CliProcess startOnATerminal(Path folder, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(command(arguments));
        command.add(1, "-Dhearth.terminal=true");
        // A build in the background ignores Ctrl-C, and so would all that it starts.
        command.addAll(0, List.of("env", "--default-signal=INT"));
        // Else the terminal throws away at Ctrl-C what it has not shown yet.
        return start(
                folder,
                List.of("script", "-qefc", "stty noflsh; exec " + String.join(" ", command), "/dev/null"),
                false);
    }

    private static List<String> command(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC"));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("-Djdk.net.hosts.file=")
                        || argument.startsWith("-Djava.net.preferIPv4Stack="))
                .forEach(command::add);
        // Of a KDC in this JVM.
        for (String key : List.of("java.security.krb5.conf", "sun.security.krb5.disableReferrals")) {
            Optional.ofNullable(System.getProperty(key)).ifPresent(value -> command.add("-D" + key + "=" + value));
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.hearth.cli.Main"));
        command.addAll(List.of(arguments));
        return command;
    }

    private static CliProcess start(Path folder, List<String> command, boolean separateErrors) throws IOException {
        Path output = Files.createTempFile(folder, "cli-", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(output.toFile());
        Optional<Path> errors = Optional.empty();
        if (separateErrors) {
            errors = Optional.of(Files.createTempFile(folder, "cli-", ".err"));
            builder.redirectError(errors.get().toFile());
        } else {
            builder.redirectErrorStream(true);
        }
        builder.environment().remove("HBASE_CONF_DIR");
        builder.environment().remove("HADOOP_CONF_DIR");
        builder.environment().put("KRB5CCNAME", folder.resolve("no-ticket").toString());
        return new CliProcess(builder.start(), output, errors);
    }

    /** How it ended. */
    int exitCode() throws InterruptedException {
        if (!process.waitFor(4, TimeUnit.MINUTES)) {
            throw new AssertionError("It did not end and printed: " + output()
                    + errors.map(CliProcess::read).orElse(""));
        }
        return process.exitValue();
    }

    /** What it printed so far: to standard output, and to standard error unless that is apart. */
    String output() {
        return read(output);
    }

    /** What it printed to standard error so far, where that is apart. */
    String errors() {
        return read(errors.orElseThrow());
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Types this; {@code \\u0003} is Ctrl-C. */
    void type(String text) throws IOException {
        process.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    /** As SIGTERM does. */
    void terminate() {
        process.destroy();
    }

    /** As kill -9 does. */
    void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
