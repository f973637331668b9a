// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import java.io.IOException;
import java.util.Set;
import org.apache.hadoop.hbase.ServerName;

/** How regions come to a server that does not have all of their data: one round of it, under load, with the balancer off. */
interface MoveScenario {

    /** At most so many regions, as many as an empty fifth host gets of 48. */
    int REGIONS = 9;

    /** What happens. */
    String description();

    /** Returns the regions, by encoded names, when they are on that server. */
    Set<String> to(ServerName server) throws IOException;
}
