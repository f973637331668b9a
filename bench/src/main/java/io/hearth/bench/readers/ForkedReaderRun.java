// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.readers;

import com.google.gson.Gson;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One row of the benchmark, in a JVM of its own: that JVM's main method, and how to start it from another. Immutable.
 *
 * @param confFolder the project's {@code conf/}
 * @param isQuick with locations that are refreshed every two seconds, which takes a minute less
 * @param clusterFolder where a cluster of processes is made; absent for a cluster in the row's own JVM
 */
public record ForkedReaderRun(ReaderSetup setup, Path confFolder, boolean isQuick, Optional<Path> clusterFolder) {

    private static final String RESULT = "RESULT ";
    private static final String REFRESH = "dfs.client.refresh.read-block-locations.ms";

    /** Runs the row that the arguments tell of. */
    public static void main(String[] args) {
        int code = 0;
        try {
            System.out.println(RESULT + new Gson().toJson(of(args).run()));
        } catch (Exception failure) {
            failure.printStackTrace(System.out);
            code = 1;
        }
        // What HBase leaves running is not waited for.
        System.out.flush();
        Runtime.getRuntime().halt(code);
    }

    private static ForkedReaderRun of(String[] args) {
        return new ForkedReaderRun(
                ReaderSetup.valueOf(args[0]),
                Path.of(args[1]),
                Boolean.parseBoolean(args[2]),
                Optional.of(args[3]).filter(folder -> !folder.isEmpty()).map(Path::of));
    }

    private List<String> arguments() {
        return List.of(
                setup.name(),
                confFolder.toString(),
                Boolean.toString(isQuick),
                clusterFolder.map(Path::toString).orElse(""));
    }

    private ReaderResult run() throws Exception {
        ReaderScenario scenario = scenario();
        if (clusterFolder.isEmpty()) {
            return ReaderRun.run(scenario);
        }
        try (ReaderCluster cluster = ProcessReaderCluster.start(clusterFolder.get(), scenario.properties())) {
            return ReaderRun.run(scenario, cluster);
        }
    }

    /** All rows take the time that our settings need, whether they have them or not. */
    private ReaderScenario scenario() {
        Map<String, String> properties =
                clusterFolder.isEmpty() ? setup.properties(confFolder) : setup.processProperties(confFolder);
        long refreshMs =
                Long.parseLong(ReaderSetup.HEARTH.properties(confFolder).get(REFRESH));
        return isQuick ? ReaderScenario.quick(properties) : ReaderScenario.of(properties, refreshMs);
    }

    /**
     * Runs it in a JVM with the flags and the class path of this one.
     *
     * @throws IOException if it ends without a result
     */
    public ReaderResult inAnotherJvm(Path log, Optional<Path> nativeLibraries)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command(log)).redirectError(ProcessBuilder.Redirect.INHERIT);
        nativeLibraries.ifPresent(folder -> builder.environment().put("LD_LIBRARY_PATH", folder.toString()));
        Process process = builder.start();
        Thread endWithThisJvm = new Thread(process::destroy);
        Runtime.getRuntime().addShutdownHook(endWithThisJvm);
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor();
            return output.lines()
                    .filter(line -> line.startsWith(RESULT))
                    .map(line -> new Gson().fromJson(line.substring(RESULT.length()), ReaderResult.class))
                    .findFirst()
                    .orElseThrow(() -> new IOException("The row '" + setup.title()
                            + "' ended without a result; see its log " + log + ". It printed: " + output));
        } finally {
            process.destroy();
            Runtime.getRuntime().removeShutdownHook(endWithThisJvm);
        }
    }

    private List<String> command(Path log) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        // The last of two lines holds.
        clusterFolder.ifPresent(folder -> command.add("-Djdk.net.hosts.file=" + folder.resolve("conf/hosts")));
        command.addAll(List.of("-Dhearth.cluster.log=" + log, "-cp", System.getProperty("java.class.path")));
        command.add(ForkedReaderRun.class.getName());
        command.addAll(arguments());
        return command;
    }
}
