// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import io.hearth.testkit.embedded.ClusterHost;
import io.hearth.testkit.process.ProcessCluster;
import io.hearth.testkit.process.layout.Daemon;
import io.hearth.testkit.process.layout.Daemon.DaemonRole;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.client.Admin;

/** The wall clock of one host, an hour off for a while. */
final class ClockStepFault {

    private static final Duration NOTICED = Duration.ofSeconds(15);
    private static final Duration TOLERANCE = Duration.ofMinutes(1);
    private static final long POLL_MS = 500;

    private final ProcessCluster cluster;
    private final Admin admin;
    private final HdfsFaults.FaultTimer hold;
    private final Consumer<String> say;

    ClockStepFault(ProcessCluster cluster, Admin admin, HdfsFaults.FaultTimer hold, Consumer<String> say) {
        this.cluster = cluster;
        this.admin = admin;
        this.hold = hold;
        this.say = say;
    }

    /**
     * Sets it, has it be so for a while, and sets it right. No region is assigned meanwhile, because HBase itself has no remedy for that: where an
     * HMaster writes down by a clock that is ahead where a region is, nothing that it writes by the right time counts for an hour.
     *
     * @param server a server on that host with a web page
     */
    List<String> step(Daemon server, Duration ahead) throws IOException, InterruptedException {
        ClusterHost host = server.host();
        boolean balances = admin.balancerSwitch(false, true);
        cluster.setClock(host, ahead);
        try {
            if (!InvariantCheck.await(NOTICED, POLL_MS, () -> isOffBy(server, ahead))) {
                return List.of("the clock of " + host.name() + " goes on as before");
            }
            hold.hold();
            return List.of();
        } finally {
            cluster.setClock(host, Duration.ZERO);
            InvariantCheck.await(NOTICED, POLL_MS, () -> isOffBy(server, Duration.ZERO));
            restartIfSilent(host);
            admin.balancerSwitch(balances, true);
        }
    }

    /**
     * As an operator has to: HBase's {@code Sleeper}, by which a RegionServer waits from report to report, measures its wait by the wall
     * clock. If that is set back meanwhile, it waits so much longer, also after the clock is right again.
     */
    private void restartIfSilent(ClusterHost host) throws IOException, InterruptedException {
        OptionalLong before = reportTimeMs(host);
        boolean reports = InvariantCheck.await(
                NOTICED, POLL_MS, () -> reportTimeMs(host).stream().anyMatch(now -> now != before.orElse(now)));
        if (!reports && before.isPresent() && reportTimeMs(host).isPresent()) {
            say.accept(
                    "the RegionServer on " + host.name() + " has not reported for " + NOTICED.toSeconds()
                            + " s since its clock is right again (HBase waits for the time by which it was set back): it is restarted");
            cluster.kill(cluster.daemon(DaemonRole.REGIONSERVER, host.name()));
        }
    }

    /** By the server's own clock; empty where no live server is on the host, or where the master can't be asked. */
    private OptionalLong reportTimeMs(ClusterHost host) {
        try {
            return admin
                    .getClusterMetrics(EnumSet.of(ClusterMetrics.Option.LIVE_SERVERS))
                    .getLiveServerMetrics()
                    .values()
                    .stream()
                    .filter(server -> server.getServerName().getHostname().equals(host.name()))
                    .mapToLong(ServerMetrics::getReportTimestamp)
                    .findFirst();
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }

    private boolean isOffBy(Daemon server, Duration ahead) {
        return cluster.clockOffset(server)
                .filter(measured -> measured.minus(ahead).abs().compareTo(TOLERANCE) < 0)
                .isPresent();
    }
}
