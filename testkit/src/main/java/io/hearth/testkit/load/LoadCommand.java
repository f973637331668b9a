// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.load;

import io.hearth.cli.ExitCode;
import io.hearth.cli.view.Table;
import io.hearth.testkit.command.Commands;
import io.hearth.testkit.command.OutputOption;
import io.hearth.testkit.load.Arrivals.Spacing;
import io.hearth.testkit.load.LatencyRecorder.LatencySummary;
import io.hearth.testkit.load.LoadProfile.KeyDistribution;
import io.hearth.testkit.load.LoadProfile.Rate;
import io.hearth.testkit.load.Workload.Operation;
import io.hearth.testkit.process.FolderOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bin/hearth load}: a load with the mixes and distributions of YCSB, at a given rate. */
@Command(
        name = "bin/hearth load",
        description = {
            "Makes and loads a table of its own, hearth_load, sends requests to it at a given",
            "rate with the mixes and distributions of YCSB, and prints how long they took from",
            "when they were due. On the cluster that bin/hearth cluster start has started, or",
            "on any other."
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:every request was answered", "1:one failed, or it could not be done", "2:a wrong argument"},
        footerHeading = "%nExamples:%n",
        footer = {
            "  bin/hearth load --workload a --distribution hotspot --rate 2000 --seconds 60",
            "  bin/hearth load --rate 500 --output json"
        })
public final class LoadCommand implements Callable<Integer> {

    private static final int RAMP_STEPS = 10;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--workload",
            paramLabel = "W",
            defaultValue = "B",
            description =
                    "the mix, as in YCSB: ${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE}): A half puts, B few, C gets alone, E short scans, F read-modify-writes")
    private Workload workload;

    @Option(
            names = "--distribution",
            paramLabel = "D",
            defaultValue = "ZIPFIAN",
            description = "of the rows: ${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE})")
    private KeyDistribution distribution;

    @Option(
            names = "--hot-rows",
            paramLabel = "SHARE",
            defaultValue = "0.2",
            description = "of HOTSPOT: the share of the rows that is hot (default ${DEFAULT-VALUE})")
    private double hotRows;

    @Option(
            names = "--hot-requests",
            paramLabel = "SHARE",
            defaultValue = "0.8",
            description = "of HOTSPOT: the share of the requests for them (default ${DEFAULT-VALUE})")
    private double hotRequests;

    @Option(
            names = "--multigets",
            paramLabel = "SHARE",
            defaultValue = "0",
            description = "the share of the gets that go ten at a time (default ${DEFAULT-VALUE})")
    private double multigets;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "1000",
            description = "requests a second, 1 to 100000 (default ${DEFAULT-VALUE})")
    private int rate;

    @Option(
            names = "--ramp-from",
            paramLabel = "N",
            description = "the rate grows from this one to --rate, in a straight line over --seconds; latencies are"
                    + " printed for each tenth of it")
    private Optional<Integer> rampFrom = Optional.empty();

    @Option(
            names = "--spacing",
            paramLabel = "S",
            defaultValue = "STEADY",
            description = "of the times when requests are due: ${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE})")
    private Spacing spacing;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "60",
            description = "1 to 86400 (default ${DEFAULT-VALUE})")
    private int seconds;

    @Option(
            names = "--data-mb",
            paramLabel = "N",
            defaultValue = "100",
            description = "megabytes that are loaded, 1 to 100000 (default ${DEFAULT-VALUE})")
    private int megabytes;

    @Option(
            names = "--value-bytes",
            paramLabel = "N",
            defaultValue = "1000",
            description = "of each row, 1 to 1000000 (default ${DEFAULT-VALUE})")
    private int valueBytes;

    @Option(
            names = "--regions",
            paramLabel = "N",
            defaultValue = "32",
            description = "1 to 10000 (default ${DEFAULT-VALUE})")
    private int regions;

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "of values, of what is hot and of the order of operations (default: any)")
    private Optional<Long> seed = Optional.empty();

    @Option(names = "--keep", description = "leave the table")
    private boolean keep;

    @Mixin
    private OutputOption output;

    @Mixin
    private ClientConfiguration client;

    /** Runs it and ends the JVM with its exit code. */
    public static void main(String[] args) {
        Commands.end(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return Commands.onCluster(new LoadCommand());
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        range("--rate", rate, 1, 100_000);
        rampFrom.ifPresent(from -> range("--ramp-from", from, 1, 100_000));
        range("--seconds", seconds, 1, 86_400);
        range("--data-mb", megabytes, 1, 100_000);
        range("--value-bytes", valueBytes, 1, 1_000_000);
        range("--regions", regions, 1, 10_000);
        share("--hot-rows", hotRows);
        share("--hot-requests", hotRequests);
        share("--multigets", multigets);
        client.problem().ifPresent(problem -> {
            throw Commands.problem(spec, problem);
        });
        long drawn = seed.orElseGet(() -> new SplittableRandom().nextLong(1_000_000));
        Rate growing = new Rate(rampFrom.orElse(rate), rate, rampFrom.isPresent() ? seconds : 0, spacing);
        LoadProfile profile =
                new LoadProfile(workload, distribution, hotRows, hotRequests, growing, multigets, true, drawn);
        return run(client.read(), LoadTable.of(regions, megabytes, valueBytes, Map.of()), profile);
    }

    private void range(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw Commands.problem(spec, option + " is " + value + "; allowed are " + least + " to " + most);
        }
    }

    private void share(String option, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw Commands.problem(spec, option + " is " + value + "; allowed are 0 to 1");
        }
    }

    private int run(Configuration conf, LoadTable table, LoadProfile profile) throws IOException, InterruptedException {
        try (Connection connection = ConnectionFactory.createConnection(conf)) {
            output.say("Loading %,d rows of %,d bytes into %d regions of %s, with seed %d"
                    .formatted(table.keys().rows(), valueBytes, table.keys().regions(), table.name(), profile.seed()));
            table.create(connection, profile.seed(), rows -> {});
            try (LoadDriver driver = LoadDriver.start(conf, table, profile)) {
                long startNanos = System.nanoTime();
                output.say("%s%,d requests a second for %d s: workload %s, %s"
                        .formatted(
                                rampFrom.map(from -> "%,d to ".formatted(from)).orElse(""),
                                rate,
                                seconds,
                                workload,
                                distribution.name().toLowerCase(Locale.ROOT)));
                Thread.sleep(seconds * 1_000L);
                driver.stop();
                List<RampStep> ramp =
                        rampFrom.map(from -> ramp(driver, from, startNanos)).orElse(List.of());
                return report(driver, ramp, profile.seed());
            } finally {
                if (!keep) {
                    table.drop(connection);
                }
            }
        }
    }

    private int report(LoadDriver driver, List<RampStep> ramp, long drawn) {
        Map<String, LatencySummary> summaries = new LinkedHashMap<>();
        driver.operations()
                .forEach(operation ->
                        summaries.put(operation.plural(), driver.latencies().of(operation)));
        if (output.isTable() && !ramp.isEmpty()) {
            output.say(rampTable(ramp).text());
        }
        OutstandingRequests requests = driver.requests();
        output.print(
                output.isTable() || ramp.isEmpty() ? table(summaries) : rampTable(ramp),
                new LoadDocument(
                        drawn,
                        summaries,
                        ramp,
                        requests.errors(),
                        requests.firstError().map(Commands::firstLine).orElse(null)));
        output.say(errors(requests));
        return driver.requests().errors() == 0 ? ExitCode.DONE.code() : ExitCode.INCOMPLETE.code();
    }

    /**
     * What came of the load, as JSON.
     *
     * @param seed what was drawn with
     * @param latencies from when a request was due, by kind
     * @param ramp each tenth of it; empty without one
     * @param errors requests that failed
     * @param firstError how the first did; {@code null} where none has
     */
    private record LoadDocument(
            long seed,
            Map<String, LatencySummary> latencies,
            List<RampStep> ramp,
            long errors,
            @Nullable String firstError) {}

    /** The options that name a cluster to which clients connect: the process cluster, or any by its client configuration. */
    private static final class ClientConfiguration {

        private static final String SITE = "hbase-site.xml";

        @Option(
                names = "--config",
                paramLabel = "DIR",
                description = "the client configuration of another cluster: a folder with its hbase-site.xml")
        private Optional<Path> config = Optional.empty();

        @Mixin
        private FolderOption cluster;

        /** What is wrong with them, in one line; absent if nothing. */
        Optional<String> problem() {
            if (Files.exists(folder().resolve(SITE))) {
                return Optional.empty();
            }
            return Optional.of(
                    config.isPresent()
                            ? "--config is " + config.get() + "; it must be a folder with an " + SITE
                            : cluster.noClusterMessage() + ", and --config names another");
        }

        private Path folder() {
            return config.orElse(cluster.folder().resolve("conf"));
        }

        /** The configuration. To be called before any host name is looked up: those of a process cluster are known nowhere else. */
        Configuration read() {
            Path hosts = folder().resolve("hosts");
            if (Files.exists(hosts)) {
                System.setProperty("jdk.net.hosts.file", hosts.toString());
            }
            Configuration configuration = HBaseConfiguration.create();
            Stream.of("core-site.xml", "hdfs-site.xml", SITE)
                    .map(folder()::resolve)
                    .filter(Files::exists)
                    .forEach(file -> configuration.addResource(new org.apache.hadoop.fs.Path(file.toUri())));
            return configuration;
        }
    }

    /** Each tenth of a ramp, as far as it has whole seconds. */
    private List<RampStep> ramp(LoadDriver driver, int from, long startNanos) {
        List<RampStep> steps = new ArrayList<>();
        int count = Math.min(RAMP_STEPS, seconds);
        for (int step = 0; step < count; step++) {
            int first = seconds * step / count;
            int end = seconds * (step + 1) / count;
            double middle = from + (rate - from) * (first + end) / 2.0 / seconds;
            for (Operation operation : driver.operations()) {
                LatencySummary latencies = driver.latencies()
                        .between(
                                operation,
                                startNanos + TimeUnit.SECONDS.toNanos(first),
                                startNanos + TimeUnit.SECONDS.toNanos(end));
                steps.add(new RampStep(operation.plural(), Math.round(middle), (end - first) * 1_000L, latencies));
            }
        }
        return steps;
    }

    /**
     * One kind of request in a part of a ramp.
     *
     * @param operation what several of them are called
     * @param requestsPerSecond how many requests of all kinds were due
     */
    record RampStep(String operation, long requestsPerSecond, long durationMs, LatencySummary latencies) {}

    static Table rampTable(List<RampStep> steps) {
        return Table.of(
                steps,
                List.of(
                        Table.right(
                                "requestsPerSecond",
                                "requests a second",
                                step -> Long.toString(step.requestsPerSecond)),
                        Table.left("operation", "", step -> step.operation),
                        Table.right(
                                "answeredPerSecond",
                                "answered a second",
                                step -> Long.toString(step.latencies.requests() * 1_000 / step.durationMs)),
                        Table.right("p50Ms", "p50 ms", step -> millis(step.latencies.p50Ms())),
                        Table.right("p99Ms", "p99 ms", step -> millis(step.latencies.p99Ms())),
                        Table.right("p999Ms", "p99.9 ms", step -> millis(step.latencies.p999Ms()))));
    }

    /** A line for each kind of request. */
    static Table table(Map<String, LatencySummary> summaries) {
        return Table.of(
                summaries.entrySet(),
                List.of(
                        Table.left("operation", "ms from when it was due", Map.Entry::getKey),
                        Table.right(
                                "requests",
                                "answered",
                                row -> "" + row.getValue().requests()),
                        Table.right("p50Ms", "p50", row -> millis(row.getValue().p50Ms())),
                        Table.right("p99Ms", "p99", row -> millis(row.getValue().p99Ms())),
                        Table.right(
                                "p999Ms", "p99.9", row -> millis(row.getValue().p999Ms())),
                        Table.right("maxMs", "max", row -> millis(row.getValue().maxMs()))));
    }

    /** How many requests failed, and how the first did. */
    static String errors(OutstandingRequests requests) {
        return requests.errors() == 0
                ? "No request failed."
                : requests.errors() + " requests failed, the first: "
                        + requests.firstError().map(Commands::firstLine).orElse("");
    }

    private static String millis(double millis) {
        return String.format(Locale.ROOT, "%.1f", millis);
    }
}
