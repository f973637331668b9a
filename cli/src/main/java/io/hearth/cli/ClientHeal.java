// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.cli.HealCompletionCheck.HealResult;
import io.hearth.cli.heal.ClientRuntime;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** One heal from its start to its end, on the thread of the command. */
final class ClientHeal {

    private static final long PAUSE_NANOS = 100_000_000;

    private final ClientRuntime host;
    private final HealOptions options;
    private final HealProgress progress;
    private final ProgressPrinter printer;
    private final HealCompletionCheck check;

    ClientHeal(ClientRuntime host, HealOptions options, HealProgress progress, ProgressPrinter printer) {
        this.host = host;
        this.options = options;
        this.progress = progress;
        this.printer = printer;
        this.check = new HealCompletionCheck(options);
    }

    /** Returns when it is over; where a signal ends the process, that has the last word and this does not return. */
    HealResult run() {
        try (HealingEngineRunner healing = new HealingEngineRunner(host, options, progress, printer::say)) {
            healing.start();
            while (true) {
                Optional<HealResult> result = turn(healing);
                if (result.isPresent() && !healing.isSignalled()) {
                    printer.end(progress.stats(), nowMs());
                    return result.get();
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private Optional<HealResult> turn(HealingEngineRunner healing) {
        if (healing.isSignalled()) {
            return Optional.empty();
        }
        HealStats now = progress.stats();
        if (progress.hasObserved()) {
            printer.show(now, nowMs());
            if (options.verifyAll()) {
                healing.requestListing(progress.takeUnlisted());
            }
            if (!options.dryRun() && options.isReached(now)) {
                healing.pauseMoves("the target is reached");
            }
        }
        return healing.alarm()
                .map(what -> new HealResult(ExitCode.INCOMPLETE, "it has stopped: " + what))
                .or(() -> check.check(progress, healing.lock(), healing.lockProblem(), nowMs()));
    }

    private static long nowMs() {
        return System.nanoTime() / 1_000_000;
    }
}
