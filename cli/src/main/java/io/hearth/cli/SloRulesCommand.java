// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.cli.CommandGroup.HelpOption;
import io.hearth.slo.metrics.AlertRules;
import io.hearth.slo.objective.ObjectivesFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bin/hearth slo rules}: the rules of Prometheus for the objectives of a file. It asks no cluster. */
@Command(
        name = "rules",
        description = {
            "Prints the rules of Prometheus that alert on these objectives.",
            "Prometheus has to scrape slo run --metrics, and to name the file under rule_files.",
            "Where a line of FILE can't be used nothing is printed: nobody would miss its alert.",
            ""
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:the rules are printed", "2:a wrong argument, or a line of FILE that can't be used"},
        footerHeading = "%nExamples:%n",
        footer = "  bin/hearth slo rules --objectives conf/slo-objectives.txt > hearth-slo-alerts.yml")
final class SloRulesCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private HelpOption help;

    @Option(
            names = "--objectives",
            paramLabel = "FILE",
            required = true,
            description = "objectives, one a line, as in conf/slo-objectives.txt")
    private Path objectives;

    SloRulesCommand() {}

    @Override
    public Integer call() {
        ObjectivesFile file = ObjectivesFile.parse(SloStoreOptions.text(objectives, spec), objectives.toString());
        if (!file.problems().isEmpty()) {
            throw new ParameterException(spec.commandLine(), file.problems().get(0));
        }
        if (file.objectives().isEmpty()) {
            throw new ParameterException(spec.commandLine(), "--objectives is " + objectives + ", which has none");
        }
        PrintWriter out = spec.commandLine().getOut();
        out.print(AlertRules.yaml(file.objectives()));
        out.flush();
        return ExitCode.DONE.code();
    }
}
