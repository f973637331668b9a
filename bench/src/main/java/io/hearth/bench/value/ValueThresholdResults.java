// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.value;

import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.bench.value.ValueRun.Part;
import io.hearth.cli.ExitCode;
import io.hearth.testkit.command.OutputOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What came of the parts that were run: thresholds that do not hold, and parts that the machine was too busy for. Not thread-safe. */
public final class ValueThresholdResults {

    private final ThresholdReport report = new ThresholdReport();
    private final List<String> tooBusy = new ArrayList<>();

    public void evenness(List<DrawResult> draws) {
        add(Part.EVENNESS, draws.stream().map(DrawResult::machine).toList(), ValueThresholds.of(draws));
    }

    public void crash(CheckedResults<CrashResult> crashes) {
        add(Part.CRASH, List.of(crashes.machine()), ValueThresholds.ofCrash(crashes.results()));
    }

    public void locality(CheckedResults<LinkResult> links) {
        add(Part.LOCALITY, List.of(links.machine()), ValueThresholds.ofLocality(links.results()));
    }

    /** A part's figures are held to its thresholds only where they say something. */
    private void add(Part part, List<MachineCheck> machine, ThresholdReport found) {
        Optional<String> busy =
                machine.stream().flatMap(check -> check.tooBusy().stream()).findFirst();
        if (busy.isPresent()) {
            tooBusy.add(
                    "The machine is too busy for this: " + busy.get() + ". The figures of " + part + " say nothing.");
            found.figures().forEach(figure -> report.add(figure.withoutThreshold()));
        } else {
            report.addAll(found, "", "");
        }
    }

    /** A line for each threshold that does not hold, and one for each part that says nothing, or else one that sums it up. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        List<String> violations = report.violations();
        violations.forEach(violation -> lines.add("MISSED  " + violation));
        if (!tooBusy.isEmpty()) {
            lines.addAll(tooBusy);
        } else if (violations.isEmpty()) {
            lines.add("All thresholds hold.");
        } else {
            lines.add(violations.size() + " thresholds do not hold.");
        }
        return lines;
    }

    public ExitCode exitCode() {
        if (!tooBusy.isEmpty()) {
            return ExitCode.MACHINE_BUSY;
        }
        return report.violations().isEmpty() ? ExitCode.DONE : ExitCode.INCOMPLETE;
    }

    /**
     * Prints the lines; then, for a program, all figures, and the parts that say nothing beside what does not hold. Returns how the command
     * ends.
     */
    public int end(OutputOption output) {
        lines().forEach(output::say);
        ThresholdReport all = new ThresholdReport();
        all.addAll(report, "", "");
        tooBusy.forEach(all::violation);
        all.print(output);
        return exitCode().code();
    }
}
