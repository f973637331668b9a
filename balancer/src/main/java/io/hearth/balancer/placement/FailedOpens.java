// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.placement;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which regions did not open where they were sent. HBase does not say so: it asks for another server, and the region was not seen open
 * on the last one since. A move, of a plan or a manual one, is sent too: the master asks for its target by {@code retainAssignment}.
 *
 * <p>A region is kept away from the servers on which it failed; one that failed on {@value #FAILURES_UNTIL_STOCK} is left to the stock
 * balancer. A server on which {@value #REGIONS_TO_EXCLUDE} different regions failed is closed: one host without a codec or a jar
 * would otherwise be tried for every region whose bytes it has. A region that failed on most servers, or on {@value #SERVERS_UNTIL_REGION},
 * closes none: it is the region that does not open, and HBase tries it on one server after the other. All of that is forgotten
 * {@value #KEEP_MS} ms after the last failure. Thread-safe; no method blocks or calls elsewhere.
 */
public final class FailedOpens {

    /** How long a failure counts, in milliseconds. */
    static final long KEEP_MS = 600_000;

    /** So many different regions that fail on a server in that time close it. */
    static final int REGIONS_TO_EXCLUDE = 3;

    /** After so many failures a region is the stock balancer's. */
    static final int FAILURES_UNTIL_STOCK = 2;

    /** A region that failed on so many is no server's fault: HBase tries it every few minutes, which is never on most of a hundred. */
    static final int SERVERS_UNTIL_REGION = 4;

    private static final int FEW_ATTEMPTS = 1_000;

    /** So many failures wait to be fetched; where nobody fetches them the oldest are lost. */
    static final int UNFETCHED = 1_000;

    private final Map<EncodedRegionName, Attempt> attemptByRegion = new HashMap<>();
    private int attemptsToForgetAt = FEW_ATTEMPTS;
    private final Map<ServerId, Map<EncodedRegionName, Failure>> failuresByServer = new HashMap<>();
    /** Of a region whose last failure counts: every server on which it has failed since it was open. */
    private final Map<EncodedRegionName, FailedRegion> failedRegions = new HashMap<>();

    private final Deque<FailedOpen> unfetched = new ArrayDeque<>();

    /** A region that did not open on this server. */
    public record FailedOpen(EncodedRegionName region, ServerId server) {}

    private record FailedRegion(Set<ServerId> servers, long lastMs) {}

    /**
     * What tells that a region has opened since.
     *
     * @param openSeqNum the number of its last opening anywhere, or anything below 0 where nobody knows
     */
    private record Attempt(ServerId server, long openSeqNum, long sentMs) {}

    /**
     * A region did not open.
     *
     * @param servers how many there were to choose from
     */
    private record Failure(long atMs, int servers) {

        /** Whether a region that failed on so many would fail anywhere: a table's codec or coprocessor is missing. */
        boolean isTheRegions(int failedOn) {
            return 2 * failedOn > servers || failedOn >= SERVERS_UNTIL_REGION;
        }
    }

    /** A region was sent to this server. */
    public synchronized void sent(EncodedRegionName region, ServerId server, long openSeqNum, long nowMs) {
        if (attemptByRegion.size() >= attemptsToForgetAt) {
            // Where Hearth is off nobody settles, and regions come and go.
            forgetAttempts(nowMs);
            attemptsToForgetAt = Math.max(FEW_ATTEMPTS, 2 * attemptByRegion.size());
        }
        attemptByRegion.put(region, new Attempt(server, openSeqNum, nowMs));
    }

    /** The region is open, wherever it was sent. */
    public synchronized void opened(EncodedRegionName region) {
        attemptByRegion.remove(region);
        forgetFailures(region);
    }

    private void forgetFailures(EncodedRegionName region) {
        failedRegions.remove(region);
        failuresByServer.values().forEach(failed -> failed.remove(region));
    }

    private Set<ServerId> failedEver(EncodedRegionName region, long nowMs) {
        FailedRegion failed = failedRegions.get(region);
        return failed != null && isWithin(nowMs - failed.lastMs) ? failed.servers : Set.of();
    }

    /**
     * HBase asks where a region is to go. If it was sent somewhere and has not opened there since, it failed there.
     *
     * @param openSeqNum as for {@link #sent}
     * @param servers those that there are now: one that has died is not to blame
     */
    public synchronized void asked(
            EncodedRegionName region, long openSeqNum, PlacementView view, Collection<ServerId> servers, long nowMs) {
        Attempt sent = attemptByRegion.remove(region);
        if (sent == null || !isWithin(nowMs - sent.sentMs)) {
            return;
        }
        boolean isKnown = openSeqNum >= 0 && sent.openSeqNum >= 0;
        boolean isSeenThere =
                view.takenMs() > sent.sentMs && view.serverOf(region).equals(Optional.of(sent.server));
        if (isKnown ? openSeqNum != sent.openSeqNum : isSeenThere) {
            forgetFailures(region);
        } else if (servers.contains(sent.server)) {
            failuresByServer
                    .computeIfAbsent(sent.server, first -> new HashMap<>())
                    .put(region, new Failure(nowMs, servers.size()));
            Set<ServerId> failedOn = new HashSet<>(failedEver(region, nowMs));
            failedOn.add(sent.server);
            failedRegions.put(region, new FailedRegion(failedOn, nowMs));
            if (unfetched.size() >= UNFETCHED) {
                unfetched.removeFirst();
            }
            unfetched.addLast(new FailedOpen(region, sent.server));
        }
    }

    /** What did not open since the last call, oldest first. */
    public synchronized List<FailedOpen> takeFailures() {
        List<FailedOpen> taken = List.copyOf(unfetched);
        unfetched.clear();
        return taken;
    }

    /** The servers on which this region failed. */
    public synchronized Set<ServerId> failedOn(EncodedRegionName region, long nowMs) {
        Set<ServerId> servers = new HashSet<>();
        failuresByServer.forEach((server, failed) -> {
            Failure failure = failed.get(region);
            if (failure != null && isWithin(nowMs - failure.atMs)) {
                servers.add(server);
            }
        });
        return servers;
    }

    /** Whether this region failed so often that the stock balancer places it. */
    public boolean isPlacedByStock(EncodedRegionName region, long nowMs) {
        return failedOn(region, nowMs).size() >= FAILURES_UNTIL_STOCK;
    }

    /**
     * Those of these servers that are given nothing, each with the reason as the end of a sentence; never most of them, which share what is
     * wrong.
     *
     * @param servers those that there are, of the cluster or of a group
     */
    public synchronized SortedMap<ServerId, String> excluded(Set<ServerId> servers, long nowMs) {
        SortedMap<ServerId, String> excluded = new TreeMap<>();
        failuresByServer.forEach((server, failed) -> {
            long recent = failed.entrySet().stream()
                    .filter(entry -> isWithin(nowMs - entry.getValue().atMs))
                    .filter(entry -> !entry.getValue()
                            .isTheRegions(failedEver(entry.getKey(), nowMs).size()))
                    .count();
            if (recent >= REGIONS_TO_EXCLUDE && servers.contains(server)) {
                excluded.put(
                        server, recent + " regions did not open there in the last " + KEEP_MS / 60_000 + " minutes");
            }
        });
        return 2 * excluded.size() > servers.size() ? new TreeMap<>() : excluded;
    }

    /** Forgets what is over, what has opened, and servers that are gone. */
    public synchronized void settle(PlacementView view) {
        long nowMs = view.takenMs();
        failuresByServer.keySet().removeIf(server -> !view.knows(server));
        failuresByServer.values().forEach(failed -> failed.values()
                .removeIf(failure -> !isWithin(nowMs - failure.atMs)));
        failuresByServer.values().removeIf(Map::isEmpty);
        failedRegions.values().removeIf(failed -> !isWithin(nowMs - failed.lastMs));
        forgetAttempts(nowMs);
    }

    private void forgetAttempts(long nowMs) {
        attemptByRegion.entrySet().removeIf(entry -> !isWithin(nowMs - entry.getValue().sentMs));
    }

    /** How many regions were sent somewhere of which it is not known whether they have opened. */
    synchronized int attempts() {
        return attemptByRegion.size();
    }

    private static boolean isWithin(long ageMs) {
        return Math.abs(ageMs) <= KEEP_MS;
    }
}
