// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.config.ServerCapacities;
import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.balancer.state.ServerState;
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
    ServerState state(ServerName server, boolean racksMatter) {
        return new ServerState(
                HBaseNames.server(server),
                racksMatter ? rackByHost.apply(server.getHostname()) : ServerState.UNKNOWN_RACK,
                capacities.of(server.getHostname()));
    }
}
