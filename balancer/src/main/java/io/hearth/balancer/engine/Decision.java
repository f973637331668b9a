package io.hearth.balancer.engine;

import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.snapshot.Pin;
import java.util.Optional;

/**
 * One plan, and whether it is to be carried out. Immutable.
 *
 * @param atMs when it was decided, in milliseconds since 1970
 * @param scope the table that it is about, or the name that HBase has for all of them
 * @param group the servers that it is about, by the first of them, as {@code host:port}
 * @param adviseOnly why it is not to be carried out, as the end of a sentence; empty where it is
 * @param stockActsAlone whether the stock balancer plans and acts in this run as without Hearth
 */
public record Decision(
        long atMs, String scope, String group, Plan plan, Optional<String> adviseOnly, boolean stockActsAlone) {

    /** Whether there are moves, and they are to be made. */
    public boolean isToBeCarriedOut() {
        return adviseOnly.isEmpty() && !plan.moves().isEmpty();
    }

    /** Whether there is anything to tell: a move, or a hot region that stays for another reason than not being in this plan. */
    public boolean saysSomething() {
        return !plan.moves().isEmpty() || plan.notMoved().stream().anyMatch(left -> left.pin() != Pin.OTHER_TABLE);
    }
}
