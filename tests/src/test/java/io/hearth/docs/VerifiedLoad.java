// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import com.google.gson.Gson;
import io.hearth.chaos.SoakLoad;
import io.hearth.chaos.SoakLoad.Totals;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Clients of a cluster of processes that write rows and read every byte back ({@link SoakLoad}), in a JVM of their own, because only a new
 * one can know the cluster's names of hosts. To be closed; of one thread.
 */
final class VerifiedLoad implements AutoCloseable {

    private static final String STARTED = "The load has started.";
    private static final int MINUTES = 10;
    private static final long SEED = 1;

    private final Process process;
    private final Path errors;
    private final BufferedReader output;

    private VerifiedLoad(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        output = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts it, and returns when it sends so many requests a second. */
    static VerifiedLoad start(Path folder, Path conf, int requestsPerSecond) throws IOException {
        Path errors = Files.createTempFile(folder, "load-", ".txt");
        List<String> command = AdminClientProcess.command(
                conf, "", VerifiedLoad.class, conf.toString(), Integer.toString(requestsPerSecond));
        VerifiedLoad load = new VerifiedLoad(
                new ProcessBuilder(command).redirectError(errors.toFile()).start(), errors);
        load.read(STARTED);
        return load;
    }

    /** Ends it, has every row read once more, and returns what has come of all requests. */
    Totals end() throws IOException {
        process.getOutputStream().close();
        return new Gson().fromJson(read("{"), Totals.class);
    }

    /** The next line that begins so. */
    private String read(String beginning) throws IOException {
        CompletableFuture<Void> deadline = CompletableFuture.runAsync(
                process::destroyForcibly, CompletableFuture.delayedExecutor(MINUTES, TimeUnit.MINUTES));
        try {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.startsWith(beginning)) {
                    return line;
                }
            }
            throw new AssertionError("The load has ended: " + Files.readString(errors));
        } finally {
            deadline.cancel(false);
        }
    }

    /** Ends it, whatever it is at. */
    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** {@code CONF REQUESTS_PER_SECOND}; it ends with its standard input. */
    public static void main(String[] arguments) throws Exception {
        try (SoakLoad load = SoakLoad.open(AdminClientProcess.configuration(arguments[0]), SEED)) {
            load.start(Integer.parseInt(arguments[1]));
            System.out.println(STARTED);
            while (System.in.read() >= 0) {
                // Nobody says anything.
            }
            load.stop();
            load.verifyAll();
            Throwable first = load.firstError();
            if (first != null) {
                first.printStackTrace();
            }
            System.out.println(new Gson().toJson(load.totals()));
        }
    }
}
