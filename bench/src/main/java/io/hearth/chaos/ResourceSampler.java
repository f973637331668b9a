// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import com.google.gson.JsonObject;
import io.hearth.testkit.process.JmxClient;
import io.hearth.testkit.process.ProcessCluster;
import io.hearth.testkit.process.layout.Daemon;
import io.hearth.testkit.process.layout.Daemon.DaemonRole;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.util.CommonFSUtils;

/**
 * What the servers of a cluster hold: heap after a collection, threads and open descriptors, as the mean of the servers of each role that
 * answer, and the files of {@code .hearth} under HBase's root. By name, {@code master heap}: bytes and numbers.
 */
final class ResourceSampler {

    private static final List<DaemonRole> ROLES =
            List.of(DaemonRole.MASTER, DaemonRole.REGIONSERVER, DaemonRole.DATANODE, DaemonRole.NAMENODE);
    private static final String STATE = ".hearth";

    private final ProcessCluster cluster;
    private final FileSystem fileSystem;
    private final JmxClient jmx = new JmxClient();

    ResourceSampler(ProcessCluster cluster, FileSystem fileSystem) {
        this.cluster = cluster;
        this.fileSystem = fileSystem;
    }

    /** Asks every server to collect its garbage, and then what it holds. */
    Map<String, Double> sample() throws IOException, InterruptedException {
        cluster.collectGarbage();
        Map<String, List<Double>> byName = new TreeMap<>();
        for (Daemon daemon : cluster.layout().daemons()) {
            if (ROLES.contains(daemon.role())) {
                String role = daemon.role().word();
                value(daemon, "java.lang:type=Memory", "HeapMemoryUsage", "used")
                        .ifPresent(bytes -> add(byName, role + " heap", bytes));
                value(daemon, "java.lang:type=Threading", "ThreadCount", "")
                        .ifPresent(threads -> add(byName, role + " threads", threads));
                value(daemon, "java.lang:type=OperatingSystem", "OpenFileDescriptorCount", "")
                        .ifPresent(open -> add(byName, role + " descriptors", open));
            }
        }
        Map<String, Double> sample = byName.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        entry -> entry.getValue().stream()
                                .mapToDouble(Double::doubleValue)
                                .average()
                                .orElseThrow(),
                        (one, other) -> one,
                        TreeMap::new));
        Path state = new Path(CommonFSUtils.getRootDir(cluster.clientConfiguration()), STATE);
        if (fileSystem.exists(state)) {
            ContentSummary summary = fileSystem.getContentSummary(state);
            sample.put(STATE + " bytes", (double) summary.getLength());
            sample.put(STATE + " files", (double) summary.getFileCount());
        }
        return sample;
    }

    private static void add(Map<String, List<Double>> byName, String name, double value) {
        byName.computeIfAbsent(name, first -> new ArrayList<>()).add(value);
    }

    private Optional<Double> value(Daemon daemon, String bean, String attribute, String part)
            throws InterruptedException {
        Optional<JsonObject> found =
                jmx.bean(daemon.host().address(), daemon.role().watchedPort(), bean);
        return found.filter(values -> values.has(attribute))
                .map(values -> part.isEmpty()
                        ? values.get(attribute).getAsDouble()
                        : values.getAsJsonObject(attribute).get(part).getAsDouble());
    }
}
