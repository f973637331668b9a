// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import io.hearth.balancer.HearthLoadBalancer;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.state.ClusterState;

/** Hearth's balancer with a planner that always fails. */
public final class ThrowingPlanner extends HearthLoadBalancer {

    static final String MESSAGE = "this planner always fails";

    @Override
    protected Plan plan(ClusterState snapshot, PlanGoals goals) {
        throw new AssertionError(MESSAGE);
    }
}
