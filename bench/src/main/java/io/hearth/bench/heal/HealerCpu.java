// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.heal;

import io.hearth.bench.heal.LargeCluster.ClusterSize;
import io.hearth.bench.heal.SimulatedHdfs.Machines;
import io.hearth.bench.heal.SimulatedLoop.Waiting;
import io.hearth.healer.move.TrackedMove.MoveState;
import java.util.function.LongSupplier;

/**
 * What the healing loop that ships takes of an HMaster's processor time, by simulated heals: in turns without work, and for each move in
 * turns with work. HDFS's client is left out, and so are the threads that wait for DataNodes. Immutable.
 *
 * @param idleMsPerSecond of turns on a cluster that is local, but for the assignments that a poll reads
 * @param moves that were made
 * @param msPerMove of all turns of that heal, those without work between them included
 */
public record HealerCpu(double idleMsPerSecond, int moves, double msPerMove) {

    private static final int BLOCKS_PER_REGION = 40;
    private static final int FILES_PER_REGION = 2;
    private static final int HOSTS_PER_RACK = 40;
    private static final double IDLE_SECONDS = 60;
    private static final double MOST_SECONDS = 3_600;
    private static final long SEED = 1;

    /**
     * Measures both.
     *
     * @param cpuNanos processor time of this thread so far
     */
    public static HealerCpu of(int hosts, int regions, LongSupplier cpuNanos) {
        ClusterSize size = new ClusterSize(
                hosts,
                Math.max(3, hosts / HOSTS_PER_RACK),
                regions,
                1,
                FILES_PER_REGION,
                (long) regions * BLOCKS_PER_REGION);
        SimulatedHeal idle = heal(new LargeCluster(size, 0, SEED), cpuNanos);
        double idleMs = idle.turns(IDLE_SECONDS).sumMs() / IDLE_SECONDS;
        // As many as one server has.
        SimulatedHeal busy = heal(new LargeCluster(size, 1.0 / hosts, SEED), cpuNanos);
        SimulatedHeal.Result result = busy.run(MOST_SECONDS);
        int moves = result.moves(MoveState.VERIFIED);
        return new HealerCpu(idleMs, moves, result.turns().sumMs() / Math.max(1, moves));
    }

    private static SimulatedHeal heal(LargeCluster cluster, LongSupplier cpuNanos) {
        return new SimulatedHeal(cluster, Machines.USUAL, HealCases.config("act"), Waiting.WOKEN, cpuNanos);
    }
}
