// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo;

import io.hearth.cli.ExitCode;
import io.hearth.demo.DemoContext.DemoOptions;
import io.hearth.demo.console.DemoConsole;
import io.hearth.demo.console.DemoConsole.PlainConsole;
import io.hearth.demo.console.DemoConsole.TerminalConsole;
import io.hearth.testkit.command.Commands;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code bin/hearth demo}: reads the arguments, checks whether the machine has what it takes, and runs.
 *
 * <p>Exit codes are those of {@link ExitCode}.
 */
@Command(
        name = "bin/hearth demo",
        description = {
            "Starts HDFS and HBase with Hearth on this machine, skews the load, kills a",
            "RegionServer, and shows heat evened and locality healed. Takes under 5",
            "minutes and leaves demo-report.html."
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the cluster ended evened and healed: every threshold holds",
            "1:a threshold does not hold; the summary says which",
            "2:a wrong argument, or the machine lacks something; nothing was started",
            "130:ended by Ctrl-C"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  bin/hearth demo", "  bin/hearth demo --hosts 8 --keep"})
public final class DemoCommand implements Callable<Integer> {
    private static final String TERMINAL_PROPERTY = "hearth.demo.terminal";

    @Spec
    private CommandSpec spec;

    @Option(names = "--hosts", paramLabel = "N", defaultValue = "6", description = "hosts, 6 to 12 (default 6)")
    private int hosts;

    @Option(names = "--racks", paramLabel = "R", defaultValue = "3", description = "racks, 2 to N (default 3)")
    private int racks;

    @Option(names = "--regions", paramLabel = "N", defaultValue = "60", description = "regions, 40 to 400 (default 60)")
    private int regions;

    @Option(
            names = "--data-mb",
            paramLabel = "N",
            defaultValue = "220",
            description = "megabytes to load, 200 to 2000 (default 220)")
    private int dataMegabytes;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            defaultValue = "demo-report.html",
            description = "where the page goes (default demo-report.html)")
    private Path report = Path.of("demo-report.html");

    @Option(names = "--seed", paramLabel = "S", defaultValue = "1", description = "seed of the load (default 1)")
    private long seed;

    @Option(names = "--keep", description = "leave the cluster up at the end, until Ctrl-C")
    private boolean keep;

    /** Runs the demo and ends the JVM with its exit code. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return Commands.of(new DemoCommand());
    }

    @Override
    public Integer call() {
        DemoOptions options = new DemoOptions(hosts, racks, regions, dataMegabytes, report, seed, keep);
        List<String> problems = new ArrayList<>(wrongValues());
        if (problems.isEmpty()) {
            problems.addAll(Preflight.problems(options));
        }
        problems.forEach(problem -> spec.commandLine().getErr().println("hearth demo: " + problem));
        return problems.isEmpty() ? DemoRun.run(options, console()).code() : ExitCode.USAGE.code();
    }

    private List<String> wrongValues() {
        List<String> problems = new ArrayList<>();
        requireInRange(problems, "--hosts", hosts, 6, 12);
        requireInRange(problems, "--racks", racks, 2, Math.max(2, Math.min(hosts, 12)));
        requireInRange(problems, "--regions", regions, 40, 400);
        requireInRange(problems, "--data-mb", dataMegabytes, 200, 2_000);
        Path folder = report.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder) || Files.isDirectory(report)) {
            problems.add("--report is " + report + "; it must be a file in a folder that exists and can be written to");
        }
        return problems;
    }

    private static void requireInRange(List<String> problems, String name, int value, int least, int most) {
        if (value < least || value > most) {
            problems.add(name + " is " + value + "; allowed are " + least + " to " + most);
        }
    }

    private static DemoConsole console() {
        boolean terminal = Boolean.getBoolean(TERMINAL_PROPERTY);
        return terminal
                ? new TerminalConsole(System.out, System.getenv("NO_COLOR") == null)
                : new PlainConsole(System.out, () -> System.nanoTime() / 1_000_000);
    }
}
