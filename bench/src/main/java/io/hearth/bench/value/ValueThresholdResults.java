// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.value;

import io.hearth.bench.value.ValueRun.Part;
import io.hearth.cli.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What came of the parts that were run: thresholds that do not hold, and parts that the machine was too busy for. Not thread-safe. */
public final class ValueThresholdResults {

    private final List<String> violations = new ArrayList<>();
    private final List<String> tooBusy = new ArrayList<>();

    public void evenness(List<DrawResult> draws) {
        add(Part.EVENNESS, draws.stream().map(DrawResult::machine).toList(), ValueThresholds.violations(draws));
    }

    public void crash(CheckedResults<CrashResult> crashes) {
        add(Part.CRASH, List.of(crashes.machine()), ValueThresholds.crashViolations(crashes.results()));
    }

    public void locality(CheckedResults<LinkResult> links) {
        add(Part.LOCALITY, List.of(links.machine()), ValueThresholds.localityViolations(links.results()));
    }

    /** A part's figures are held to its thresholds only where they say something. */
    private void add(Part part, List<MachineCheck> machine, List<String> found) {
        Optional<String> busy =
                machine.stream().flatMap(check -> check.tooBusy().stream()).findFirst();
        if (busy.isPresent()) {
            tooBusy.add(
                    "The machine is too busy for this: " + busy.get() + ". The figures of " + part + " say nothing.");
        } else {
            violations.addAll(found);
        }
    }

    /** A line for each threshold that does not hold, and one for each part that says nothing, or else one that sums it up. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
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
        return violations.isEmpty() ? ExitCode.DONE : ExitCode.INCOMPLETE;
    }
}
