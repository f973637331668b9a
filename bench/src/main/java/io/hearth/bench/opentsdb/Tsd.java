// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb;

import io.hearth.testkit.process.AuxiliaryProcess;
import io.hearth.testkit.process.ProcessCluster;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A TSD: OpenTSDB's server in a process of its own, on its own class path and with its own client of HBase (asynchbase). It ends with
 * {@link #close}, or with the cluster.
 */
final class Tsd implements AutoCloseable {

    private static final String NAME = "tsd";
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final long POLL_MS = 200;
    private static final int LAST_LINES = 5;

    private final AuxiliaryProcess process;
    private final URI address;

    private Tsd(AuxiliaryProcess process, URI address) {
        this.process = process;
        this.address = address;
    }

    /** Ends one that an earlier run has left, before its tables go. */
    static void endLeft(ProcessCluster cluster) throws IOException {
        cluster.auxiliary(NAME).close();
    }

    /**
     * Starts one and waits until it serves; its tables must be there.
     *
     * @param classPath OpenTSDB's
     * @param settings lines for opentsdb.conf, over all others
     * @throws IOException if it does not serve within a minute, with the end of what it printed
     */
    static Tsd start(ProcessCluster cluster, String classPath, boolean salted, Map<String, String> settings)
            throws IOException, InterruptedException {
        AuxiliaryProcess process = cluster.auxiliary(NAME);
        Path folder = process.folder();
        for (String needed : List.of("static", "cache")) {
            Files.createDirectories(folder.resolve(needed));
        }
        Path conf = folder.resolve("opentsdb.conf");
        Path logback = folder.resolve("logback.xml");
        Files.writeString(conf, TsdConfFiles.openTsdb(cluster.layout(), salted, folder, settings));
        Files.writeString(logback, TsdConfFiles.logback());
        process.start(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:-UsePerfData",
                        "-Djava.net.preferIPv4Stack=true",
                        "-Djava.io.tmpdir=" + folder.resolve("cache"),
                        "-Djdk.net.hosts.file=" + cluster.conf().resolve("hosts"),
                        "-Dlogback.configurationFile=" + logback,
                        "net.opentsdb.tools.TSDMain",
                        "--config=" + conf),
                Map.of("CLASSPATH", classPath));
        Tsd tsd = new Tsd(process, URI.create("http://" + cluster.layout().clientAddress() + ":" + TsdConfFiles.PORT));
        try {
            tsd.awaitServing();
        } catch (IOException | InterruptedException | RuntimeException failure) {
            tsd.close();
            throw failure;
        }
        return tsd;
    }

    private void awaitServing() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!client().serves()) {
            if (!process.runs() || System.nanoTime() > deadline) {
                List<String> lines = Files.readAllLines(process.output());
                throw new IOException("the TSD " + (process.runs() ? "does not serve" : "has ended") + "; "
                        + process.output() + " ends with: "
                        + String.join(" | ", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size())));
            }
            Thread.sleep(POLL_MS);
        }
    }

    /** Where it listens. */
    URI address() {
        return address;
    }

    TsdClient client() {
        return new TsdClient(address);
    }

    @Override
    public void close() throws IOException {
        process.close();
    }
}
