package io.hearth.bench;

import io.hearth.bench.readers.ReaderResult;
import io.hearth.bench.readers.ReaderRow;
import io.hearth.bench.readers.ReaderSetup;
import io.hearth.bench.readers.ReaderTableText;
import io.hearth.command.Commands;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bin/hearth bench readers}: what clients of an open table notice while every block under it moves. */
@Command(
        name = "readers",
        description = {
            "Clients read an open table by gets and multigets while every block under it",
            "moves to the server that reads it, and the replica that they read is the one",
            "that goes: with the HDFS client's defaults, with conf/regionserver, and with",
            "conf/datanode/grace.xml on the DataNodes besides. Each row is a cluster in a JVM of",
            "its own and takes two minutes."
        },
        sortOptions = false,
        usageHelpAutoWidth = true)
public final class BenchReadersCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(names = "--setup", paramLabel = "SETUP", description = "only this one: ${COMPLETION-CANDIDATES}")
    private List<ReaderSetup> setups = List.of(ReaderSetup.values());

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        Path root = Path.of(System.getProperty("hearth.root", "."));
        Map<ReaderSetup, ReaderResult> results = new EnumMap<>(ReaderSetup.class);
        for (ReaderSetup setup : setups) {
            out.println("measuring readers with " + setup.title() + " ...");
            out.flush();
            Path log = root.resolve("tests/target/bench-readers-" + setup.ordinal() + ".log");
            results.put(setup, ReaderRow.inAnotherJvm(setup, root.resolve("conf"), log));
        }
        return report(out, results);
    }

    private static int report(PrintWriter out, Map<ReaderSetup, ReaderResult> results) {
        out.println();
        out.println(ReaderTableText.of(results));
        out.println();
        out.println(
                "No short-circuit reads: one JVM can't show them. A read above 250 ms is due to the moves if a stream"
                        + " lost a replica during it.");
        List<String> misses = new ArrayList<>();
        results.forEach(
                (setup, result) -> result.misses(setup).forEach(miss -> misses.add(setup.title() + ": " + miss)));
        misses.forEach(miss -> out.println("MISSED  " + miss));
        out.println(misses.isEmpty() ? "All bars hold." : misses.size() + " bars do not hold.");
        out.flush();
        return misses.isEmpty() ? Commands.HOLDS : Commands.BROKEN;
    }
}
