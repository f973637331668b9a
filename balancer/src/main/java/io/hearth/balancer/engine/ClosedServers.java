package io.hearth.balancer.engine;

import io.hearth.balancer.heat.SuspectServer;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.snapshot.ClusterSnapshot;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The servers of a snapshot that are given no regions for the sake of heat, each with the reason as the end of a sentence, and
 * whether that is so many that nothing moves. Immutable.
 *
 * @param reasonByServer sorted by server
 * @param nothingMoves why nothing moves at all, as the end of a sentence; empty where something may
 */
public record ClosedServers(SortedMap<ServerId, String> reasonByServer, Optional<String> nothingMoves) {

    /** Every server may be given regions. */
    public static final ClosedServers NONE = new ClosedServers(new TreeMap<>(), Optional.empty());

    /** Where more than one in so many servers are suspect, what they share is: most likely HDFS. */
    private static final int MOST_SUSPECT_ONE_IN = 3;

    private static final int LEAST_SUSPECT = 2;

    public ClosedServers {
        reasonByServer = Collections.unmodifiableSortedMap(new TreeMap<>(reasonByServer));
    }

    /**
     * Those of this snapshot.
     *
     * @param others the servers that are closed for another reason than what they serve
     */
    static ClosedServers of(
            ClusterSnapshot snapshot, Collection<SuspectServer> suspects, Map<ServerId, String> others) {
        SortedMap<ServerId, String> reasons = new TreeMap<>(others);
        suspects.forEach(suspect -> reasons.put(suspect.server(), suspect.why()));
        if (!reasons.isEmpty()) {
            reasons.keySet().retainAll(snapshot.servers());
        }
        int servers = snapshot.servers().size();
        long sick = suspects.stream()
                .filter(suspect -> reasons.containsKey(suspect.server()))
                .count();
        boolean isCommon = sick >= LEAST_SUSPECT && sick * MOST_SUSPECT_ONE_IN > servers;
        return new ClosedServers(
                reasons,
                isCommon
                        ? Optional.of(sick + " of " + servers
                                + " servers serve much less than they did; what they share (HDFS, the network) may be"
                                + " sick, and moves would not help")
                        : Optional.empty());
    }
}
