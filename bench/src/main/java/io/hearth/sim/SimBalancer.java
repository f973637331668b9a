// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim;

import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.balancer.state.ClusterState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.List;
import java.util.Set;

/** What the simulator drives: a balancer that sees reports and assignments and says what moves. */
public interface SimBalancer {

    /**
     * The last report of each live server, as the master hands them over.
     *
     * @param nowMs by the master's clock, which the scenario may set
     * @param monotonicMs by one that nobody sets
     */
    void reported(List<ServerReport> reports, long nowMs, long monotonicMs);

    /** The moves of one run, in their order. */
    List<Move> balance(ClusterState assignments, long nowMs);

    /** A person has moved a region. */
    void regionMovedManually(Move move, TableId table, long nowMs);

    /** The regions of which the balancer has said that they should be split, so far. */
    Set<EncodedRegionName> toSplit();

    /** One region that is to be served elsewhere. */
    record Move(EncodedRegionName region, ServerId from, ServerId to) {}
}
