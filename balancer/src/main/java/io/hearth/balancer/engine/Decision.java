// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.UnmovedReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One plan, and whether it is to be carried out. Immutable.
 *
 * @param atMs when it was decided, in milliseconds since 1970
 * @param scope the table that it is about, or the name that HBase has for all of them
 * @param group the servers that it is about, by the first of them, as {@code host:port}
 * @param whyNotCarriedOut why it is not to be carried out, as the end of a sentence; empty where it is
 * @param stockActsAlone whether the stock balancer plans and acts in this run as without Hearth
 * @param excluded the servers that are given no regions for the sake of heat
 */
public record Decision(
        long atMs,
        String scope,
        String group,
        Plan plan,
        Optional<String> whyNotCarriedOut,
        boolean stockActsAlone,
        ExcludedServers excluded) {

    /** One in which every server may be given regions. */
    public Decision(
            long atMs,
            String scope,
            String group,
            Plan plan,
            Optional<String> whyNotCarriedOut,
            boolean stockActsAlone) {
        this(atMs, scope, group, plan, whyNotCarriedOut, stockActsAlone, ExcludedServers.NONE);
    }

    /** Everything that there is to say, line by line, for a person. */
    public List<String> explain() {
        List<String> lines = new ArrayList<>(plan.explain());
        excluded.reasonByServer()
                .forEach((server, why) -> lines.add(server + " is given no regions for the sake of heat: " + why));
        return lines;
    }

    /** Whether nothing is moved, not by the stock balancer either, unless it acts alone. */
    public boolean nothingMoves() {
        return excluded.nothingMoves().isPresent() && !stockActsAlone;
    }

    /** Whether there are moves, and they are to be made. */
    public boolean isToBeCarriedOut() {
        return whyNotCarriedOut.isEmpty() && !plan.moves().isEmpty();
    }

    /** Whether there is anything to tell: a move, or a hot region that stays for another reason than not being in this plan. */
    public boolean isNotable() {
        return !plan.moves().isEmpty()
                || plan.unmovedRegions().stream().anyMatch(left -> left.reason() != UnmovedReason.OTHER_TABLE);
    }
}
