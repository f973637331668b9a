// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.cli.heal.ClientRuntime;
import io.hearth.common.hadoop.ConfigFileWatcher;
import io.hearth.healer.lock.HealerLockManager.LockState;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/** The daemon's life, on the thread of the command: it only tells how things stand, when something has come of the work. */
final class HealDaemon {

    private static final long PAUSE_NANOS = 1_000_000_000;

    private final ClientRuntime host;
    private final HealProgress progress;
    private final ProgressPrinter printer;
    private final ConfigFileWatcher site;
    private int reportedChanges;
    private Optional<String> reportedProblem = Optional.empty();

    HealDaemon(ClientRuntime host, HealProgress progress, ProgressPrinter printer, ConfigFileWatcher site) {
        this.site = site;
        this.host = host;
        this.progress = progress;
        this.printer = printer;
    }

    /** Ends only with the process, by a signal. */
    ExitCode run() {
        try (HealingEngineRunner healing =
                new HealingEngineRunner(host, UnaryOperator.identity(), progress, printer::say)) {
            healing.start();
            while (host.shouldRun()) {
                site.changed(nowMs()).ifPresent(healing::reload);
                reportLockHolder(healing);
                if (progress.changes() != reportedChanges) {
                    reportedChanges = progress.changes();
                    printer.show(progress.stats(), nowMs());
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        return ExitCode.DONE;
    }

    private static long nowMs() {
        return System.nanoTime() / 1_000_000;
    }

    /** Says it once of each healer, or obstacle. */
    private void reportLockHolder(HealingEngineRunner healing) {
        Optional<String> problem = healing.lock() == LockState.HELD ? Optional.empty() : healing.lockProblem();
        if (!problem.equals(reportedProblem)) {
            problem.ifPresent(why -> printer.say(
                    healing.lock() == LockState.HELD_BY_OTHER
                            ? "Another healer works on this cluster, this one waits: " + why
                            : "This healer waits: " + why));
            reportedProblem = problem;
        }
    }
}
