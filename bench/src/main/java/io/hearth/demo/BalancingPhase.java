// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo;

import io.hearth.demo.console.DemoConsole.Progress;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.apache.hadoop.hbase.client.BalanceResponse;

/** Runs HBase's balancer as an operator does, until it finds nothing left to move. */
final class BalancingPhase {
    private static final long DEADLINE_MS = 90_000;

    /**
     * Several half-lives of the heat in this cluster. Moves themselves make heat: clients that find a
     * region gone read hbase:meta, and its server looks hot for a while.
     */
    private static final long PAUSE_MS = 10_000;

    private static final int IDLE_RUNS = 2;

    private BalancingPhase() {}

    /** The shell's {@code balance_switch true}, then its {@code balancer} again and again; gives the moves made. */
    static int untilIdle(DemoContext context, ClientLoad load) throws IOException, InterruptedException {
        Admin admin = context.cluster().admin();
        admin.balancerSwitch(true, true);
        Stopwatch stopwatch = new Stopwatch();
        int moves = 0;
        int idleRuns = 0;
        try (Progress progress = context.console().progress("balancing", IDLE_RUNS, "quiet runs in a row")) {
            while (stopwatch.elapsedMs() < DEADLINE_MS) {
                BalanceResponse response = admin.balance(BalanceRequest.defaultInstance());
                moves += response.getMovesExecuted();
                idleRuns = response.isBalancerRan() && response.getMovesExecuted() == 0 ? idleRuns + 1 : 0;
                progress.update(idleRuns, moves + " moves");
                if (idleRuns == IDLE_RUNS) {
                    break;
                }
                load.awaitSteady(context.console());
                Thread.sleep(idleRuns == 0 ? PAUSE_MS : 0);
            }
        } finally {
            admin.balancerSwitch(false, true);
        }
        return moves;
    }
}
