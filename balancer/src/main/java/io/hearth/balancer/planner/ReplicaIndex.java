// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.common.model.EncodedRegionName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which regions are replicas of one another, and whether they share a host or a rack. Racks count for a region that has no
 * more replicas than there are racks; a rack that is not known tells nothing apart. Not changed once made.
 */
final class ReplicaIndex {

    private static final int ALONE = -1;

    private final TopologyIndex places;
    private final int[] groupOf;
    private final int[][] members;

    ReplicaIndex(PlanIndex index, TopologyIndex places) {
        this.places = places;
        groupOf = new int[index.regions];
        Arrays.fill(groupOf, ALONE);
        members = groups(index, replicatedPrimaries(index));
    }

    private static Map<EncodedRegionName, Integer> replicatedPrimaries(PlanIndex index) {
        Map<EncodedRegionName, Integer> groupByPrimary = new HashMap<>();
        for (int region = 0; region < index.regions; region++) {
            EncodedRegionName primary = index.state[region].primary();
            if (!primary.equals(index.state[region].region())) {
                groupByPrimary.putIfAbsent(primary, groupByPrimary.size());
            }
        }
        return groupByPrimary;
    }

    private int[][] groups(PlanIndex index, Map<EncodedRegionName, Integer> groupByPrimary) {
        if (groupByPrimary.isEmpty()) {
            return new int[0][];
        }
        List<List<Integer>> groups = new ArrayList<>();
        groupByPrimary.forEach((primary, group) -> groups.add(new ArrayList<>()));
        for (int region = 0; region < index.regions; region++) {
            Integer group = groupByPrimary.get(index.state[region].primary());
            if (group != null) {
                groupOf[region] = group;
                groups.get(group).add(region);
            }
        }
        return groups.stream()
                .map(group -> group.stream().mapToInt(Integer::intValue).toArray())
                .toArray(int[][]::new);
    }

    /** Whether there are no replicas at all. */
    boolean isEmpty() {
        return members.length == 0;
    }

    /** Whether another replica of this region is on the host of this server. */
    boolean sharesHost(int region, int server, int[] serverOf) {
        if (groupOf[region] == ALONE) {
            return false;
        }
        for (int other : members[groupOf[region]]) {
            if (other != region && places.host(serverOf[other]) == places.host(server)) {
                return true;
            }
        }
        return false;
    }

    /** Whether another replica of this region is on the rack of this server, and there are racks enough. */
    boolean sharesRack(int region, int server, int[] serverOf) {
        if (groupOf[region] == ALONE
                || places.rack(server) == TopologyIndex.UNKNOWN
                || members[groupOf[region]].length > places.racks()) {
            return false;
        }
        for (int other : members[groupOf[region]]) {
            if (other != region && places.rack(serverOf[other]) == places.rack(server)) {
                return true;
            }
        }
        return false;
    }
}
