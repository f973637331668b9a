// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import io.hearth.chaos.ChaosRun.FaultResult;
import io.hearth.cli.ExitCode;
import io.hearth.cli.view.Table;
import io.hearth.testkit.command.Commands;
import io.hearth.testkit.command.OutputOption;
import io.hearth.testkit.process.FolderOption;
import io.hearth.testkit.process.ProcessCluster;
import io.hearth.testkit.process.layout.ClusterSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code bin/hearth chaos}: breaks what {@code bin/hearth cluster start} has started, while it balances and heals under load. */
@Command(
        name = "bin/hearth chaos",
        description = {
            "Breaks the cluster that bin/hearth cluster start has started, one fault after the",
            "other, while clients read and write and blocks move; and checks after each that",
            "nothing was lost, that all is local and even again and that no move was forgotten."
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:after every fault everything was as it must be",
            "1:after a fault it was not; the output says what, and how to do it again",
            "2:a wrong argument, or there is no cluster, or one that lacks something"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  bin/hearth chaos", "  bin/hearth chaos --fault none --seed 1", "  bin/hearth chaos --output json"},
        subcommands = SoakCommand.class)
public final class ChaosCommand implements Callable<Integer> {

    private static final int MOST_SEEDS = 100;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--fault",
            paramLabel = "FAULT",
            converter = FaultTypeConverter.class,
            description =
                    "only this one, any number of times: ${COMPLETION-CANDIDATES} (default: all that the cluster has what it takes for)")
    private List<Fault> faults = List.of();

    @Option(names = "--seeds", paramLabel = "N", description = "each fault with seeds 1 to N (default 1)")
    private Optional<Integer> seeds = Optional.empty();

    @Option(names = "--seed", paramLabel = "S", description = "each fault with this seed only")
    private Optional<Long> seed = Optional.empty();

    @Option(names = "--out", paramLabel = "FILE", description = "keep in a file what clients met with, for --compare")
    private Optional<Path> out = Optional.empty();

    @Option(
            names = "--compare",
            paramLabel = "FILE",
            description = "print it beside that of another run, as on a cluster without Hearth")
    private Optional<Path> compare = Optional.empty();

    @Mixin
    private OutputOption output;

    @Mixin
    private FolderOption folder;

    /** Runs it and ends the JVM with its exit code. */
    public static void main(String[] args) {
        Commands.end(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return Commands.onCluster(new ChaosCommand());
    }

    @Override
    public Integer call() throws Exception {
        long[] each = eachSeed();
        Optional<SavedResults> other = other();
        try (ProcessCluster cluster = folder.openForClients(spec)) {
            ClusterSpec clusterSpec = cluster.layout().clusterSpec();
            List<FaultResult> results = run(cluster, chosen(clusterSpec), each);
            if (out.isPresent()) {
                SavedResults.write(out.get(), clusterSpec.hearth(), results);
            }
            return report(results, other);
        }
    }

    private long[] eachSeed() {
        if (seeds.isPresent() && seed.isPresent()) {
            throw Commands.problem(spec, "--seed and --seeds are one too many; allowed is either");
        }
        if (seed.isPresent()) {
            return new long[] {seed.get()};
        }
        int last = seeds.orElse(1);
        if (last < 1 || last > MOST_SEEDS) {
            throw Commands.problem(spec, "--seeds is " + last + "; allowed are 1 to " + MOST_SEEDS);
        }
        return LongStream.rangeClosed(1, last).toArray();
    }

    private Optional<SavedResults> other() {
        try {
            return compare.isEmpty() ? Optional.empty() : Optional.of(SavedResults.read(compare.get()));
        } catch (IOException e) {
            throw Commands.problem(spec, "--compare: " + e.getMessage());
        }
    }

    private List<Fault> chosen(ClusterSpec clusterSpec) {
        List<Fault> chosen = new ArrayList<>();
        for (Fault fault : faults.isEmpty() ? Arrays.asList(Fault.values()) : faults) {
            Optional<String> lacking = fault.lackingIn(clusterSpec);
            if (lacking.isEmpty()) {
                chosen.add(fault);
            } else if (faults.isEmpty()) {
                output.say("left out: " + fault + ", which needs " + lacking.get());
            } else {
                throw Commands.problem(spec, fault + " needs " + lacking.get());
            }
        }
        return chosen;
    }

    private List<FaultResult> run(ProcessCluster cluster, List<Fault> chosen, long[] seeds) throws Exception {
        List<FaultResult> results = new ArrayList<>();
        for (long seed : seeds) {
            for (Fault fault : chosen) {
                output.say("seed " + seed + ", " + fault + ": " + fault.description() + " ...");
                FaultResult result =
                        ChaosRun.once(cluster, fault, seed, said -> output.say("   " + said), isFaultUnderWay -> {});
                results.add(result);
                result.violations().forEach(violation -> output.say("   BROKEN  " + violation));
            }
        }
        return results;
    }

    private int report(List<FaultResult> results, Optional<SavedResults> other) throws IOException {
        output.say("");
        output.print(
                Table.of(results, columns(other)),
                results.stream()
                        .map(result -> ResultDocument.of(result, other.flatMap(saved -> saved.of(result))))
                        .toList());
        List<FaultResult> failed =
                results.stream().filter(result -> !result.holds()).toList();
        failed.forEach(
                result -> output.say("again: bin/hearth chaos --fault " + result.fault() + " --seed " + result.seed()));
        output.say(
                failed.isEmpty()
                        ? "Everything was as it must be after every fault."
                        : failed.size() + " faults did harm.");
        return failed.isEmpty() ? ExitCode.DONE.code() : ExitCode.INCOMPLETE.code();
    }

    static List<Table.RowColumn<FaultResult>> columns(Optional<SavedResults> other) {
        List<Table.RowColumn<FaultResult>> columns = new ArrayList<>(List.of(
                Table.left("fault", result -> result.fault().toString()),
                Table.right("seed", result -> Long.toString(result.seed())),
                Table.right("regionsMoved", "regions moved", result -> Integer.toString(result.regionsMoved())),
                Table.right("movesAhead", "moves ahead", result -> Long.toString(result.movesAhead())),
                Table.<FaultResult>right(
                                "convergeMs", "whole after s", result -> Long.toString(result.secondsToConverge()))
                        .inCsv(result -> Long.toString(result.secondsToConverge() * 1_000)),
                Table.<FaultResult>right(
                                "maxOverMean",
                                "max/mean then",
                                result -> RequestBalanceCheck.text(result.maxOverMean()))
                        .inCsv(result -> result.maxOverMean().isPresent()
                                ? Double.toString(result.maxOverMean().getAsDouble())
                                : ""),
                Table.right("requests", result -> Long.toString(result.requests())),
                Table.right(
                        "acknowledgedRows", "rows read back", result -> Integer.toString(result.acknowledgedRows())),
                Table.right("slowestMs", "slowest ms", result -> Long.toString(result.slowestMs())),
                Table.right("errors", result -> Long.toString(result.errors()))));
        other.ifPresent(saved -> {
            String whose = saved.hearth() ? ", other" : ", stock";
            columns.add(other(saved, "otherSlowestMs", "slowest ms" + whose, SavedResults.SavedResult::slowestMs));
            columns.add(other(saved, "otherErrors", "errors" + whose, SavedResults.SavedResult::errors));
        });
        columns.add(Table.<FaultResult>left("holds", "", result -> result.holds() ? "HOLDS" : "BROKEN")
                .inCsv(result -> Boolean.toString(result.holds())));
        return columns;
    }

    private static Table.RowColumn<FaultResult> other(
            SavedResults saved, String name, String heading, Function<SavedResults.SavedResult, Long> figure) {
        return Table.<FaultResult>right(name, heading, result -> saved.of(result)
                        .map(figure)
                        .map(String::valueOf)
                        .orElse("-"))
                .inCsv(result ->
                        saved.of(result).map(figure).map(String::valueOf).orElse(""));
    }

    /**
     * A fault's result in JSON: the fields of a {@link FaultResult}.
     *
     * @param maxOverMean {@code null} where nobody sees to it
     * @param otherSlowestMs of the run that it is compared with, if there is one
     * @param otherErrors of the same
     */
    record ResultDocument(
            String fault,
            long seed,
            int regionsMoved,
            long movesAhead,
            long convergeMs,
            @Nullable Double maxOverMean,
            long requests,
            int acknowledgedRows,
            long slowestMs,
            long errors,
            @Nullable Long otherSlowestMs,
            @Nullable Long otherErrors,
            boolean holds,
            List<String> violations) {

        static ResultDocument of(FaultResult result, Optional<SavedResults.SavedResult> other) {
            OptionalDouble maxOverMean = result.maxOverMean();
            return new ResultDocument(
                    result.fault().toString(),
                    result.seed(),
                    result.regionsMoved(),
                    result.movesAhead(),
                    result.secondsToConverge() * 1_000,
                    maxOverMean.isPresent() ? maxOverMean.getAsDouble() : null,
                    result.requests(),
                    result.acknowledgedRows(),
                    result.slowestMs(),
                    result.errors(),
                    other.map(SavedResults.SavedResult::slowestMs).orElse(null),
                    other.map(SavedResults.SavedResult::errors).orElse(null),
                    result.holds(),
                    result.violations());
        }
    }

    /** Faults by their names on a command line; in capitals and with underscores too. */
    private static final class FaultTypeConverter implements ITypeConverter<Fault> {

        @Override
        public Fault convert(String typed) {
            String name = typed.toLowerCase(Locale.ROOT).replace('_', '-');
            return Arrays.stream(Fault.values())
                    .filter(fault -> fault.toString().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("there is no '" + typed + "'; allowed are "
                            + Arrays.stream(Fault.values()).map(Fault::toString).collect(Collectors.joining(", "))));
        }
    }

    /**
     * What the clients of another run met with, kept in a file: that of stock HBase, beside which the same faults with Hearth are looked at.
     *
     * @param hearth whether it was a cluster with Hearth
     * @param results one for each fault and seed
     */
    record SavedResults(boolean hearth, List<SavedResult> results) {

        private static final Gson GSON = new GsonBuilder().setPrettyPrinting().create();

        SavedResults {
            results = List.copyOf(results);
        }

        /**
         * One fault's.
         *
         * @param fault as it is typed
         * @param seed as it is typed
         * @param errors requests that the client gave up
         * @param slowestMs the longest time that a request took
         */
        record SavedResult(String fault, long seed, long errors, long slowestMs) {}

        static void write(Path file, boolean hearth, List<FaultResult> results) throws IOException {
            List<SavedResult> saved = results.stream()
                    .map(result -> new SavedResult(
                            result.fault().toString(), result.seed(), result.errors(), result.slowestMs()))
                    .toList();
            Files.writeString(file, GSON.toJson(new SavedResults(hearth, saved)) + "\n");
        }

        /** @throws IOException in one line if the file is not there or something else */
        static SavedResults read(Path file) throws IOException {
            try {
                return GSON.fromJson(Files.readString(file), SavedResults.class);
            } catch (NoSuchFileException e) {
                throw new IOException(file + " is not there; bin/hearth chaos --out makes it");
            } catch (JsonParseException | NullPointerException e) {
                throw new IOException(file + " was not made by bin/hearth chaos --out");
            }
        }

        Optional<SavedResult> of(FaultResult result) {
            return results.stream()
                    .filter(saved -> saved.fault().equals(result.fault().toString()) && saved.seed() == result.seed())
                    .findFirst();
        }
    }
}
