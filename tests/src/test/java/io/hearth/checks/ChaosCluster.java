// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.hearth.chaos.Fault;
import io.hearth.docs.HearthScript;
import io.hearth.testkit.process.Network;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The process cluster that docs/test-cluster.md breaks, started and broken by the commands that a person types. */
final class ChaosCluster {

    private static final int START_MINUTES = 6;
    private static final int FAULT_MINUTES = 12;
    private static final int MINUTES_OF_AN_HOUR = 60;

    /** The exit code of a fault for which the cluster has not what it takes: network namespaces, disks of its own. */
    private static final int LACKING = 2;

    private final Path folder;
    private final Optional<FileChannel> loopback;

    private ChaosCluster(Path folder, Optional<FileChannel> loopback) {
        this.folder = folder;
        this.loopback = loopback;
    }

    /** Starts one in a new folder on which all breaks by itself; what only root can have is left out for others. */
    static ChaosCluster start() throws Exception {
        return startWithDisks(List.of("--ssd-mb", "64"), List.of("--clocks", "--hbase-user"));
    }

    /**
     * The same for hours of writes. HBase flushes what is written seldom once an hour, and keeps its logs until then: these filled a
     * DataNode's disk to nine tenths, at which nothing is healed there, after an hour of 700 requests a second.
     */
    static ChaosCluster startForHours() throws Exception {
        return startWithDisks(
                List.of("--ssd-mb", "64"),
                List.of(
                        "--clocks",
                        "--hbase-user",
                        "--set",
                        "hbase.regionserver.optionalcacheflushinterval=120000",
                        "--set",
                        "hbase.master.logcleaner.ttl=60000"));
    }

    /**
     * The same on which people break things. HBase's user is a superuser of HDFS, since DataNodes serve nobody without a block token: their
     * keys are the NameNodes', and go with them.
     */
    static ChaosCluster startForOperators() throws Exception {
        return startWithDisks(List.of(), List.of("--set", "dfs.block.access.token.enable=true"));
    }

    private static ChaosCluster startWithDisks(List<String> disks, List<String> more) throws Exception {
        List<String> options = new ArrayList<>(List.of("--masters", "2", "--namenodes", "2"));
        options.addAll(more);
        Optional<String> noNamespaces = Network.whyNoNamespaces();
        if (noNamespaces.isEmpty()) {
            options.addAll(List.of("--disk-mb", "512"));
            options.addAll(disks);
        } else {
            System.out.println("Without network namespaces and disks of the DataNodes' own: " + noNamespaces.get());
        }
        return start(options);
    }

    private static ChaosCluster start(List<String> options) throws Exception {
        ChaosCluster cluster = new ChaosCluster(
                Files.createTempDirectory("hearth-chaos-"),
                Network.whyNoNamespaces().isEmpty() ? Optional.empty() : Optional.of(theLoopbackAddresses()));
        // The HMaster spreads the moves of a plan over this time, by default over the balancer's period.
        List<String> arguments =
                new ArrayList<>(List.of("cluster", "start", "--set", "hbase.balancer.max.balancing=3000"));
        arguments.addAll(options);
        HearthScript.Result start = cluster.run(START_MINUTES, arguments);
        if (start.exitCode() != 0) {
            cluster.stop();
        }
        assertThat(start.exitCode()).as(start.output()).isZero();
        return cluster;
    }

    /** On a machine without namespaces there is one cluster after the other. */
    private static FileChannel theLoopbackAddresses() throws IOException {
        FileChannel file = FileChannel.open(
                Path.of(System.getProperty("java.io.tmpdir"), "hearth-chaos.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        file.lock();
        return file;
    }

    /** Has one fault with one seed done to it, and fails if anything was not as it must be afterwards. */
    void survives(Fault fault, long seed) throws Exception {
        HearthScript.Result chaos =
                run(FAULT_MINUTES, List.of("chaos", "--fault", fault.toString(), "--seed", Long.toString(seed)));
        System.out.println(chaos.output());
        assumeFalse(chaos.exitCode() == LACKING && chaos.output().contains(fault + " needs "), chaos.output());
        assertThat(chaos.exitCode()).as(chaos.output()).isZero();
        assertThat(chaos.output()).contains("Everything was as it must be after every fault.");
    }

    /** Has load and faults on it for so many hours, and fails if anything was lost, or is more than it was. */
    void soak(int hours) throws Exception {
        HearthScript.Result soak =
                run((hours + 1) * MINUTES_OF_AN_HOUR, List.of("chaos", "soak", "--hours", Integer.toString(hours)));
        System.out.println(soak.output());
        assertThat(soak.exitCode()).as(soak.output()).isZero();
        assertThat(soak.output()).contains("Everything was as it must be.");
    }

    private HearthScript.Result run(int minutes, List<String> arguments) throws Exception {
        return HearthScript.run(folder, Map.of("TMPDIR", folder.toString()), minutes, arguments.toArray(String[]::new));
    }

    /** Stops it, and sees that nothing is left of it. */
    void stop() throws Exception {
        HearthScript.Result stop = run(START_MINUTES, List.of("cluster", "stop"));
        if (loopback.isPresent()) {
            loopback.get().close();
        }
        assertThat(stop.exitCode()).as(stop.output()).isZero();
        assertThat(folder).isEmptyDirectory();
        Files.delete(folder);
    }
}
