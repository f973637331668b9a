// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.config.MoveTrackerConfig;
import io.hearth.balancer.heat.RegionLoads;
import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import io.hearth.balancer.plan.Objective;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.Plan.DimensionOutcome;
import io.hearth.balancer.plan.Plan.LocalityOutcome;
import io.hearth.balancer.plan.Plan.RegionCountOutcome;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.plan.PlannedMove.MoveScore;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** What tests of move tracking are written in: servers a, b, c, regions, plans, reports, minutes. */
final class TrackerSteps {

    static final long MINUTE = 60_000;
    static final long HOUR = 60 * MINUTE;

    /** When every test begins. */
    static final long T0 = 1_700_000_000_000L;

    static final ServerId A = server("a");
    static final ServerId B = server("b");
    static final ServerId C = server("c");
    static final TableId TABLE = new TableId("ns:t");
    static final EncodedRegionName R = region(1);

    /** Servers a, b and c. */
    static final String GROUP = "a:16020";

    static final RegionRequestRates UNKNOWN_HEAT = region -> OptionalDouble.empty();

    /** Every region has a write a second. */
    static final RegionLoads LOADED = region -> Optional.of(LoadVector.ofWrites(1));

    /** Where a plan leaves all load on one of two servers, so that what is uneven later is so by its own doing. */
    static final PlannedPlacement UNEVEN = placement(List.of(R), List.of());

    static final Map<LoadDimension, Double> TRIGGERS = Map.of(LoadDimension.READS, 1.1, LoadDimension.WRITES, 1.1);

    private TrackerSteps() {}

    static ServerId server(String host) {
        return new ServerId(host, 16020, 1);
    }

    static EncodedRegionName region(int number) {
        return new EncodedRegionName(String.format("%032x", number));
    }

    static PlannedMove move(EncodedRegionName region, ServerId from, ServerId to) {
        return move(region, from, to, Objective.WRITES);
    }

    static PlannedMove move(EncodedRegionName region, ServerId from, ServerId to, Objective because) {
        return new PlannedMove(
                region,
                TABLE,
                LoadVector.ZERO,
                from,
                to,
                because,
                new MoveScore(Map.of(), OptionalLong.empty()),
                Optional.empty(),
                Optional.empty());
    }

    static Plan plan(PlannedMove... moves) {
        return plan(1.0, 1.0, moves);
    }

    /** A plan that finds and promises these max/mean of writes. */
    static Plan plan(double writesBefore, double writesAfter, PlannedMove... moves) {
        return new Plan(
                List.of(moves),
                Map.of(LoadDimension.WRITES, new DimensionOutcome(true, writesBefore, writesAfter, 1, 0)),
                new RegionCountOutcome(0, 0, 0, 0, 0, 0),
                new LocalityOutcome(0, 0, 0),
                List.of(),
                Map.of());
    }

    /** These regions on servers a and b, when a plan is done. */
    static PlannedPlacement placement(List<EncodedRegionName> onA, List<EncodedRegionName> onB, PlannedMove... moves) {
        return PlannedPlacement.of(ClusterState.of(Map.of(A, states(onA), B, states(onB))), plan(moves));
    }

    private static List<RegionState> states(List<EncodedRegionName> regions) {
        return regions.stream()
                .map(region -> new RegionState(region, TABLE, LoadVector.ofWrites(1), Pin.FREE))
                .toList();
    }

    static ServerReport report(ServerId server, long timeMs, EncodedRegionName... regions) {
        return new ServerReport(
                server,
                timeMs,
                Arrays.stream(regions)
                        .map(region -> new RegionReport(region, TABLE, 0, 0, 0))
                        .toList());
    }

    /**
     * A configuration with these values, by key without {@code hearth.balancer.}, and the defaults elsewhere; but that no region
     * rests for a day, which is longer than the stories of the other rules.
     */
    static MoveTrackerConfig config(String... keysAndValues) {
        Map<String, String> values = new HashMap<>(Map.of("hearth.balancer.rest.ms", "0"));
        for (int index = 0; index < keysAndValues.length; index += 2) {
            values.put("hearth.balancer." + keysAndValues[index], keysAndValues[index + 1]);
        }
        BalancerConfig config = BalancerConfig.read("test", new MapSettings(values), key -> false);
        if (!config.problems().isEmpty()) {
            throw new IllegalArgumentException("" + config.problems());
        }
        return config.tracker();
    }

    /** Moves a region by a plan and lets the target report it a minute later. */
    static void moveAndLand(MoveTracker tracker, EncodedRegionName region, ServerId from, ServerId to, long nowMs) {
        tracker.runStarted(nowMs);
        tracker.planned(plan(move(region, from, to)), GROUP, TRIGGERS, UNEVEN, LOADED, nowMs);
        land(tracker, region, to, nowMs + MINUTE);
    }

    /** Lets this server report the region. */
    static void land(MoveTracker tracker, EncodedRegionName region, ServerId on, long nowMs) {
        tracker.observed(List.of(report(on, nowMs, region)), UNKNOWN_HEAT, nowMs);
    }

    /** Where each region in flight is going. */
    static Map<EncodedRegionName, ServerId> targets(MoveTracker tracker, long nowMs) {
        return tracker.pinned(nowMs).stream()
                .filter(pinned -> pinned.pin() == Pin.IN_FLIGHT)
                .collect(Collectors.toMap(PinnedRegion::region, PinnedRegion::server));
    }

    static List<String> texts(List<TrackerEvent> events) {
        return events.stream().map(TrackerEvent::text).toList();
    }
}
