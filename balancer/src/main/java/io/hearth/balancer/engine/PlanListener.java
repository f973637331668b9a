// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import io.hearth.balancer.engine.BalanceEngine.PlanInput;
import io.hearth.common.model.ServerId;
import java.util.Set;

/** Hears what runs plan, on the thread of the run; must not throw or wait: the run waits for it. */
public interface PlanListener {

    /** This was decided, with moves or without, from this. */
    void planned(PlanInput input, Decision decision);

    /**
     * There is no plan.
     *
     * @param scope as for {@link Decision#scope}
     * @param servers whose regions the plan would have been about: those of one RSGroup where there are such
     * @param why the end of a sentence
     */
    void notPlanned(String scope, Set<ServerId> servers, String why);

    /** A plan of the stock balancer's was reviewed, in the place of a plan of Hearth's. */
    void stockPlanReviewed(StockPlanReview review);
}
