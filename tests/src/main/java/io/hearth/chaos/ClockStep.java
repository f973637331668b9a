package io.hearth.chaos;

import io.hearth.cluster.ClusterHost;
import io.hearth.procs.ProcessCluster;
import io.hearth.procs.layout.Member;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hbase.client.Admin;

/** The wall clock of one host, an hour off for a while. */
final class ClockStep {

    private static final Duration NOTICED = Duration.ofSeconds(15);
    private static final Duration TOLERANCE = Duration.ofMinutes(1);
    private static final long LOOK_MS = 500;

    private final ProcessCluster cluster;
    private final Admin admin;
    private final HdfsFaults.Hold hold;

    ClockStep(ProcessCluster cluster, Admin admin, HdfsFaults.Hold hold) {
        this.cluster = cluster;
        this.admin = admin;
        this.hold = hold;
    }

    /**
     * Sets it, has it be so for a while, and sets it right. No region is assigned meanwhile, because HBase itself has no remedy for that: where an
     * HMaster writes down by a clock that is ahead where a region is, nothing that it writes by the right time counts for an hour.
     *
     * @param server a server on that host with a web page
     */
    List<String> step(Member server, Duration ahead) throws IOException, InterruptedException {
        ClusterHost host = server.host();
        boolean balances = admin.balancerSwitch(false, true);
        cluster.setClock(host, ahead);
        try {
            if (!Aftermath.await(NOTICED, LOOK_MS, () -> isOffBy(server, ahead))) {
                return List.of("the clock of " + host.name() + " goes on as before");
            }
            hold.hold();
            return List.of();
        } finally {
            cluster.setClock(host, Duration.ZERO);
            Aftermath.await(NOTICED, LOOK_MS, () -> isOffBy(server, Duration.ZERO));
            admin.balancerSwitch(balances, true);
        }
    }

    private boolean isOffBy(Member server, Duration ahead) {
        return cluster.clockAhead(server)
                .filter(measured -> measured.minus(ahead).abs().compareTo(TOLERANCE) < 0)
                .isPresent();
    }
}
