package io.hearth.snapshotfile;

import io.hearth.balancer.dump.Provenance;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.snapshot.ClusterSnapshot;

/** What a snapshot file says. Immutable. */
public record SnapshotFile(Provenance provenance, ClusterSnapshot snapshot, PlanGoals goals) {}
