// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim.oracle;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.EncodedRegionName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Says which hard rules a cluster breaks after a plan, by going through every region: none of the planner's search takes part, so
 * that the two can disagree. What is fair beside oversized regions is taken from {@link io.hearth.balancer.share.FairShares}.
 */
public final class RuleCheck {

    private RuleCheck() {}

    /** What does not hold after the plan, each in a sentence with its number. */
    public static List<String> problems(ClusterState before, ClusterState after, PlanGoals goals) {
        List<String> problems = new ArrayList<>();
        if (!regions(before).equals(regions(after))) {
            problems.add("the regions are not the same before and after");
        }
        int onHost = together(after, server -> server.server().host());
        if (onHost > 0) {
            problems.add(onHost + " regions have replicas on one host");
        }
        int onRack = together(after, ServerState::rack);
        if (onRack > 0) {
            problems.add(onRack + " regions have replicas on one rack");
        }
        problems.addAll(counts(before, after, goals));
        return problems;
    }

    /** The servers with fewer or more regions than they may have, each in a sentence. */
    public static List<String> counts(ClusterState before, ClusterState after, PlanGoals goals) {
        List<String> problems = new ArrayList<>();
        RegionCountLimits limits = RegionCountLimits.of(after, goals.counts());
        FewestRegions fewest = new FewestRegions(before, after, goals, limits);
        for (int server = 0; server < after.servers().size(); server++) {
            int count = after.regionsOf(server).size();
            if (count < fewest.of(server) || count > limits.most(server)) {
                problems.add(after.serverId(server).host() + " has " + count + " regions, outside " + fewest.of(server)
                        + " to " + limits.most(server));
            }
        }
        return problems;
    }

    /** Every region with a number of its occurrences, so that one that is twice there is seen. */
    private static Map<EncodedRegionName, Integer> regions(ClusterState cluster) {
        Map<EncodedRegionName, Integer> regions = new HashMap<>();
        cluster.servers()
                .forEach(server -> server.regions().forEach(region -> regions.merge(region.region(), 1, Integer::sum)));
        return regions;
    }

    /** Of how many regions two replicas share a place, where there are as many places as replicas. */
    private static int together(ClusterState cluster, Function<ServerState, String> placeOf) {
        Map<EncodedRegionName, List<String>> placesByPrimary = new HashMap<>();
        Set<String> places = new HashSet<>();
        for (ServerState server : cluster.servers()) {
            places.add(placeOf.apply(server));
            for (RegionState region : server.regions()) {
                placesByPrimary
                        .computeIfAbsent(region.primary(), any -> new ArrayList<>())
                        .add(placeOf.apply(server));
            }
        }
        return (int) placesByPrimary.values().stream()
                .filter(of -> of.size() <= places.size() && new HashSet<>(of).size() < of.size())
                .count();
    }
}
