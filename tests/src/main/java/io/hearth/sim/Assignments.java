package io.hearth.sim;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.TableId;
import io.hearth.balancer.snapshot.LocalBytes;
import io.hearth.balancer.snapshot.ServerState;
import java.util.List;
import java.util.Map;

/**
 * Which live server serves which regions, as the master knows it. Immutable.
 *
 * @param regionsByServer every live server, those without regions too
 */
public record Assignments(Map<ServerState, List<Assigned>> regionsByServer) {

    public Assignments {
        regionsByServer = Map.copyOf(regionsByServer);
    }

    /** One region, the primary of its replicas, and where its bytes are. */
    public record Assigned(RegionId region, RegionId primary, TableId table, LocalBytes local) {}
}
