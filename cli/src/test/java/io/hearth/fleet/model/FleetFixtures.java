// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.fleet.model;

import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.Quantiles;
import io.hearth.doctor.model.Finding.Severity;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.fleet.model.ClusterHealth.Balance;
import io.hearth.fleet.model.FleetRow.BudgetLeft;
import io.hearth.fleet.model.FleetRow.DoctorSummary;
import io.hearth.fleet.model.FleetRow.WorstFinding;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Made-up clusters of a fleet. */
public final class FleetFixtures {

    public static final long AT_MS = 1_700_000_000_000L;

    private FleetFixtures() {}

    /** Local, even, and within its budgets. */
    public static FleetRow good(String name) {
        return new FleetRow(
                name,
                ProbeResult.known(health(true, 1.08, false, 0.97, 0.99, 1, 1)),
                ProbeResult.known(new DoctorSummary(0, 0, Optional.empty())),
                ProbeResult.known(List.of(new BudgetLeft("puts", 0.9), new BudgetLeft("gets", 0.436))));
    }

    /** With two of four servers that are remote, uneven reads, a spent budget and an error. */
    public static FleetRow bad(String name) {
        return new FleetRow(
                name,
                ProbeResult.known(health(true, 3.4, true, 0.41, 0.7999, 0.8, 1)),
                ProbeResult.known(new DoctorSummary(
                        1,
                        2,
                        Optional.of(new WorstFinding(
                                Severity.ERROR, "read-block-locations", "Reads ask the NameNode \"again\" & again.")))),
                ProbeResult.known(List.of(new BudgetLeft("gets", -30.45), new BudgetLeft("puts", 1))));
    }

    /** Seen from outside, without store files, and watched by nobody. */
    public static FleetRow empty(String name) {
        return new FleetRow(
                name,
                ProbeResult.known(health(false, 1, false)),
                ProbeResult.unknown("none is in the master"),
                ProbeResult.unknown(""));
    }

    /** One that has not answered, and whose SLO watch has. */
    public static FleetRow silent(String name, String why) {
        return new FleetRow(
                name,
                ProbeResult.unknown(why),
                ProbeResult.unknown(""),
                ProbeResult.known(List.of(new BudgetLeft("gets", -1.04))));
    }

    /** The health of a cluster of these servers. */
    public static ClusterHealth health(boolean byMaster, double reads, boolean isUneven, double... locality) {
        return new ClusterHealth(
                AT_MS,
                "m1:16000",
                byMaster,
                4,
                30,
                Quantiles.of(locality),
                Map.of(
                        LoadDimension.READS, new Balance(reads, isUneven),
                        LoadDimension.WRITES, new Balance(1.02, false),
                        LoadDimension.STORE_SIZE, new Balance(1.1, false)));
    }
}
