// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.cli.heal.ClientRuntime;
import io.hearth.cli.heal.HealScope;
import io.hearth.common.hadoop.ConfigFileWatcher;
import io.hearth.healer.lock.HealerLockManager.LockState;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code bin/hearth healer daemon}: heals until it is stopped, as the healer in the HMaster does. */
@Command(
        name = "daemon",
        description = {
            "Heals until it is stopped, outside of the master.",
            "It follows the hearth.heal. keys of hbase-site.xml, which it reads again when the file",
            "has changed: for a cluster without Hearth in the master, or to heal as another user than",
            "it. While another healer works it waits. Its systemd unit is conf/hearth-healer.service.",
            ""
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "2:a wrong argument",
            "4:HBase or HDFS can't be asked when it starts",
            "5:the login failed",
            "143:stopped by SIGTERM, 130 by Ctrl-C"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  bin/hearth healer daemon", "  bin/hearth healer daemon --config /etc/hbase/conf"})
final class HealerDaemonCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOptions cluster;

    HealerDaemonCommand() {}

    @Override
    public Integer call() throws IOException {
        HealProgress progress = new HealProgress(1.0);
        ProgressPrinter printer = new ProgressPrinter(spec.commandLine().getOut(), ProgressPrinter.Style.PLAIN, 1.0);
        // Before the first reading, so that no change is lost between the two.
        ConfigFileWatcher site = cluster.watch();
        try (ClientRuntime host =
                ClientRuntime.connect(cluster.site(), ClientRuntime.DAEMON, HealScope.ALL, progress::observed, true)) {
            printer.say("Healing until stopped, as " + host.userName() + ".");
            return new HealDaemon(host, progress, printer, site).run().code();
        }
    }

    /** The daemon's life, on the thread of the command: it only tells how things stand, when something has come of the work. */
    private static final class HealDaemon {

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

        /** Ends with the process, by a signal, or where healing rests for good: another host may have what is missing here. */
        ExitCode run() {
            try (HealingEngineRunner healing = new HealingEngineRunner(
                    host, UnaryOperator.identity(), progress, OptionalLong.empty(), printer::say)) {
                healing.start();
                while (host.shouldRun() && !healing.rests()) {
                    site.changed(nowMs()).ifPresent(healing::reload);
                    reportLockHolder(healing);
                    if (progress.changes() != reportedChanges) {
                        reportedChanges = progress.changes();
                        printer.show(progress.stats(), nowMs());
                    }
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
                return host.shouldRun() ? ExitCode.INCOMPLETE : ExitCode.DONE;
            }
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
}
