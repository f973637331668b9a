// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan.family;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A cluster for tests, written down server by server. */
final class HandMadeCluster {

    static final PlanGoals READS = PlanGoals.of(Map.of(LoadDimension.READS, new DimensionGoal(200, 1.1, 1.03, 0)));

    private final Map<ServerId, List<RegionState>> regions = new LinkedHashMap<>();
    private final Map<ServerId, ServerState> states = new LinkedHashMap<>();
    private Pin pin = Pin.FREE;
    private ServerId server = new ServerId("none", 1, 1);

    /** One more server, with regions of these reads, named by server and place: {@code a-0}. */
    HandMadeCluster server(String host, String rack, double capacity, double... reads) {
        server = new ServerId(host, 1, 1);
        states.put(server, new ServerState(server, rack, capacity));
        regions.put(server, new ArrayList<>());
        for (int place = 0; place < reads.length; place++) {
            region(host + "-" + place, host + "-" + place, LoadVector.ofReads(reads[place]));
        }
        return this;
    }

    HandMadeCluster server(String host, double... reads) {
        return server(host, "/r", 1, reads);
    }

    /** One more server, with regions of these reads, that may only give regions away. */
    HandMadeCluster serverReceivingNone(String host, double... reads) {
        server(host, reads);
        states.put(server, new ServerState(server, "/r", 1, false));
        return this;
    }

    /** One more server whose regions may not be moved. */
    HandMadeCluster pinnedServer(String host, double... reads) {
        pin = Pin.MOVED_MANUALLY;
        server(host, reads);
        pin = Pin.FREE;
        return this;
    }

    /** One more region on the last server. */
    HandMadeCluster region(String name, String primary, LoadVector load) {
        regions.computeIfAbsent(server, any -> new ArrayList<>())
                .add(new RegionState(
                        new EncodedRegionName(name),
                        new EncodedRegionName(primary),
                        new TableId("t"),
                        load,
                        pin,
                        LocalBytes.UNKNOWN));
        return this;
    }

    ClusterState state() {
        return ClusterState.of(regions, states);
    }
}
