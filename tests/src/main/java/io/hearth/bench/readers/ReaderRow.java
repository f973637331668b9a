package io.hearth.bench.readers;

import com.google.gson.Gson;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One row of the benchmark, in a JVM of its own: that JVM's main method, and how to start it from another. */
public final class ReaderRow {

    private static final String RESULT = "RESULT ";

    private ReaderRow() {}

    /** Runs the setup that the first argument names with the files of the folder that the second one names. */
    public static void main(String[] args) throws Exception {
        Map<String, String> properties = ReaderSetup.valueOf(args[0]).properties(Path.of(args[1]));
        ReaderResult result = ReaderRun.run(ReaderScenario.of(properties, refreshMs(Path.of(args[1]))));
        System.out.println(RESULT + new Gson().toJson(result));
        // What HBase leaves running is not waited for.
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    /** All rows take the time that our settings need, whether they have them or not. */
    private static long refreshMs(Path confFolder) {
        return Long.parseLong(
                ReaderSetup.OURS.properties(confFolder).get("dfs.client.refresh.read-block-locations.ms"));
    }

    /**
     * Runs a row in a JVM with the flags and the class path of this one.
     *
     * @throws IOException if it ends without a result
     */
    public static ReaderResult inAnotherJvm(ReaderSetup setup, Path confFolder, Path log)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-Dhearth.cluster.log=" + log, "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(ReaderRow.class.getName(), setup.name(), confFolder.toString()));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
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
}
