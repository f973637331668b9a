// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench;

import io.hearth.bench.namenode.NameNodeBench;
import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.testkit.command.OutputOption;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bin/hearth bench namenode}: what the healer's questions cost a real NameNode with many blocks. */
@Command(
        name = "namenode",
        description = {
            "What healing's questions cost a NameNode with many blocks.",
            "Starts one in this JVM, without DataNodes, fills it by its own RPC interface, and asks for",
            "store folders and files through the healer's adapter: one by one, and several in a call."
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        footerHeading = "%nExamples:%n",
        footer = "  bin/hearth bench namenode --blocks 100000")
final class BenchNameNodeCommand implements Callable<Integer> {

    /** For how long the NameNode is asked as much as healing may. */
    private static final long ASKED_MS = 10_000;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--blocks",
            paramLabel = "N",
            description = "blocks of the NameNode, 1,000 to 2,000,000 (default 1,000,000)")
    private int blocks = 1_000_000;

    @Mixin
    private OutputOption output;

    @Override
    public Integer call() throws IOException {
        if (blocks < 1_000 || blocks > 2_000_000) {
            throw new ParameterException(spec.commandLine(), "--blocks is " + blocks + "; allowed are 1000 to 2000000");
        }
        ThresholdReport thresholds = new ThresholdReport();
        new NameNodeBench(output.forPerson(), thresholds).run(blocks, ASKED_MS);
        return thresholds.end(output);
    }
}
