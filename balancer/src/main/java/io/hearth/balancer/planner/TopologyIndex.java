// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.state.ServerState;
import java.util.HashMap;
import java.util.Map;

/** The hosts and racks of the servers, numbered. Not changed once made. */
final class TopologyIndex {

    static final int UNKNOWN = -1;

    private final int[] host;
    private final int[] rack;
    private final int racks;
    private final Map<String, Integer> hostNumber = new HashMap<>();
    /** The servers of each host: those of host {@code h} begin at {@code firstServer[h]}. */
    private final int[] firstServer;

    private final int[] serversByHost;

    TopologyIndex(PlanIndex index) {
        host = new int[index.servers];
        rack = new int[index.servers];
        Map<String, Integer> rackNumber = new HashMap<>();
        for (int server = 0; server < index.servers; server++) {
            ServerState state = index.snapshot.server(server);
            host[server] = number(hostNumber, state.server().host());
            rack[server] = state.rack().equals(ServerState.UNKNOWN_RACK) ? UNKNOWN : number(rackNumber, state.rack());
        }
        racks = rackNumber.size();
        firstServer = new int[hostNumber.size() + 1];
        serversByHost = new int[index.servers];
        groupByHost();
    }

    private static int number(Map<String, Integer> numbers, String name) {
        int next = numbers.size();
        return numbers.computeIfAbsent(name, any -> next);
    }

    private void groupByHost() {
        for (int ofServer : host) {
            firstServer[ofServer + 1]++;
        }
        for (int number = 1; number < firstServer.length; number++) {
            firstServer[number] += firstServer[number - 1];
        }
        int[] next = firstServer.clone();
        for (int server = 0; server < host.length; server++) {
            serversByHost[next[host[server]]++] = server;
        }
    }

    int host(int server) {
        return host[server];
    }

    /** The number of this host; {@link #UNKNOWN} where it has no server. */
    int hostNamed(String name) {
        return hostNumber.getOrDefault(name, UNKNOWN);
    }

    /** The rack of this server; {@link #UNKNOWN} where nobody has said. */
    int rack(int server) {
        return rack[server];
    }

    /** How many hosts have servers. */
    int hosts() {
        return hostNumber.size();
    }

    /** How many racks are known. */
    int racks() {
        return racks;
    }

    /** Where the servers of this host begin in {@link #serverOnHost}; those of the next host follow. */
    int firstServer(int hostNumber) {
        return firstServer[hostNumber];
    }

    int serverOnHost(int position) {
        return serversByHost[position];
    }
}
