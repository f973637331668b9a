// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.locality;

import io.hearth.common.model.ServerId;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Says on which hosts the DataNode is slow or out of reach, so that no region is moved there for the sake of heat: what it flushes and
 * reads goes through that DataNode first. Answers at once; thread-safe.
 */
@FunctionalInterface
public interface SuspectDataNodes {

    /** Nobody watches DataNodes. */
    SuspectDataNodes NONE = Map::of;

    /** The hosts, in lower case, each with the reason as the end of a sentence. */
    Map<String, String> reasonByHost();

    /**
     * Those of these servers that are given no regions: on such a host, or for another reason, which goes first.
     *
     * @param others the reason of each that is excluded anyhow
     */
    default Map<ServerId, String> excluded(Set<ServerId> servers, Map<ServerId, String> others) {
        Map<String, String> hosts = reasonByHost();
        if (hosts.isEmpty()) {
            return others;
        }
        Map<ServerId, String> excluded = new TreeMap<>(others);
        for (ServerId server : servers) {
            String why = hosts.get(server.host().toLowerCase(Locale.ROOT));
            if (why != null) {
                excluded.putIfAbsent(server, why);
            }
        }
        return excluded;
    }
}
