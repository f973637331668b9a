// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import io.hearth.balancer.heat.SuspectServer;
import io.hearth.balancer.state.ClusterState;
import io.hearth.common.model.ServerId;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The servers of a snapshot that are given no regions for the sake of heat, each with the reason as the end of a sentence, and
 * whether that is so many that nothing moves. Immutable.
 *
 * @param reasonByServer sorted by server
 * @param nothingMoves why nothing moves at all, as the end of a sentence; empty where something may
 */
public record ExcludedServers(SortedMap<ServerId, String> reasonByServer, Optional<String> nothingMoves) {

    /** Every server may be given regions. */
    public static final ExcludedServers NONE = new ExcludedServers(new TreeMap<>(), Optional.empty());

    /** Where more than one in so many servers is suspect, the cause is probably shared: HDFS, or the network. */
    private static final int MOST_SUSPECT_ONE_IN = 3;

    private static final int LEAST_SUSPECT = 2;

    public ExcludedServers {
        reasonByServer = Collections.unmodifiableSortedMap(new TreeMap<>(reasonByServer));
    }

    /**
     * Those of this snapshot.
     *
     * @param others the servers that are excluded for another reason than what they serve
     * @param braked why nothing moves whatever servers there are, as the end of a sentence; empty where nobody brakes
     */
    static ExcludedServers of(
            ClusterState snapshot,
            Collection<SuspectServer> suspects,
            Map<ServerId, String> others,
            Optional<String> braked) {
        SortedMap<ServerId, String> reasons = new TreeMap<>(others);
        suspects.forEach(suspect -> reasons.put(suspect.server(), suspect.why()));
        if (!reasons.isEmpty()) {
            reasons.keySet().retainAll(Set.copyOf(snapshot.serverIds()));
        }
        int servers = snapshot.servers().size();
        long sick = suspects.stream()
                .filter(suspect -> reasons.containsKey(suspect.server()))
                .count();
        return new ExcludedServers(
                reasons,
                braked.or(() -> isCommon(sick, servers)
                        ? Optional.of(sick + " of " + servers
                                + " servers serve much less than they did; what they share (HDFS, the network) may be"
                                + " sick, and moves would not help")
                        : Optional.empty()));
    }

    /** Whether so many of these servers are suspect that what they share must be sick. */
    public static boolean isCommon(long suspects, int servers) {
        return suspects >= LEAST_SUSPECT && suspects * MOST_SUSPECT_ONE_IN > servers;
    }

    /** Those of the whole cluster now, sorted by server. */
    static List<ExcludedServer> now(Collection<SuspectServer> suspects, Map<ServerId, String> others) {
        SortedMap<ServerId, ExcludedServer> excluded = new TreeMap<>();
        others.forEach((server, why) -> excluded.put(server, new ExcludedServer(server, why, OptionalLong.empty())));
        suspects.forEach(suspect -> excluded.put(
                suspect.server(),
                new ExcludedServer(suspect.server(), suspect.why(), OptionalLong.of(suspect.sinceMs()))));
        return List.copyOf(excluded.values());
    }

    /**
     * A server that is given no regions now. Immutable.
     *
     * @param why the end of a sentence
     * @param sinceMs since when, in milliseconds since 1970; empty where that is not known
     */
    public record ExcludedServer(ServerId server, String why, OptionalLong sinceMs) {}
}
