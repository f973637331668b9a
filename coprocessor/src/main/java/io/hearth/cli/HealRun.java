package io.hearth.cli;

import io.hearth.healing.client.ClientHost;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** One heal from its start to its end, on the thread of the command. */
final class HealRun {

    private static final long PAUSE_NANOS = 100_000_000;

    private final ClientHost host;
    private final HealOrders orders;
    private final HealProgress progress;
    private final ProgressPrinter printer;
    private final HealJudge judge;

    HealRun(ClientHost host, HealOrders orders, HealProgress progress, ProgressPrinter printer) {
        this.host = host;
        this.orders = orders;
        this.progress = progress;
        this.printer = printer;
        this.judge = new HealJudge(orders);
    }

    /** Returns when it is over; where a signal ends the process, that has the last word and this does not return. */
    Verdict run() {
        try (HostedHealing healing = new HostedHealing(host, orders, progress, printer::say)) {
            healing.start();
            while (true) {
                Optional<Verdict> verdict = turn(healing);
                if (verdict.isPresent() && !healing.isSignalled()) {
                    printer.end(progress.standing(), nowMs());
                    return verdict.get();
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private Optional<Verdict> turn(HostedHealing healing) {
        if (healing.isSignalled()) {
            return Optional.empty();
        }
        Standing now = progress.standing();
        if (progress.hasLooked()) {
            printer.show(now, nowMs());
            if (orders.asksNameNode()) {
                healing.doubt(progress.takeUnasked());
            }
            if (!orders.dryRun() && orders.isReached(now)) {
                healing.enough("the target is reached");
            }
        }
        return healing.alarm()
                .map(what -> new Verdict(ExitCode.INCOMPLETE, "it has stopped: " + what))
                .or(() -> judge.judge(progress, healing.lock(), healing.lockTrouble(), nowMs()));
    }

    private static long nowMs() {
        return System.nanoTime() / 1_000_000;
    }
}
