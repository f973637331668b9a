// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.util.ToolRunner;

/** A DataNode with the jar in a process of its own, which a signal can end. Its replicas stay in its folder. */
final class DataNodeProcess implements AutoCloseable {

    private final Path folder;
    private final int port;
    private Process process;

    private DataNodeProcess(Path folder, int port) {
        this.folder = folder;
        this.port = port;
    }

    /** Starts one on three ports from this one on, with these lines beside its own. */
    static DataNodeProcess start(Path folder, URI nameNode, int port, Map<String, String> more) throws IOException {
        Files.createDirectories(folder.resolve("conf"));
        Map<String, String> lines = new TreeMap<>(more);
        lines.put("fs.defaultFS", nameNode.toString());
        lines.put("dfs.datanode.data.dir", folder.resolve("data").toString());
        lines.put("dfs.datanode.address", "127.0.0.1:" + port);
        lines.put("dfs.datanode.http.address", "127.0.0.1:" + (port + 1));
        lines.put("dfs.datanode.ipc.address", "127.0.0.1:" + (port + 2));
        lines.put("dfs.datanode.hostname", "localhost");
        lines.put("dfs.heartbeat.interval", "1");
        DeletionDelayCluster.writeSite(folder.resolve("conf"), lines, 1_000);
        DataNodeProcess started = new DataNodeProcess(folder, port);
        started.start();
        return started;
    }

    /** Starts it again with what is in its folder. */
    void start() throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx200m",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        folder.resolve("conf") + ":" + System.getProperty("java.class.path"),
                        DataNode.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.resolve("out").toFile()))
                .start();
    }

    /** As {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor(1, TimeUnit.MINUTES);
    }

    /** One of its metrics, by its own word; 0 while it does not answer. */
    long metric(String name) {
        Pattern value = Pattern.compile("\"" + name + "\" : (\\d+)");
        try (InputStream in = URI.create("http://127.0.0.1:" + (port + 1) + "/jmx?qry=Hadoop:service=DataNode,*")
                .toURL()
                .openStream()) {
            Matcher found = value.matcher(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            return found.find() ? Long.parseLong(found.group(1)) : 0;
        } catch (IOException notYet) {
            return 0;
        }
    }

    /** Has it report all its blocks now, as {@code hdfs dfsadmin -triggerBlockReport} does. */
    void report() throws Exception {
        int code = ToolRunner.run(
                new DFSAdmin(new HdfsConfiguration()), new String[] {"-triggerBlockReport", "127.0.0.1:" + (port + 2)});
        assertThat(code).isZero();
    }

    /** How many replicas are on its disk. */
    int replicas() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("data"))) {
            return (int) files.filter(file -> file.getFileName().toString().matches("blk_\\d+"))
                    .count();
        }
    }

    /** How many replicas are on its disk and do not wait for their deletion. */
    long staying() throws IOException {
        return replicas() - metric("PendingReplicas");
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
