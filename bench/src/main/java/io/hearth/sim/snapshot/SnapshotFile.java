package io.hearth.sim.snapshot;

import io.hearth.balancer.hbase.SnapshotProvenance;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.state.ClusterState;

/** What a snapshot file says. Immutable. */
public record SnapshotFile(SnapshotProvenance provenance, ClusterState snapshot, PlanGoals goals) {}
