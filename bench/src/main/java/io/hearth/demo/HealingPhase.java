// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo;

import io.hearth.demo.console.DemoConsole.Progress;
import io.hearth.demo.report.DemoReport.HealSummary;
import io.hearth.demo.report.TextTables;
import io.hearth.demo.threshold.Threshold.Unit;
import io.hearth.testkit.measure.BlockSnapshot;
import io.hearth.testkit.measure.LocalitySnapshot;
import io.hearth.testkit.measure.LocalitySnapshot.RegionBlocks;
import java.io.IOException;
import java.util.stream.Collectors;

/** Waits until every block of the table is local again, and says what it took. */
final class HealingPhase {
    private static final long DEADLINE_MS = 60_000;
    private static final long QUIET_MS = 3_000;
    private static final long PERIOD_MS = 500;

    private HealingPhase() {}

    /** Waits, then counts the moves since {@code before} against what {@code moves} saw arrive. */
    static HealSummary awaitLocal(DemoContext context, String title, RemoteBlockMonitor moves, HealerCounters before)
            throws IOException, InterruptedException {
        Stopwatch stopwatch = new Stopwatch();
        boolean allLocal = awaitNoRemoteBlocks(context, moves, stopwatch);
        long tookMs = moves.elapsedMs();
        awaitQuiet(context);
        LocalitySnapshot arrivedRegions = moves.arrivedRegions();
        var regions =
                arrivedRegions.regions().stream().map(RegionBlocks::region).collect(Collectors.toSet());
        HealerCounters moved = HealerCounters.now().since(before);
        HealSummary heal = new HealSummary(
                title,
                regions.size(),
                arrivedRegions.locality(),
                context.inspector().localitySnapshot().of(regions).locality(),
                moves.nonLocalBlocks(),
                moves.nonLocalBytes(),
                moved.blocks(),
                moved.bytes(),
                tookMs);
        context.reportBuilder().add(heal);
        if (allLocal) {
            context.reportBuilder().event("every block is local again");
        }
        context.console().print(TextTables.heal(heal));
        return heal;
    }

    private static boolean awaitNoRemoteBlocks(DemoContext context, RemoteBlockMonitor moves, Stopwatch stopwatch)
            throws IOException, InterruptedException {
        LocalitySnapshot localitySnapshot = context.inspector().localitySnapshot();
        long most = Math.max(localitySnapshot.nonLocalBytes(), moves.nonLocalBytes());
        try (Progress progress = context.console().progress("healing", megabytes(most), "MB made local")) {
            while (true) {
                progress.update(
                        Math.max(0, megabytes(most - localitySnapshot.nonLocalBytes())),
                        localitySnapshot.nonLocalBlocks() + " blocks left, locality "
                                + Unit.SHARE.format(localitySnapshot.locality()));
                if (localitySnapshot.nonLocalBytes() == 0 || stopwatch.elapsedMs() > DEADLINE_MS) {
                    break;
                }
                Thread.sleep(PERIOD_MS);
                localitySnapshot = context.inspector().localitySnapshot();
            }
        }
        return localitySnapshot.nonLocalBytes() == 0;
    }

    /** A block that was moved lies on one host too many for a few seconds, until HDFS deletes the old replica. */
    private static void awaitQuiet(DemoContext context) throws IOException, InterruptedException {
        Stopwatch stopwatch = new Stopwatch();
        Stopwatch quiet = new Stopwatch();
        HealerCounters last = HealerCounters.now();
        while (quiet.elapsedMs() < QUIET_MS && stopwatch.elapsedMs() < DEADLINE_MS) {
            Thread.sleep(PERIOD_MS);
            HealerCounters now = HealerCounters.now();
            BlockSnapshot blocks = BlockSnapshot.of(context.inspector().localitySnapshot());
            if (!now.equals(last) || blocks.since(blocks).notAtReplication() > 0) {
                quiet = new Stopwatch();
            }
            last = now;
        }
    }

    private static long megabytes(long bytes) {
        return (bytes + (1 << 20) - 1) >> 20;
    }
}
