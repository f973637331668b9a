// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.fleet.model;

import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.fleet.model.ClustersFile.Cluster;
import io.hearth.fleet.model.FleetRow.BudgetLeft;
import io.hearth.fleet.model.FleetRow.DoctorSummary;
import java.util.List;

/**
 * Whoever can be asked about the clusters of a fleet. Each call is made on a thread of its own, may take as long as it likes, and is
 * interrupted when nobody waits for it any more. Thread-safe.
 */
public interface FleetSource {

    /**
     * How a cluster stands.
     *
     * @param doctor what the doctor in its master has found last; unknown where there is none
     */
    record Status(ClusterHealth health, ProbeResult<DoctorSummary> doctor) {}

    /** How this cluster stands. */
    Status status(Cluster cluster) throws Exception;

    /** What is left of the error budgets of this cluster, which has a source of them. */
    List<BudgetLeft> budgets(Cluster cluster) throws Exception;

    /** What a doctor that examines this cluster now finds. */
    DoctorSummary examine(Cluster cluster) throws Exception;
}
