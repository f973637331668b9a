// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb;

import io.hearth.bench.opentsdb.stream.TsdbRowKeys;
import io.hearth.testkit.process.AuxiliaryProcess;
import io.hearth.testkit.process.ProcessCluster;
import io.hearth.testkit.process.layout.ClusterLayout;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
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

    /** The texts of OpenTSDB's configuration files. Pure functions of what is in them. */
    static final class TsdConfFiles {

        /** OpenTSDB's own. */
        static final int PORT = 4242;

        /** Whether it has pages beside its API. */
        static final String ENABLE_UI = "tsd.core.enable_ui";

        private TsdConfFiles() {}

        /**
         * opentsdb.conf: where it listens, where HBase is, and patience for the death of a RegionServer; the rest is OpenTSDB's default.
         *
         * @param folder of its own, in which {@code static} and {@code cache} are
         * @param settings lines over all others but {@link #ENABLE_UI}
         */
        static String openTsdb(ClusterLayout layout, boolean salted, Path folder, Map<String, String> settings) {
            Map<String, String> lines = new LinkedHashMap<>();
            lines.put("tsd.network.bind", layout.clientAddress());
            lines.put("tsd.network.port", "" + PORT);
            lines.put("tsd.http.staticroot", folder.resolve("static").toString());
            lines.put("tsd.http.cachedir", folder.resolve("cache").toString());
            // A request of more than 8 KB is refused otherwise.
            lines.put("tsd.http.request.enable_chunked", "true");
            lines.put("tsd.http.request.max_chunk", "1048576");
            lines.put("tsd.storage.hbase.zk_quorum", ClusterLayout.NAMENODE_HOST);
            // HBase notices a dead server after 20 s here. 10 attempts, the default, last 12 s and gave up 110 puts; 14
            // last 47 s and gave up 6; 100 failed 231, because the pauses double.
            lines.put("hbase.client.retries.number", "14");
            // Points that wait meanwhile for one region, beyond which it refuses more; its default is 10,000.
            lines.put("hbase.nsre.high_watermark", "100000");
            if (salted) {
                lines.put("tsd.storage.salt.width", "1");
                lines.put("tsd.storage.salt.buckets", "" + TsdbRowKeys.SALT_BUCKETS);
            }
            lines.putAll(settings);
            // Last: the pages of 2.4.1 draw graphs by a shell, which parameters of a request can reach; only its API is
            // needed.
            lines.put(ENABLE_UI, "false");
            StringBuilder text = new StringBuilder("# made by bin/hearth bench opentsdb; it goes with the cluster\n");
            lines.forEach(
                    (key, value) -> text.append(key).append(" = ").append(value).append('\n'));
            return text.toString();
        }

        /** logback.xml: what goes wrong, to the standard output. By default it logs each byte that it sends. */
        static String logback() {
            return """
                    <configuration>
                      <appender name="OUT" class="ch.qos.logback.core.ConsoleAppender">
                        <encoder><pattern>%d{ISO8601} %-5level [%thread] %logger{0}: %msg%n</pattern></encoder>
                      </appender>
                      <logger name="org.hbase.async" level="INFO"/>
                      <logger name="org.apache.zookeeper" level="WARN"/>
                      <root level="WARN"><appender-ref ref="OUT"/></root>
                    </configuration>
                    """;
        }
    }
}
