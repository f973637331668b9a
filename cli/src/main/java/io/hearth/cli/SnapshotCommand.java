// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.balancer.hbase.SnapshotFile;
import io.hearth.cli.client.LiveCluster;
import io.hearth.cli.client.SnapshotCapture;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bin/hearth snapshot}: what a plan needs, from a live cluster into a file. */
@Command(
        name = "snapshot",
        description = {"Snapshot files: all that a plan needs, without any row key or row data.", ""},
        subcommands = SnapshotCommand.Capture.class,
        usageHelpAutoWidth = true,
        footerHeading = "%nExamples:%n",
        footer = "  bin/hearth snapshot capture --out cluster.json")
final class SnapshotCommand extends CommandGroup {

    SnapshotCommand() {}

    /** {@code capture}: asks a cluster's servers for their reports twice or more and writes the file. */
    @Command(
            name = "capture",
            description = {
                "Asks a cluster through its public API for its servers' reports, some seconds",
                "apart, and writes what a plan needs to a file. Moves nothing.",
                ""
            },
            sortOptions = false,
            usageHelpAutoWidth = true,
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:the file is written", "2:a wrong argument", "4:HBase can't be asked"},
            footerHeading = "%nExamples:%n",
            footer = "  bin/hearth snapshot capture --out cluster.json --config /etc/hbase/conf")
    static final class Capture implements Callable<Integer> {

        private static final int MIN_SECONDS = 4;
        private static final int MAX_SECONDS = 3_600;

        @Spec
        private CommandSpec spec;

        @Option(names = "--out", required = true, paramLabel = "FILE", description = "the file to write")
        private Path out;

        @Option(
                names = "--observe-seconds",
                paramLabel = "N",
                defaultValue = "30",
                description = "how long to observe, 4 to 3600 (default: 30): rates are over that time")
        private int seconds;

        @Option(names = "--no-blocks", description = "do not ask the NameNode where the blocks are")
        private boolean noBlocks;

        @Mixin
        private ClusterOptions cluster;

        Capture() {}

        @Override
        public Integer call() throws IOException {
            if (seconds < MIN_SECONDS || seconds > MAX_SECONDS) {
                throw cluster.problem("--observe-seconds is " + seconds + "; allowed are 4 to 3600");
            }
            cluster.checkWritable("--out", out);
            Configuration site = cluster.site();
            try (Connection connection = ConnectionFactory.createConnection(site);
                    LiveCluster live = LiveCluster.forPlanning(connection, site)) {
                live.observe(seconds);
                write(SnapshotCapture.of(live, "bin/hearth snapshot capture", !noBlocks));
            }
            return ExitCode.DONE.code();
        }

        private void write(SnapshotFile captured) throws IOException {
            try (BufferedWriter writer = Files.newBufferedWriter(out)) {
                captured.write(writer);
            }
            spec.commandLine()
                    .getOut()
                    .printf(
                            Locale.ROOT,
                            "%s: %d servers, %,d regions%n",
                            out,
                            captured.state().servers().size(),
                            captured.state().regionCount());
        }
    }
}
