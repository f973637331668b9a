// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import io.hearth.demo.NameNodeInspector;
import io.hearth.testkit.command.Commands;
import io.hearth.testkit.measure.BlockSnapshot;
import io.hearth.testkit.measure.LocalitySnapshot;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Looks whether a table is as it must be: whole at any time, and unharmed after a fault. Without Hearth nothing has to be local, and
 * nobody plans moves.
 */
final class InvariantCheck {

    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final long POLL_MS = 1_000;

    private final ChaosTable table;
    private final NameNodeInspector nameNode;
    private final HearthMetricsReader metrics;
    private final boolean hearth;

    InvariantCheck(ChaosTable table, NameNodeInspector nameNode, HearthMetricsReader metrics, boolean hearth) {
        this.table = table;
        this.nameNode = nameNode;
        this.metrics = metrics;
        this.hearth = hearth;
    }

    /** Waits until everything is served, local and at its replication, and no move is ahead; returns what is not so after the limit. */
    List<String> awaitHealthy(String when) throws IOException, InterruptedException {
        return await(LIMIT, POLL_MS, this::isHealthy)
                ? List.of()
                : List.of(when + ", for " + LIMIT.toSeconds() + " s: " + state());
    }

    /** Waits until it holds; returns whether it does. */
    static boolean await(Duration limit, long lookMs, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            Thread.sleep(lookMs);
        }
        return true;
    }

    private boolean isHealthy() {
        try {
            return state().isEmpty();
        } catch (IOException e) {
            return false;
        }
    }

    /** What is not whole, in one line; empty if all is. */
    String state() throws IOException {
        int open = table.openRegions();
        LocalitySnapshot localitySnapshot = table.localitySnapshot();
        BlockSnapshot blocks = BlockSnapshot.of(localitySnapshot);
        int notAtReplication = blocks.since(blocks).notAtReplication();
        Optional<Long> ahead = metrics.movesAhead();
        boolean isHealthy = open == table.regions().expected()
                && notAtReplication == 0
                && (!hearth || (localitySnapshot.nonLocalBytes() == 0 && ahead.equals(Optional.of(0L))));
        return isHealthy
                ? ""
                : String.format(
                        Locale.ROOT,
                        "%d of %d regions served, locality %.1f %%, %d blocks not at their replication, %s moves ahead",
                        open,
                        table.regions().expected(),
                        100 * localitySnapshot.locality(),
                        notAtReplication,
                        ahead.map(String::valueOf).orElse("nobody says how many"));
    }

    /** What was lost since that census, a line each; the load has ended. */
    List<String> losses(AcknowledgedLoad load, BlockSnapshot before) throws Exception {
        return losses(
                load,
                load.acknowledgedRowsLost(),
                table.loadedRowsLost(),
                BlockSnapshot.of(table.localitySnapshot()).since(before),
                nameNode.fsck().healthy());
    }

    static List<String> losses(
            AcknowledgedLoad load,
            int acknowledgedRowsLost,
            int loadedRowsLost,
            BlockSnapshot.Comparison blocks,
            boolean isHealthyByFsck) {
        List<String> losses = new ArrayList<>();
        count(
                losses,
                load.errors(),
                "client errors, the first: "
                        + load.firstError().map(Commands::firstLine).orElse("none"));
        count(losses, acknowledgedRowsLost, "rows were acknowledged and are lost");
        count(losses, loadedRowsLost, "loaded rows are lost");
        count(losses, blocks.racksLost(), "blocks span fewer racks than before");
        count(losses, blocks.corrupt(), "blocks are corrupt");
        if (!isHealthyByFsck) {
            losses.add("fsck does not call HBase's files healthy");
        }
        return losses;
    }

    private static void count(List<String> losses, long count, String what) {
        if (count > 0) {
            losses.add(count + " " + what);
        }
    }
}
