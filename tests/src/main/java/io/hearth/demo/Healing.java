package io.hearth.demo;

import io.hearth.demo.console.Progress;
import io.hearth.demo.measure.BlockCensus;
import io.hearth.demo.measure.LocalityCensus;
import io.hearth.demo.measure.RegionBlocks;
import io.hearth.demo.report.Heal;
import io.hearth.demo.report.TextTables;
import io.hearth.demo.verdict.Unit;
import java.io.IOException;
import java.util.stream.Collectors;

/** Waits until every block of the table is local again, and says what it took. */
final class Healing {
    private static final long DEADLINE_MS = 60_000;
    private static final long QUIET_MS = 3_000;
    private static final long PERIOD_MS = 500;

    private Healing() {}

    /** Waits, then counts the moves since {@code before} against what {@code moves} saw arrive. */
    static Heal untilHome(Stage stage, String title, MoveWatch moves, HealerCounters before)
            throws IOException, InterruptedException {
        Stopwatch stopwatch = new Stopwatch();
        boolean home = untilNothingIsAway(stage, moves, stopwatch);
        long tookMs = moves.elapsedMs();
        untilQuiet(stage);
        LocalityCensus arrivals = moves.arrivals();
        var regions = arrivals.regions().stream().map(RegionBlocks::region).collect(Collectors.toSet());
        HealerCounters moved = HealerCounters.now().since(before);
        Heal heal = new Heal(
                title,
                regions.size(),
                arrivals.locality(),
                stage.watch().census().of(regions).locality(),
                moves.nonLocalBlocks(),
                moves.nonLocalBytes(),
                moved.blocks(),
                moved.bytes(),
                tookMs);
        stage.findings().add(heal);
        if (home) {
            stage.findings().event("every block is local again");
        }
        stage.console().print(TextTables.heal(heal));
        return heal;
    }

    private static boolean untilNothingIsAway(Stage stage, MoveWatch moves, Stopwatch stopwatch)
            throws IOException, InterruptedException {
        LocalityCensus census = stage.watch().census();
        long most = Math.max(census.nonLocalBytes(), moves.nonLocalBytes());
        try (Progress progress = stage.console().progress("healing", megabytes(most), "MB brought home")) {
            while (true) {
                progress.update(
                        Math.max(0, megabytes(most - census.nonLocalBytes())),
                        census.nonLocalBlocks() + " blocks left, locality " + Unit.SHARE.format(census.locality()));
                if (census.nonLocalBytes() == 0 || stopwatch.elapsedMs() > DEADLINE_MS) {
                    break;
                }
                Thread.sleep(PERIOD_MS);
                census = stage.watch().census();
            }
        }
        return census.nonLocalBytes() == 0;
    }

    /** A block that came home lies on one host too many for a few seconds, until HDFS deletes the old replica. */
    private static void untilQuiet(Stage stage) throws IOException, InterruptedException {
        Stopwatch stopwatch = new Stopwatch();
        Stopwatch quiet = new Stopwatch();
        HealerCounters last = HealerCounters.now();
        while (quiet.elapsedMs() < QUIET_MS && stopwatch.elapsedMs() < DEADLINE_MS) {
            Thread.sleep(PERIOD_MS);
            HealerCounters now = HealerCounters.now();
            BlockCensus blocks = BlockCensus.of(stage.watch().census());
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
