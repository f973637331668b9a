// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.placement;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The moves that leave one region of the canary table on each server: the regions that an SLO watch reads and writes, to know how each
 * server answers. Immutable.
 *
 * <p><b>Goals.</b> As many servers as can be have one; where there are more regions than servers, no server has two more than another.
 * Few moves: a region alone on its server stays. Region replicas are spread the same way, those of one replica id apart from the others.
 *
 * <p><b>Constraints.</b> A server that is closed is given none. No region comes to a host with another replica of it.
 *
 * <p><b>Algorithm.</b> The server with most regions of a replica id gives one to the server with fewest, until they differ by one at most;
 * of the regions the first by name goes that may. Where two replicas are left on one host, one of them changes places with a region that
 * may be there. Heat, bytes and suspicion play no part: a sick server is the one to watch.
 *
 * <p><b>Example.</b> Servers A with regions 1 and 2, B with region 3, C with none: region 1 moves from A to C.
 *
 * @param moves each region once, in the order of their names
 * @param regions how many there are, without replicas
 * @param servers how many servers there are
 * @param serversWithout how many of these have none when the moves are made
 */
public record CanaryPlacement(List<CanaryMove> moves, int regions, int servers, int serversWithout) {

    /** One region of the canary table, or one replica of it. Immutable; ordered by replica id and name. */
    public record CanaryRegion(EncodedRegionName region, EncodedRegionName primary, int replicaId)
            implements Comparable<CanaryRegion> {

        private static final Comparator<CanaryRegion> ORDER =
                Comparator.comparingInt(CanaryRegion::replicaId).thenComparing(CanaryRegion::region);

        @Override
        public int compareTo(CanaryRegion other) {
            return ORDER.compare(this, other);
        }
    }

    /** One move. Immutable. */
    public record CanaryMove(EncodedRegionName region, ServerId from, ServerId to) {}

    public CanaryPlacement {
        moves = List.copyOf(moves);
    }

    /**
     * The moves that are to be made.
     *
     * @param serverByRegion every region of the table with its server; those on other servers than these count nowhere
     * @param servers those that may have one
     * @param closed servers that are given none
     * @param maxMoves the rest is for the next run
     */
    public static CanaryPlacement plan(
            Map<CanaryRegion, ServerId> serverByRegion,
            Collection<ServerId> servers,
            Set<ServerId> closed,
            int maxMoves) {
        Layout layout = new Layout(serverByRegion, servers, closed);
        layout.even();
        layout.partReplicas();
        return layout.placement(serverByRegion, maxMoves);
    }

    /**
     * Where regions go that have no server: each to the server with fewest of its replica id, and to no host with another replica where
     * there is a choice.
     *
     * @param lost the regions without a server
     * @param serverByRegion where the others are
     * @param servers those that may be given one, at least one
     */
    public static SortedMap<CanaryRegion, ServerId> place(
            Collection<CanaryRegion> lost, Map<CanaryRegion, ServerId> serverByRegion, Collection<ServerId> servers) {
        Map<CanaryRegion, ServerId> others = new HashMap<>(serverByRegion);
        others.keySet().removeAll(Set.copyOf(lost));
        Layout layout = new Layout(others, servers, Set.of());
        SortedMap<CanaryRegion, ServerId> placed = new TreeMap<>();
        new TreeSet<>(lost).forEach(region -> placed.put(region, layout.place(region)));
        return placed;
    }

    /** Scratch: which region is where while moves are chosen. Not thread-safe. */
    private static final class Layout {

        private final NavigableSet<ServerId> servers;
        private final Set<ServerId> closed;
        private final Map<CanaryRegion, ServerId> serverByRegion = new TreeMap<>();
        private final NavigableMap<Integer, Map<ServerId, NavigableSet<CanaryRegion>>> regionsByReplicaId =
                new TreeMap<>();
        /** How many replicas of a region are on a host, by host and primary. */
        private final Map<String, Map<EncodedRegionName, Integer>> replicasByHost = new HashMap<>();

        Layout(Map<CanaryRegion, ServerId> assigned, Collection<ServerId> servers, Set<ServerId> closed) {
            this.servers = new TreeSet<>(servers);
            this.closed = closed;
            assigned.forEach((region, server) -> {
                if (this.servers.contains(server)) {
                    put(region, server);
                }
            });
        }

        private Map<ServerId, NavigableSet<CanaryRegion>> regions(int replicaId) {
            return regionsByReplicaId.computeIfAbsent(replicaId, first -> {
                Map<ServerId, NavigableSet<CanaryRegion>> none = new HashMap<>();
                servers.forEach(server -> none.put(server, new TreeSet<>()));
                return none;
            });
        }

        private NavigableSet<CanaryRegion> regions(int replicaId, ServerId server) {
            return regions(replicaId).getOrDefault(server, new TreeSet<>());
        }

        private void put(CanaryRegion region, ServerId server) {
            serverByRegion.put(region, server);
            regions(region.replicaId(), server).add(region);
            replicasByHost
                    .computeIfAbsent(server.host(), first -> new HashMap<>())
                    .merge(region.primary(), 1, Integer::sum);
        }

        private void move(CanaryRegion region, ServerId from, ServerId to) {
            regions(region.replicaId(), from).remove(region);
            replicasByHost.getOrDefault(from.host(), new HashMap<>()).merge(region.primary(), -1, Integer::sum);
            put(region, to);
        }

        /** Whether this host would have another replica of the region, were the region on it. */
        private boolean meetsReplica(CanaryRegion region, ServerId server) {
            int there = replicasByHost.getOrDefault(server.host(), Map.of()).getOrDefault(region.primary(), 0);
            ServerId now = serverByRegion.get(region);
            boolean isThere = now != null && now.host().equals(server.host());
            return there > (isThere ? 1 : 0);
        }

        void even() {
            List.copyOf(regionsByReplicaId.keySet()).forEach(this::even);
        }

        private void even(int replicaId) {
            NavigableMap<Integer, NavigableSet<ServerId>> serversByCount = new TreeMap<>();
            servers.forEach(
                    server -> add(serversByCount, regions(replicaId, server).size(), server));
            Optional<Step> step = evenStep(replicaId, serversByCount);
            while (step.isPresent()) {
                Step taken = step.get();
                int given = regions(replicaId, taken.from).size();
                int received = regions(replicaId, taken.to).size();
                move(taken.region, taken.from, taken.to);
                remove(serversByCount, given, taken.from);
                add(serversByCount, given - 1, taken.from);
                remove(serversByCount, received, taken.to);
                add(serversByCount, received + 1, taken.to);
                step = evenStep(replicaId, serversByCount);
            }
        }

        private record Step(CanaryRegion region, ServerId from, ServerId to) {}

        private static void add(
                NavigableMap<Integer, NavigableSet<ServerId>> serversByCount, int count, ServerId server) {
            serversByCount.computeIfAbsent(count, first -> new TreeSet<>()).add(server);
        }

        private static void remove(
                NavigableMap<Integer, NavigableSet<ServerId>> serversByCount, int count, ServerId server) {
            NavigableSet<ServerId> alike = serversByCount.getOrDefault(count, new TreeSet<>());
            alike.remove(server);
            if (alike.isEmpty()) {
                serversByCount.remove(count);
            }
        }

        /** The first region that may move from a server with most to one with two fewer at least. */
        private Optional<Step> evenStep(int replicaId, NavigableMap<Integer, NavigableSet<ServerId>> serversByCount) {
            for (Map.Entry<Integer, NavigableSet<ServerId>> most :
                    serversByCount.descendingMap().entrySet()) {
                NavigableMap<Integer, NavigableSet<ServerId>> fewer = serversByCount.headMap(most.getKey() - 2, true);
                for (ServerId from : most.getValue()) {
                    for (NavigableSet<ServerId> fewest : fewer.values()) {
                        Optional<Step> step = step(replicaId, from, fewest);
                        if (step.isPresent()) {
                            return step;
                        }
                    }
                }
            }
            return Optional.empty();
        }

        private Optional<Step> step(int replicaId, ServerId from, Collection<ServerId> targets) {
            for (ServerId to : targets) {
                if (!closed.contains(to)) {
                    for (CanaryRegion region : regions(replicaId, from)) {
                        if (!meetsReplica(region, to)) {
                            return Optional.of(new Step(region, from, to));
                        }
                    }
                }
            }
            return Optional.empty();
        }

        void partReplicas() {
            for (CanaryRegion region : List.copyOf(serverByRegion.keySet())) {
                ServerId from = server(region);
                if (meetsReplica(region, from)) {
                    part(region, from);
                }
            }
        }

        /** Moves a region to a server with fewer of its kind, or has it change places with one. */
        private void part(CanaryRegion region, ServerId from) {
            int replicaId = region.replicaId();
            for (ServerId to : servers) {
                if (!closed.contains(to) && !to.host().equals(from.host()) && !meetsReplica(region, to)) {
                    if (regions(replicaId, to).size() < regions(replicaId, from).size()) {
                        move(region, from, to);
                        return;
                    }
                    Optional<CanaryRegion> other = regions(replicaId, to).stream()
                            .filter(back -> !closed.contains(from) && !meetsReplica(back, from))
                            .findFirst();
                    if (other.isPresent()) {
                        move(region, from, to);
                        move(other.get(), to, from);
                        return;
                    }
                }
            }
        }

        private ServerId server(CanaryRegion region) {
            ServerId server = serverByRegion.get(region);
            if (server == null) {
                throw new IllegalStateException(region + " has no server.");
            }
            return server;
        }

        ServerId place(CanaryRegion region) {
            ServerId best = servers.stream()
                    .min(Comparator.comparing((ServerId server) -> meetsReplica(region, server))
                            .thenComparingInt(server ->
                                    regions(region.replicaId(), server).size())
                            .thenComparing(Comparator.naturalOrder()))
                    .orElseThrow(() -> new IllegalArgumentException("There is no server for a canary region."));
            put(region, best);
            return best;
        }

        CanaryPlacement placement(Map<CanaryRegion, ServerId> before, int maxMoves) {
            List<CanaryMove> moves = new ArrayList<>();
            serverByRegion.forEach((region, to) -> {
                ServerId from = before.get(region);
                if (from != null && !from.equals(to) && moves.size() < maxMoves) {
                    moves.add(new CanaryMove(region.region(), from, to));
                }
            });
            int primaries = 0;
            int without = 0;
            for (ServerId server : servers) {
                int count = regions(0, server).size();
                primaries += count;
                without += count == 0 ? 1 : 0;
            }
            return new CanaryPlacement(moves, primaries, servers.size(), without);
        }
    }
}
