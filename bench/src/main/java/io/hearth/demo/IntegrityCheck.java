// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo;

import io.hearth.demo.threshold.Threshold;
import io.hearth.testkit.command.Commands;
import io.hearth.testkit.measure.BlockSnapshot;
import io.hearth.testkit.measure.FsckReport;
import io.hearth.testkit.measure.LocalitySnapshot;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Shows that nothing was harmed: every file sound, every block on as many racks as before, no client error. */
final class IntegrityCheck {

    private IntegrityCheck() {}

    static void run(DemoContext context, BlockSnapshot before, ClientLoad load) throws Exception {
        DemoReportBuilder reportBuilder = context.reportBuilder();
        LocalitySnapshot localitySnapshot = context.inspector().localitySnapshot();
        BlockSnapshot.Comparison blocks = BlockSnapshot.of(localitySnapshot).since(before);
        FsckReport fsck = context.inspector().fsck();
        reportBuilder.measured(Threshold.LOCALITY_END, localitySnapshot.locality());
        reportBuilder.measured(Threshold.CORRUPT_BLOCKS, figure(fsck.corruptBlocks()), "fsck did not say");
        reportBuilder.measured(Threshold.MISSING_BLOCKS, figure(fsck.missingBlocks()), "fsck did not say");
        reportBuilder.measured(Threshold.RACKS_LOST, blocks.racksLost());
        reportBuilder.measured(Threshold.REPLICATION, blocks.notAtReplication());
        reportBuilder.measured(Threshold.CLIENT_ERRORS, (double) load.errors());
        context.console()
                .print("   fsck of HBase's files: %s, %d blocks, %d corrupt, %d missing"
                        .formatted(
                                fsck.healthy() ? "HEALTHY" : "not healthy",
                                fsck.blocks().orElse(0),
                                fsck.corruptBlocks().orElse(-1),
                                fsck.missingBlocks().orElse(-1)));
        context.console()
                .print(
                        "   %d blocks compared with the start: %d span fewer racks, %d have not exactly their replication"
                                .formatted(blocks.kept(), blocks.racksLost(), blocks.notAtReplication()));
        context.console()
                .print("   (%d were rewritten by compactions since, %d are new)"
                        .formatted(blocks.removed(), blocks.added()));
        context.console()
                .print("   clients: %,d requests answered, %d errors%s"
                        .formatted(
                                load.answered(),
                                load.errors(),
                                load.firstError()
                                        .map(error -> "; the first: " + Commands.firstLine(error))
                                        .orElse("")));
    }

    private static OptionalDouble figure(OptionalLong value) {
        return value.isPresent() ? OptionalDouble.of((double) value.getAsLong()) : OptionalDouble.empty();
    }
}
