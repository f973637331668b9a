// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.fleet.model;

import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Severity;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.slo.objective.ObjectiveStatus;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A cluster of the fleet and what was found out about it in time. Immutable.
 *
 * @param cluster its name
 * @param health of the cluster; unknown where it has not answered
 * @param doctor what its doctor has found
 * @param budgets of the objectives of its SLO watch; unknown where nobody watches it
 */
public record FleetRow(
        String cluster,
        ProbeResult<ClusterHealth> health,
        ProbeResult<DoctorSummary> doctor,
        ProbeResult<List<BudgetLeft>> budgets) {

    /**
     * What is left of the error budget of an objective.
     *
     * @param leftShare of the whole budget; negative where more was spent
     */
    public record BudgetLeft(String objective, double leftShare) {

        /** For a person: {@code gets-50ms-30d 43 %}. */
        @Override
        public String toString() {
            return objective + " " + ObjectiveStatus.budgetText(leftShare);
        }
    }

    /**
     * What a doctor has to say, in short.
     *
     * @param errors how many of its findings are errors
     * @param warnings how many are warnings
     * @param worst the first of the worst findings; empty where nothing is to be mended
     */
    public record DoctorSummary(int errors, int warnings, Optional<WorstFinding> worst) {

        /** The short form of these findings. */
        public static DoctorSummary of(List<Finding> findings) {
            return of(findings.stream()
                    .map(finding -> new WorstFinding(finding.severity(), finding.check(), finding.what())));
        }

        /** The same of findings that are short already. */
        public static DoctorSummary of(Stream<WorstFinding> findings) {
            List<WorstFinding> toMend =
                    findings.filter(finding -> finding.severity().needsAction()).toList();
            int errors = (int) toMend.stream()
                    .filter(finding -> finding.severity() == Severity.ERROR)
                    .count();
            return new DoctorSummary(
                    errors, toMend.size() - errors, toMend.stream().min(Comparator.comparing(WorstFinding::severity)));
        }

        /** For a person: {@code ERROR read-block-locations, 3 more}. */
        @Override
        public String toString() {
            int more = errors + warnings - 1;
            return worst.map(finding ->
                            finding.severity() + " " + finding.check() + (more > 0 ? ", " + more + " more" : ""))
                    .orElse("nothing to mend");
        }
    }

    /**
     * A finding of the doctor in short.
     *
     * @param check the name of the check that found it
     * @param what what is so, in a sentence or two
     */
    public record WorstFinding(Severity severity, String check, String what) {}

    /** The objective of whose budget the least is left; empty where none is known. */
    public Optional<BudgetLeft> leastBudget() {
        return budgets.ifKnown().stream().flatMap(List::stream).min(Comparator.comparingDouble(BudgetLeft::leftShare));
    }
}
