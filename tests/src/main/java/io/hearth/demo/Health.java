package io.hearth.demo;

import io.hearth.demo.measure.BlockCensus;
import io.hearth.demo.measure.FsckReport;
import io.hearth.demo.measure.LocalityCensus;
import io.hearth.demo.verdict.Bar;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Shows that nothing was harmed: every file sound, every block on as many racks as before, no client error. */
final class Health {

    private Health() {}

    static void run(Stage stage, BlockCensus before, ClientLoad load) throws Exception {
        Findings findings = stage.findings();
        LocalityCensus census = stage.watch().census();
        BlockCensus.Comparison blocks = BlockCensus.of(census).since(before);
        FsckReport fsck = stage.watch().fsck();
        findings.measured(Bar.LOCALITY_END, census.locality());
        findings.measured(Bar.CORRUPT_BLOCKS, figure(fsck.corruptBlocks()), "fsck did not say");
        findings.measured(Bar.MISSING_BLOCKS, figure(fsck.missingBlocks()), "fsck did not say");
        findings.measured(Bar.RACKS_LOST, blocks.racksLost());
        findings.measured(Bar.REPLICATION, blocks.notAtReplication());
        findings.measured(Bar.CLIENT_ERRORS, (double) load.errors());
        stage.console()
                .print("   fsck of HBase's files: %s, %d blocks, %d corrupt, %d missing"
                        .formatted(
                                fsck.healthy() ? "HEALTHY" : "not healthy",
                                fsck.blocks().orElse(0),
                                fsck.corruptBlocks().orElse(-1),
                                fsck.missingBlocks().orElse(-1)));
        stage.console()
                .print(
                        "   %d blocks compared with the start: %d span fewer racks, %d have not exactly their replication"
                                .formatted(blocks.kept(), blocks.racksLost(), blocks.notAtReplication()));
        stage.console()
                .print("   (%d were rewritten by compactions since, %d are new)"
                        .formatted(blocks.gone(), blocks.fresh()));
        stage.console()
                .print("   clients: %,d requests answered, %d errors%s"
                        .formatted(
                                load.answered(),
                                load.errors(),
                                load.firstError()
                                        .map(error -> "; the first: " + error)
                                        .orElse("")));
    }

    private static OptionalDouble figure(OptionalLong value) {
        return value.isPresent() ? OptionalDouble.of((double) value.getAsLong()) : OptionalDouble.empty();
    }
}
