// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim.cli;

import io.hearth.sim.oracle.PlanEvaluation;

/**
 * One thing that could be done with a cluster, and what comes of it. Immutable.
 *
 * @param who whose plan it is
 * @param after the cluster when it is done
 * @param millis how long it took to plan, in milliseconds
 */
record EvaluatedPlan(String who, PlanEvaluation after, long millis) {}
