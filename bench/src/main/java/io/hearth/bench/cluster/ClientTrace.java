// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import io.hearth.testkit.embedded.ClusterHost;
import io.hearth.testkit.process.ProcessCluster;
import io.hearth.testkit.process.layout.Daemon;
import io.hearth.testkit.process.layout.Daemon.DaemonRole;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * HDFS's own trace of its clients: each DataNode writes a line to its log for every read, with both addresses and the block. Turned on at
 * their web pages, as {@code hadoop daemonlog -setlevel} does.
 */
final class ClientTrace {

    private static final String LOGGER = "org.apache.hadoop.hdfs.server.datanode.DataNode.clienttrace";
    private static final Pattern READ = Pattern.compile(
            "^(\\S+) (\\S+),(\\d{3}) .*clienttrace: src: /([\\d.]+):\\d+, dest: /([\\d.]+):\\d+,.* op: HDFS_READ,"
                    + ".* blockid: \\S+:blk_(\\d+)_.*");

    /**
     * A read that a DataNode has answered.
     *
     * @param epochMs when it was over, by the wall clock
     * @param from the address of the DataNode
     * @param to the address of the reader
     */
    record Read(long epochMs, String from, String to, long blockId) {

        /** What a line of a DataNode's log says of one; empty where it says something else. */
        static Optional<Read> parse(String line) {
            Matcher read = READ.matcher(line);
            if (!read.matches()) {
                return Optional.empty();
            }
            long seconds = LocalDateTime.parse(read.group(1) + "T" + read.group(2))
                    .atZone(ZoneId.systemDefault())
                    .toEpochSecond();
            return Optional.of(new Read(
                    seconds * 1_000 + Long.parseLong(read.group(3)),
                    read.group(4),
                    read.group(5),
                    Long.parseLong(read.group(6))));
        }
    }

    /**
     * The blocks of one round, and from when to when their readers were watched.
     *
     * @param reader the address of the server that is to read them locally
     */
    record Watch(long fromEpochMs, long toEpochMs, String reader, Set<Long> blockIds) {

        /** Whether that server reads one of them over the network. */
        boolean isRemote(Read read) {
            return read.epochMs() >= fromEpochMs
                    && read.epochMs() < toEpochMs
                    && read.to().equals(reader)
                    && !read.from().equals(reader)
                    && blockIds.contains(read.blockId());
        }
    }

    private final ProcessCluster cluster;

    private ClientTrace(ProcessCluster cluster) {
        this.cluster = cluster;
    }

    /** Turns it on at all DataNodes that there are. */
    static ClientTrace turnOn(ProcessCluster cluster) throws IOException {
        for (ClusterHost host : cluster.layout().workers()) {
            URI page = URI.create("http://" + host.address() + ":" + DaemonRole.DATANODE.watchedPort()
                    + "/logLevel?log=" + LOGGER + "&level=DEBUG");
            try (InputStream answer = page.toURL().openStream()) {
                answer.readAllBytes();
            }
        }
        return new ClientTrace(cluster);
    }

    /** For each of these the seconds until the last of its remote reads; 0 where there was none, absent where there was one until its end. */
    List<OptionalDouble> secondsOfRemoteReads(List<Watch> watches) throws IOException {
        long[] last = watches.stream().mapToLong(Watch::fromEpochMs).toArray();
        for (Path log : logs()) {
            try (Stream<String> lines = Files.lines(log)) {
                lines.filter(line -> line.contains("op: HDFS_READ"))
                        .flatMap(line -> Read.parse(line).stream())
                        .forEach(read -> {
                            for (int i = 0; i < last.length; i++) {
                                if (watches.get(i).isRemote(read)) {
                                    last[i] = Math.max(last[i], read.epochMs());
                                }
                            }
                        });
            }
        }
        List<OptionalDouble> seconds = new ArrayList<>();
        for (int i = 0; i < last.length; i++) {
            seconds.add(seconds(watches.get(i), last[i]));
        }
        return seconds;
    }

    /** A reader that still read remotely in the last seconds may have gone on. */
    static OptionalDouble seconds(Watch watch, long lastEpochMs) {
        return watch.toEpochMs() - lastEpochMs < STILL_MS
                ? OptionalDouble.empty()
                : OptionalDouble.of((lastEpochMs - watch.fromEpochMs()) / 1e3);
    }

    private static final long STILL_MS = 1_000;

    /** A full log is kept beside the current one under the same name with a number. */
    private List<Path> logs() throws IOException {
        List<Path> logs = new ArrayList<>();
        for (Daemon daemon : cluster.layout().daemons(DaemonRole.DATANODE)) {
            Path current = cluster.log(daemon);
            String name = current.getFileName().toString();
            try (Stream<Path> files = Files.list(current.getParent())) {
                files.filter(file -> file.getFileName().toString().matches(Pattern.quote(name) + "(\\.\\d+)?"))
                        .forEach(logs::add);
            }
        }
        return logs;
    }
}
