// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench;

import io.hearth.bench.readers.ForkedReaderRun;
import io.hearth.bench.readers.ReaderResult;
import io.hearth.bench.readers.ReaderResultTable;
import io.hearth.bench.readers.ReaderSetup;
import io.hearth.testkit.command.Commands;
import io.hearth.testkit.command.OutputOption;
import io.hearth.testkit.process.ProcessCluster;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bin/hearth bench readers}: what clients of an open table notice while every block under it moves. */
@Command(
        name = "readers",
        description = {
            "How long readers wait while every block under them moves.",
            "Clients read an open table by gets and multigets while every block of it moves to the host",
            "of its region's server, and the replica that was read until then is deleted: with the HDFS",
            "client's defaults, with conf/regionserver, and with conf/datanode/deletion-delay.xml on",
            "the DataNodes besides. Each row is a cluster of its own, in one JVM or of processes, and",
            "takes two minutes."
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        footerHeading = "%nExamples:%n",
        footer = "  bin/hearth bench readers --quick")
public final class BenchReadersCommand implements Callable<Integer> {

    private static final String LIBRARY = "libhadoop.so";

    @Spec
    private CommandSpec spec;

    @Option(names = "--setup", paramLabel = "SETUP", description = "only this one: ${COMPLETION-CANDIDATES}")
    private List<ReaderSetup> setups = List.of();

    @Option(
            names = "--processes",
            description = {
                "on clusters of processes with a network namespace for each host, which root can",
                "make, moved by Hearth's healer, and with short-circuit reads besides"
            })
    private boolean processes;

    @Option(names = "--quick", description = "locations are refreshed every 2 s; a row takes a minute less")
    private boolean quick;

    @Mixin
    private OutputOption output;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path root = Path.of(System.getProperty("hearth.root", "."));
        Optional<Path> nativeLibraries = unpackNativeLibrary(root.resolve("bench/target/native"));
        Map<ReaderSetup, ReaderResult> results = new EnumMap<>(ReaderSetup.class);
        for (ReaderSetup setup : chosen(nativeLibraries)) {
            output.say("measuring readers with " + setup.title() + " ...");
            Path log = root.resolve("bench/target/bench-readers-" + setup.ordinal() + ".log");
            results.put(
                    setup,
                    new ForkedReaderRun(setup, root.resolve("conf"), quick, clusterFolder())
                            .inAnotherJvm(log, setup.needsProcesses() ? nativeLibraries : Optional.empty()));
        }
        return report(results, output);
    }

    /** All that there can be, unless some were named. */
    private List<ReaderSetup> chosen(Optional<Path> nativeLibraries) throws InterruptedException {
        if (processes) {
            ProcessCluster.whyNoNamespaces().ifPresent(why -> {
                throw Commands.problem(
                        spec, "--processes needs network namespaces, which can't be had here (" + why + ")");
            });
        }
        List<ReaderSetup> chosen = new ArrayList<>();
        for (ReaderSetup setup : setups.isEmpty() ? List.of(ReaderSetup.values()) : setups) {
            Optional<String> lacking = lacking(setup, nativeLibraries);
            if (lacking.isEmpty()) {
                chosen.add(setup);
            } else if (setups.isEmpty()) {
                output.say("left out: " + setup.title() + ", which needs " + lacking.get());
            } else {
                throw Commands.problem(spec, setup + " needs " + lacking.get());
            }
        }
        return chosen;
    }

    private Optional<String> lacking(ReaderSetup setup, Optional<Path> nativeLibraries) {
        if (!setup.needsProcesses()) {
            return Optional.empty();
        }
        if (!processes) {
            return Optional.of("--processes");
        }
        return nativeLibraries.isPresent()
                ? Optional.empty()
                : Optional.of("libhadoop.so, which Maven could not get; target/native.log says why");
    }

    private Optional<Path> clusterFolder() {
        return processes
                ? Optional.of(Path.of(
                        System.getProperty("java.io.tmpdir"), "hearth-readers-" + System.getProperty("user.name")))
                : Optional.empty();
    }

    /** Prints what readers met, and returns how the command ends. */
    static int report(Map<ReaderSetup, ReaderResult> results, OutputOption output) {
        PrintWriter out = output.forPerson();
        out.println();
        out.println(ReaderResultTable.of(results));
        out.println();
        ReaderResultTable.streams(results).forEach(out::println);
        out.println("A read above 250 ms is due to the moves if a stream lost a replica during it.");
        return ReaderResultTable.thresholds(results).end(output);
    }

    /**
     * Hadoop's native library, which short-circuit reads need and which Hadoop's own artifacts do not hold. Returns the folder with it, unpacked from a jar in it; absent if there is no jar there, or
     * none for this machine.
     */
    private static Optional<Path> unpackNativeLibrary(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.list(folder)) {
            Optional<Path> jar =
                    files.filter(file -> file.toString().endsWith(".jar")).findFirst();
            return jar.isPresent() && unpackNativeLibrary(jar.get(), folder.resolve(LIBRARY))
                    ? Optional.of(folder)
                    : Optional.empty();
        }
    }

    private static boolean unpackNativeLibrary(Path jar, Path library) throws IOException {
        String machine = System.getProperty("os.name") + "-" + System.getProperty("os.arch");
        try (JarFile opened = new JarFile(jar.toFile())) {
            ZipEntry entry = opened.getEntry("nativelib/" + machine + "/" + LIBRARY);
            if (entry == null) {
                return false;
            }
            try (InputStream content = opened.getInputStream(entry)) {
                Files.copy(content, library, StandardCopyOption.REPLACE_EXISTING);
            }
            return true;
        }
    }
}
