package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.config.ServerCapacities;
import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.balancer.snapshot.ServerSnapshot;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.ServerName;
import org.jspecify.annotations.NullMarked;

/**
 * What is known of a server besides its load.
 *
 * @param rackByHost the rack of a host name; asked only where racks matter, since resolving one may take its time
 */
@NullMarked
record ServerAttributes(ServerCapacities capacities, UnaryOperator<String> rackByHost) {

    /** The planner's view of this server. */
    ServerSnapshot state(ServerName server, boolean racksMatter) {
        return new ServerSnapshot(
                HBaseNames.server(server),
                racksMatter ? rackByHost.apply(server.getHostname()) : ServerSnapshot.UNKNOWN_RACK,
                capacities.of(server.getHostname()));
    }
}
