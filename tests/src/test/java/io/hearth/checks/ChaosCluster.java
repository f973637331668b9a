package io.hearth.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.hearth.chaos.Fault;
import io.hearth.docs.FrontDoor;
import io.hearth.procs.Network;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The process cluster that docs/process-cluster.md breaks, started and broken by the commands that a person types. */
final class ChaosCluster {

    private static final int START_MINUTES = 6;
    private static final int FAULT_MINUTES = 12;

    /** The exit code of a fault for which the cluster has not what it takes: network namespaces, disks of its own. */
    private static final int LACKING = 2;

    private final Path folder;

    private ChaosCluster(Path folder) {
        this.folder = folder;
    }

    /** Starts it in a new folder; what only root can have is left out for others. */
    static ChaosCluster start() throws Exception {
        ChaosCluster cluster = new ChaosCluster(Files.createTempDirectory("hearth-chaos-"));
        List<String> arguments = new ArrayList<>(
                List.of("cluster", "start", "--masters", "2", "--namenodes", "2", "--clocks", "--hbase-user"));
        Optional<String> noNamespaces = Network.whyNoNamespaces();
        if (noNamespaces.isEmpty()) {
            arguments.addAll(List.of("--disk-mb", "512"));
        } else {
            System.out.println("Without network namespaces and disks of the DataNodes' own: " + noNamespaces.get());
        }
        FrontDoor.Result start = cluster.run(START_MINUTES, arguments);
        if (start.exitCode() != 0) {
            cluster.stop();
        }
        assertThat(start.exitCode()).as(start.output()).isZero();
        return cluster;
    }

    /** Has one fault with one seed done to it, and fails if anything was not as it must be afterwards. */
    void survives(Fault fault, long seed) throws Exception {
        FrontDoor.Result chaos =
                run(FAULT_MINUTES, List.of("chaos", "--fault", fault.toString(), "--seed", Long.toString(seed)));
        System.out.println(chaos.output());
        assumeFalse(chaos.exitCode() == LACKING && chaos.output().contains(fault + " needs "), chaos.output());
        assertThat(chaos.exitCode()).as(chaos.output()).isZero();
        assertThat(chaos.output()).contains("Everything was as it must be after every fault.");
    }

    private FrontDoor.Result run(int minutes, List<String> arguments) throws Exception {
        return FrontDoor.run(folder, Map.of("TMPDIR", folder.toString()), minutes, arguments.toArray(String[]::new));
    }

    /** Stops it, and sees that nothing is left of it. */
    void stop() throws Exception {
        FrontDoor.Result stop = run(START_MINUTES, List.of("cluster", "stop"));
        assertThat(stop.exitCode()).as(stop.output()).isZero();
        assertThat(folder).isEmptyDirectory();
        Files.delete(folder);
    }
}
