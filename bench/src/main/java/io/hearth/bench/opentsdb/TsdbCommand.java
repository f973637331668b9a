// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb;

import io.hearth.bench.opentsdb.Tsd.TsdConfFiles;
import io.hearth.bench.opentsdb.TsdbRun.ExpectationLog;
import io.hearth.bench.opentsdb.TsdbRun.TsdbOptions;
import io.hearth.bench.opentsdb.stream.TsdbRowKeys;
import io.hearth.cli.ExitCode;
import io.hearth.testkit.command.Commands;
import io.hearth.testkit.command.OutputOption;
import io.hearth.testkit.process.FolderOption;
import io.hearth.testkit.process.ProcessCluster;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bin/hearth bench opentsdb}: OpenTSDB on the cluster that {@code bin/hearth cluster start} has started. */
@Command(
        name = "opentsdb",
        description = {
            "OpenTSDB on a cluster of processes: a hot spot and a crash.",
            "On the cluster that bin/hearth cluster start has started: a TSD, a stream of metrics",
            "whose writes fall on one server, what Hearth makes of that, and what a crash does to it.",
            "In the end every acknowledged point is read back. Takes about six minutes."
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:everything was as it must be",
            "1:it was not, and the output says what; or it could not be done",
            "2:a wrong argument, or there is no cluster, or one without Hearth"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  bin/hearth bench opentsdb", "  bin/hearth bench opentsdb --salt --check"})
public final class TsdbCommand implements Callable<Integer> {

    /** OpenTSDB's class path, which {@code bin/hearth} sets. */
    private static final String CLASS_PATH_PROPERTY = "hearth.tsdb.classpath";

    private static final int MOST_METRICS = 1_000;
    private static final int MOST_REGIONS = 256;
    private static final int MOST_POINTS = 1_000 * TsdbOptions.HOSTS;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "1000",
            description = "points per second, 10 to " + MOST_POINTS + " (default 1000)")
    private int rate;

    @Option(
            names = "--metrics",
            paramLabel = "N",
            defaultValue = "128",
            description = "metrics, of 8 hosts each, up to " + MOST_METRICS + " (default 128)")
    private int metrics;

    @Option(
            names = "--regions",
            paramLabel = "N",
            defaultValue = "32",
            description =
                    "regions of the table of data points, up to " + MOST_REGIONS + " and to --metrics (default 32)")
    private int regions;

    @Option(
            names = "--salt",
            description = "with keys that begin with one of " + TsdbRowKeys.SALT_BUCKETS + " buckets, a region each")
    private boolean salt;

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "which metrics are hot, and whose RegionServer is killed (default 1)")
    private long seed;

    @Option(names = "--stock", description = "let HBase's own balancer try first, for a minute")
    private boolean stock;

    @Option(names = "--no-crash", description = "kill no RegionServer")
    private boolean noCrash;

    @Option(names = "--check", description = "only write for a few seconds and read it back")
    private boolean checkOnly;

    @Option(names = "--keep", description = "leave the TSD and its tables, to look at; the cluster's end is theirs")
    private boolean keep;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "a line for opentsdb.conf, any number of times")
    private Map<String, String> settings = Map.of();

    @Mixin
    private FolderOption folder;

    @Mixin
    private OutputOption output;

    @Override
    public Integer call() throws Exception {
        requireRange("--rate", rate, 10, MOST_POINTS);
        requireRange("--metrics", metrics, 1, MOST_METRICS);
        if (!salt) {
            requireRange("--regions", regions, 1, Math.min(MOST_REGIONS, metrics));
        }
        if (settings.containsKey(TsdConfFiles.ENABLE_UI)) {
            throw Commands.problem(
                    spec,
                    "--set " + TsdConfFiles.ENABLE_UI + " is refused: OpenTSDB's pages can be made to run commands");
        }
        try (ProcessCluster cluster = folder.openForClients(spec)) {
            if (!cluster.layout().clusterSpec().hearth()) {
                throw Commands.problem(spec, "the cluster was started without Hearth");
            }
            return report(run(cluster), output);
        }
    }

    private void requireRange(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw Commands.problem(spec, option + " is " + value + ", allowed are " + least + " to " + most);
        }
    }

    private ExpectationLog run(ProcessCluster cluster) throws IOException, InterruptedException {
        TsdbRowKeys table = new TsdbRowKeys(metrics, salt, salt ? TsdbRowKeys.SALT_BUCKETS : regions);
        TsdbOptions options = new TsdbOptions(rate, table, seed, stock, !noCrash, checkOnly, keep, settings);
        ExpectationLog expectations = new ExpectationLog(output.forPerson());
        try (TsdbRun run = new TsdbRun(cluster, options, System.getProperty(CLASS_PATH_PROPERTY), expectations)) {
            run.run();
        }
        return expectations;
    }

    /** Prints how it ended, and returns how the command ends. */
    static int report(ExpectationLog expectations, OutputOption output) {
        List<String> failed = expectations.failed();
        expectations.say(failed.isEmpty() ? "Everything was as it must be." : failed.size() + " do not hold.");
        expectations.report().print(output);
        return failed.isEmpty() ? ExitCode.DONE.code() : ExitCode.INCOMPLETE.code();
    }
}
