// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import io.hearth.testkit.load.LatencyRecorder.NanoInterval;
import io.hearth.testkit.load.LoadDriver;
import io.hearth.testkit.load.Workload.Operation;
import io.hearth.testkit.measure.LocalitySnapshot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ServerName;

/**
 * The same trip of regions to one host after the other, under load. One heal is over in seconds, and of the few hundred requests
 * of seconds there is no hundredth that says anything; those of all rounds together have one. For one run, by one thread.
 */
final class MoveRounds {

    private static final int QUIET_SECONDS = 5;
    /** Until no request waits for a region that has moved. */
    private static final int SETTLE_SECONDS = 5;

    /** How old the DataNodes' counts may be: their metrics are kept for so long before they are taken anew. */
    private static final int COUNTS_SECONDS = 10;

    private static final long POLL_MS = 200;

    private final MoveScenario moveScenario;
    private final Scale scale;
    private final ClusterHandle handle;
    private final LoadDriver load;
    private final HealStrategy healStrategy;
    private final List<NanoInterval> quiet = new ArrayList<>();
    private final List<NanoInterval> remote = new ArrayList<>();
    private final List<NanoInterval> healing = new ArrayList<>();
    private final List<Double> seconds = new ArrayList<>();
    private long nonLocalBytes;
    private long writtenBytes;

    MoveRounds(
            MoveScenario moveScenario, Scale scale, ClusterHandle handle, LoadDriver load, HealStrategy healStrategy) {
        this.moveScenario = moveScenario;
        this.scale = scale;
        this.handle = handle;
        this.load = load;
        this.healStrategy = healStrategy;
    }

    /** Each host in its turn. The balancer is off afterwards. */
    MoveRoundsResult run() throws IOException, InterruptedException {
        load.spread();
        healStrategy.end();
        handle.admin().balancerSwitch(false, true);
        Quiescence.await(handle);
        TimeUnit.SECONDS.sleep(scale.quietSeconds());
        List<ServerName> servers =
                handle.admin().getRegionServers().stream().sorted().toList();
        for (int round = 0; round < scale.rounds(); round++) {
            round(servers.get(round % servers.size()));
        }
        return new MoveRoundsResult(
                seconds, nonLocalBytes, writtenBytes, times(Operation.GET), times(Operation.MULTIGET));
    }

    private MoveRoundsResult.Times times(Operation operation) {
        return new MoveRoundsResult.Times(
                load.latencies().within(operation, quiet),
                load.latencies().within(operation, remote),
                load.latencies().within(operation, healing));
    }

    private void round(ServerName server) throws IOException, InterruptedException {
        quiet.add(pause());
        Set<String> regions = moveScenario.to(server);
        TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
        remote.add(pause());
        LocalitySnapshot localitySnapshot = handle.observer().localitySnapshot().of(regions);
        nonLocalBytes += localitySnapshot.nonLocalBytes();
        Traffic before = handle.observer().traffic();
        long fromNanos = healStrategy.begin(localitySnapshot);
        seconds.add(awaitLocal(regions, fromNanos));
        healing.add(new NanoInterval(fromNanos, System.nanoTime()));
        healStrategy.end();
        TimeUnit.SECONDS.sleep(COUNTS_SECONDS);
        writtenBytes += handle.observer().traffic().since(before).written();
    }

    private NanoInterval pause() throws IOException, InterruptedException {
        long fromNanos = System.nanoTime();
        handle.observer().sampleFor(QUIET_SECONDS, POLL_MS);
        return new NanoInterval(fromNanos, System.nanoTime());
    }

    /** Returns after how many seconds; infinity if they are not home within the limit. */
    private double awaitLocal(Set<String> regions, long fromNanos) throws IOException, InterruptedException {
        while (System.nanoTime() - fromNanos < TimeUnit.SECONDS.toNanos(scale.limitSeconds())) {
            if (handle.observer().localitySnapshot().of(regions).nonLocalBytes() == 0) {
                return (System.nanoTime() - fromNanos) / 1e9;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
        return Double.POSITIVE_INFINITY;
    }
}
