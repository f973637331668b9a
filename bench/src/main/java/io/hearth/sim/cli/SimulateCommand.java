// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim.cli;

import io.hearth.cli.ExitCode;
import io.hearth.cli.view.OutputFormat;
import io.hearth.sim.ScenarioFiles;
import io.hearth.sim.ScenarioResultTable;
import io.hearth.sim.ScenarioResults;
import io.hearth.sim.ScenarioRun;
import io.hearth.sim.scenario.Scenario;
import io.hearth.sim.scenario.ScenarioReader.ScenarioFormatException;
import io.hearth.testkit.command.Commands;
import io.hearth.testkit.command.OutputOption;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bin/hearth simulate}: runs scenario files on simulated time and says whether what they expect holds. */
@Command(
        name = "bin/hearth simulate",
        description = {
            "Runs scenarios on simulated time under Hearth's real balancer: hours of a cluster",
            "in a second. A scenario file says in YAML what there is, what happens and what is",
            "expected; those of Hearth are in bench/src/main/scenarios, with their schema."
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every expectation of every scenario holds",
            "1:an expectation does not hold; the output says which, and what was got",
            "2:a wrong argument, or a file that is not understood"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  bin/hearth simulate --all",
            "  bin/hearth simulate --all --output json",
            "  bin/hearth simulate bench/src/main/scenarios/opentsdb-four-nodes.yaml"
        })
public final class SimulateCommand implements Callable<Integer> {

    private static final String FOLDER_PROPERTY = "hearth.scenarios";

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", arity = "0..*", description = "scenario files")
    private List<Path> files = List.of();

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "a setting of hbase-site.xml over the scenario's own, any number of times")
    private Map<String, String> settings = Map.of();

    @Option(
            names = "--output",
            paramLabel = "FORMAT",
            converter = OutputOption.Formats.class,
            description = "table, json, or csv without what was expected in words (default: table)")
    private OutputFormat format = OutputFormat.TABLE;

    @Option(names = "--all", description = "all scenarios of Hearth's own, in one table")
    private boolean all;

    /** Runs the scenarios and ends the JVM with the exit code. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return Commands.of(new SimulateCommand());
    }

    @Override
    public Integer call() {
        List<Scenario> scenarios = scenarios();
        List<ScenarioRun> runs = new ArrayList<>();
        scenarios.forEach(scenario -> runs.add(ScenarioRun.of(scenario)));
        return report(runs);
    }

    private List<Scenario> scenarios() {
        List<Path> paths = new ArrayList<>(files);
        List<Scenario> scenarios = new ArrayList<>();
        try {
            if (all) {
                paths.addAll(ScenarioFiles.in(Path.of(System.getProperty(FOLDER_PROPERTY, "src/main/scenarios"))));
            }
            if (paths.isEmpty()) {
                throw problem("no scenario is named: name files, or use --all");
            }
            for (Path path : paths) {
                if (!Files.isReadable(path)) {
                    throw problem(path + " is no file that can be read");
                }
                scenarios.add(ScenarioFiles.read(path).withSettings(settings));
            }
        } catch (ScenarioFormatException wrong) {
            throw problem(String.valueOf(wrong.getMessage()));
        } catch (IOException failure) {
            throw problem("a scenario can't be read: " + failure);
        }
        return scenarios;
    }

    private int report(List<ScenarioRun> runs) {
        PrintWriter out = spec.commandLine().getOut();
        List<String> failed = ScenarioResultTable.failed(runs);
        switch (format) {
            case TABLE -> print(runs, failed, out);
            case JSON -> out.println(ScenarioResults.of(runs).json());
            case CSV -> ScenarioResults.of(runs).csv().forEach(out::println);
        }
        out.flush();
        return failed.isEmpty() ? ExitCode.DONE.code() : ExitCode.INCOMPLETE.code();
    }

    private static void print(List<ScenarioRun> runs, List<String> failed, PrintWriter out) {
        if (runs.size() == 1) {
            out.println(runs.get(0).scenario().title());
            out.println();
        }
        out.println(ScenarioResultTable.of(runs));
        out.println();
        if (runs.size() == 1) {
            runs.get(0)
                    .expectationResults()
                    .forEach(result -> out.printf(
                            "   %s  %s  (%s)%n", result.holds() ? "HOLDS" : "FAILS", result.expected(), result.got()));
            out.println();
        }
        failed.forEach(line -> out.println("FAILS  " + line));
        out.println(failed.isEmpty() ? "All expectations hold." : failed.size() + " expectations do not hold.");
    }

    private ParameterException problem(String message) {
        return Commands.problem(spec, message);
    }
}
