package io.hearth.cli;

import io.hearth.healing.client.ClientHost;
import io.hearth.healing.client.SiteWatch;
import io.hearth.healing.lock.LockState;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/** The daemon's life, on the thread of the command: it only tells how things stand, when something has come of the work. */
final class HealerRun {

    private static final long PAUSE_NANOS = 1_000_000_000;

    private final ClientHost host;
    private final HealProgress progress;
    private final ProgressPrinter printer;
    private final SiteWatch site;
    private int toldChanges;
    private Optional<String> toldTrouble = Optional.empty();

    HealerRun(ClientHost host, HealProgress progress, ProgressPrinter printer, SiteWatch site) {
        this.site = site;
        this.host = host;
        this.progress = progress;
        this.printer = printer;
    }

    /** Ends only with the process, by a signal. */
    ExitCode run() {
        try (HostedHealing healing = new HostedHealing(host, UnaryOperator.identity(), progress, printer::say)) {
            healing.start();
            while (host.mayGoOn()) {
                site.changed(nowMs()).ifPresent(healing::reload);
                tellWhoWorks(healing);
                if (progress.changes() != toldChanges) {
                    toldChanges = progress.changes();
                    printer.show(progress.standing(), nowMs());
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
    private void tellWhoWorks(HostedHealing healing) {
        Optional<String> trouble = healing.lock() == LockState.HELD ? Optional.empty() : healing.lockTrouble();
        if (!trouble.equals(toldTrouble)) {
            trouble.ifPresent(why -> printer.say(
                    healing.lock() == LockState.ELSEWHERE
                            ? "Another healer works on this cluster, this one waits: " + why
                            : "This healer waits: " + why));
            toldTrouble = trouble;
        }
    }
}
