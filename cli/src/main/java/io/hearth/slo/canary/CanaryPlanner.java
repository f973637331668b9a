// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.canary;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Says the next step to one canary region on each server that may have one.
 *
 * <p>Goal: every server has a region. More regions than servers do no harm.
 *
 * <p>Constraints: one step at a time; none while a region has no server, since it may be on its way to one; no move where the balancer in
 * the master does that; never the only region of a server that may have one.
 *
 * <p>Algorithm: a server without a region gets one of the most that any server has, or one of a server that is drained. Where there is
 * none to spare and there are fewer regions than servers, the region with the widest range of keys is split. Both halves stay on its
 * server until the next step, so that a and b with one region each, and c, come to a:1 b:1 c:1 by a split and a move.
 *
 * <p>Pure.
 */
public final class CanaryPlanner {

    private CanaryPlanner() {}

    /**
     * A region of the canary table.
     *
     * @param name its encoded name
     * @param keys empty if somebody has split the table at other keys: it is never split then
     * @param server the full name of its server; empty while it has none
     */
    public record CanaryRegion(String name, Optional<CanaryKeyRange> keys, Optional<String> server) {}

    /** What is to be done next. */
    public sealed interface Step {

        /** The region is moved to the server. */
        record Move(String region, String server) implements Step {}

        /** The region is split at the key. */
        record Split(String region, String key) implements Step {}
    }

    /**
     * The next step; empty if there is none.
     *
     * @param servers the full names of the live servers that may have one: not those that are drained
     * @param refusing servers that did not take the region that was moved to them, as those of another group of servers do
     * @param mayMove whether nobody else places the regions
     */
    public static Optional<Step> next(
            List<CanaryRegion> regions, Set<String> servers, Set<String> refusing, boolean mayMove) {
        if (regions.stream().anyMatch(region -> region.server().isEmpty())) {
            return Optional.empty();
        }
        Map<String, List<CanaryRegion>> byServer = new HashMap<>();
        regions.forEach(region -> byServer.computeIfAbsent(region.server().get(), server -> new ArrayList<>())
                .add(region));
        TreeSet<String> without = new TreeSet<>(servers);
        without.removeAll(byServer.keySet());
        without.removeAll(refusing);
        if (without.isEmpty()) {
            return Optional.empty();
        }
        Optional<CanaryRegion> spare = spare(byServer, servers);
        if (spare.isPresent()) {
            return mayMove ? Optional.of(new Step.Move(spare.get().name(), without.first())) : Optional.empty();
        }
        return regions.size() < servers.size() ? split(regions) : Optional.empty();
    }

    /** A region of the server that has the most, or of one that may have none. */
    private static Optional<CanaryRegion> spare(Map<String, List<CanaryRegion>> byServer, Set<String> servers) {
        return byServer.entrySet().stream()
                .filter(entry -> entry.getValue().size() > 1 || !servers.contains(entry.getKey()))
                .max(Comparator.<Map.Entry<String, List<CanaryRegion>>>comparingInt(
                                entry -> servers.contains(entry.getKey())
                                        ? entry.getValue().size()
                                        : Integer.MAX_VALUE)
                        .thenComparing(Map.Entry.comparingByKey()))
                .flatMap(entry -> entry.getValue().stream().max(Comparator.comparing(CanaryRegion::name)));
    }

    private static Optional<Step> split(List<CanaryRegion> regions) {
        return regions.stream()
                .filter(region -> region.keys().flatMap(CanaryKeyRange::middle).isPresent())
                .max(Comparator.<CanaryRegion>comparingLong(
                                region -> region.keys().get().width())
                        .thenComparing(CanaryRegion::name))
                .map(region -> new Step.Split(
                        region.name(),
                        region.keys().flatMap(CanaryKeyRange::middle).get()));
    }
}
