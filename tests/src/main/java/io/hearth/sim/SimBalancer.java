package io.hearth.sim;

import io.hearth.balancer.ingest.ServerReport;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import java.util.List;
import java.util.Set;

/** What the simulator drives: a balancer that sees reports and assignments and says what moves. */
public interface SimBalancer {

    /** The last report of each live server, as the master hands them over. */
    void reported(List<ServerReport> reports, long nowMs);

    /** The moves of one run, in their order. */
    List<Move> balance(Assignments assignments, long nowMs);

    /** A person has moved a region. */
    void movedByHand(Move move, TableId table, long nowMs);

    /** The regions of which the balancer has said that they should be split, so far. */
    Set<RegionId> toSplit();

    /** One region that is to be served elsewhere. */
    record Move(RegionId region, ServerId from, ServerId to) {}
}
