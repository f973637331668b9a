// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import io.hearth.balancer.engine.BalanceEngine.PlanInput;

/** Hears what runs plan, on the thread of the run; must not throw or wait: the run waits for it. */
public interface PlanListener {

    /** A plan was made from this, with moves or without. */
    void planned(PlanInput input);

    /** A plan of the stock balancer's was reviewed, in the place of a plan of Hearth's. */
    void stockPlanReviewed(StockPlanReview review);
}
