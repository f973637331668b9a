package io.hearth.chaos;

import io.hearth.demo.NameNodeWatch;
import io.hearth.demo.measure.BlockCensus;
import io.hearth.demo.measure.LocalityCensus;
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
final class Aftermath {

    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final long LOOK_MS = 1_000;

    private final ChaosTable table;
    private final NameNodeWatch nameNode;
    private final HearthGauges gauges;
    private final boolean hearth;

    Aftermath(ChaosTable table, NameNodeWatch nameNode, HearthGauges gauges, boolean hearth) {
        this.table = table;
        this.nameNode = nameNode;
        this.gauges = gauges;
        this.hearth = hearth;
    }

    /** Waits until everything is served, local and at its replication, and no move is ahead; returns what is not so after the limit. */
    List<String> awaitWhole(String when) throws IOException, InterruptedException {
        return await(LIMIT, LOOK_MS, this::isWhole)
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

    private boolean isWhole() {
        try {
            return state().isEmpty();
        } catch (IOException e) {
            return false;
        }
    }

    /** What is not whole, in one line; empty if all is. */
    private String state() throws IOException {
        LocalityCensus census = table.census();
        BlockCensus blocks = BlockCensus.of(census);
        int notAtReplication = blocks.since(blocks).notAtReplication();
        Optional<Long> ahead = gauges.movesAhead();
        boolean isWhole = census.regions().size() == table.regions().expected()
                && notAtReplication == 0
                && (!hearth || (census.nonLocalBytes() == 0 && ahead.equals(Optional.of(0L))));
        return isWhole
                ? ""
                : String.format(
                        Locale.ROOT,
                        "%d of %d regions served, locality %.1f %%, %d blocks not at their replication, %s moves ahead",
                        census.regions().size(),
                        table.regions().expected(),
                        100 * census.locality(),
                        notAtReplication,
                        ahead.map(String::valueOf).orElse("nobody says how many"));
    }

    /** What was lost since that census, a line each; the load has ended. */
    List<String> harm(AcknowledgedLoad load, BlockCensus before) throws Exception {
        List<String> harm = new ArrayList<>();
        count(
                harm,
                load.errors(),
                "client errors, the first: "
                        + load.firstError()
                                .map(Throwable::toString)
                                .orElse("none")
                                .lines()
                                .findFirst()
                                .orElse(""));
        count(harm, load.acknowledgedRowsLost(), "rows were acknowledged and are lost");
        count(harm, table.loadedRowsLost(), "loaded rows are lost");
        BlockCensus.Comparison blocks = BlockCensus.of(table.census()).since(before);
        count(harm, blocks.racksLost(), "blocks span fewer racks than before");
        count(harm, blocks.corrupt(), "blocks are corrupt");
        if (!nameNode.fsck().healthy()) {
            harm.add("fsck does not call HBase's files healthy");
        }
        return harm;
    }

    private static void count(List<String> harm, long count, String what) {
        if (count > 0) {
            harm.add(count + " " + what);
        }
    }
}
