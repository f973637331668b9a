package io.hearth.whatif;

import io.hearth.balancer.dump.SnapshotWriter;
import io.hearth.command.Commands;
import io.hearth.snapshotfile.SnapshotFile;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bin/hearth snapshot}: what a plan needs, from a live cluster into a file. */
@Command(
        name = "bin/hearth snapshot",
        description = "Snapshot files: all that a plan needs, without any row key or row data.",
        subcommands = SnapshotCommand.Capture.class,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:the file is written", "1:the cluster can't be asked", "2:a wrong argument"})
public final class SnapshotCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    /** Runs the command and ends the JVM with its exit code. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return Commands.of(new SnapshotCommand(), "snapshot");
    }

    /** No subcommand was named. */
    @Override
    public Integer call() {
        throw Commands.problem(spec, "say what to do: capture");
    }

    /** {@code capture}: asks a cluster for its reports twice or more and writes the file. */
    @Command(
            name = "capture",
            description = {
                "Asks a cluster through its public API for its servers' reports, some seconds",
                "apart, and writes what a plan needs to a file. Moves nothing."
            },
            sortOptions = false,
            usageHelpAutoWidth = true)
    static final class Capture implements Callable<Integer> {

        @Spec
        private CommandSpec spec;

        @Option(names = "--out", required = true, paramLabel = "FILE", description = "the file to write")
        private Path out;

        @Option(
                names = "--config",
                paramLabel = "DIR",
                description = "the folder of hbase-site.xml (and core-site.xml, hdfs-site.xml)")
        private @Nullable Path config;

        @Option(
                names = "--seconds",
                paramLabel = "N",
                description = "how long to look, 4 to 3600 (default 30): rates are over that time")
        private int seconds = 30;

        @Option(names = "--no-blocks", description = "do not ask the NameNode where the blocks are")
        private boolean noBlocks;

        @Override
        public Integer call() {
            checkValues();
            try {
                SnapshotFile captured = new ClusterCapture(site(), !noBlocks).capture(seconds);
                try (BufferedWriter writer = Files.newBufferedWriter(out)) {
                    SnapshotWriter.write(writer, captured.provenance(), captured.snapshot(), captured.goals());
                }
                spec.commandLine()
                        .getOut()
                        .printf(
                                Locale.ROOT,
                                "%s: %d servers, %,d regions%n",
                                out,
                                captured.snapshot().servers().size(),
                                captured.snapshot().regionCount());
                return Commands.HOLDS;
            } catch (IOException failure) {
                spec.commandLine().getErr().println("hearth snapshot: the cluster can't be asked: " + failure);
                return Commands.BROKEN;
            }
        }

        private void checkValues() {
            if (seconds < 4 || seconds > 3_600) {
                throw Commands.problem(spec, "--seconds is " + seconds + "; allowed are 4 to 3600");
            }
            if (config != null && !Files.isReadable(config.resolve("hbase-site.xml"))) {
                throw Commands.problem(spec, "--config is " + config + "; it must be a folder with an hbase-site.xml");
            }
            Path folder = out.toAbsolutePath().getParent();
            if (folder == null || !Files.isWritable(folder) || Files.isDirectory(out)) {
                throw Commands.problem(
                        spec, "--out is " + out + "; it must be a file in a folder that exists and can be written to");
            }
        }

        private Configuration site() {
            Configuration site = HBaseConfiguration.create();
            if (config != null) {
                for (String name : new String[] {"core-site.xml", "hdfs-site.xml", "hbase-site.xml"}) {
                    if (Files.isReadable(config.resolve(name))) {
                        site.addResource(new org.apache.hadoop.fs.Path(
                                config.resolve(name).toUri()));
                    }
                }
            }
            return site;
        }
    }
}
