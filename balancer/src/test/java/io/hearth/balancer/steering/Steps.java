package io.hearth.balancer.steering;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.config.MapSettings;
import io.hearth.balancer.config.SteeringConfig;
import io.hearth.balancer.ingest.RegionReport;
import io.hearth.balancer.ingest.ServerReport;
import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.LoadVector;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import io.hearth.balancer.plan.Concern;
import io.hearth.balancer.plan.CountOutcome;
import io.hearth.balancer.plan.DimensionOutcome;
import io.hearth.balancer.plan.HealOutcome;
import io.hearth.balancer.plan.MoveMerit;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.snapshot.ClusterSnapshot;
import io.hearth.balancer.snapshot.Pin;
import io.hearth.balancer.snapshot.RegionState;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** What tests of steering are written in: servers a, b, c, regions, plans, reports, minutes. */
final class Steps {

    static final long MINUTE = 60_000;
    static final long HOUR = 60 * MINUTE;

    /** When every test begins. */
    static final long T0 = 1_700_000_000_000L;

    static final ServerId A = server("a");
    static final ServerId B = server("b");
    static final ServerId C = server("c");
    static final TableId TABLE = new TableId("ns:t");
    static final RegionId R = region(1);

    /** Servers a, b and c. */
    static final String GROUP = "a:16020";

    static final HeatLook UNKNOWN_HEAT = region -> OptionalDouble.empty();

    /** Every region has a write a second. */
    static final LoadLook LOADED = (region, table) -> Optional.of(LoadVector.of(0, 1, 0));

    /** Where a plan leaves all load on one of two servers, so that what is uneven later is so by its own doing. */
    static final PlannedPlacement UNEVEN = placement(List.of(R), List.of());

    static final Map<LoadDimension, Double> TRIGGERS = Map.of(LoadDimension.READS, 1.1, LoadDimension.WRITES, 1.1);

    private Steps() {}

    static ServerId server(String host) {
        return new ServerId(host, 16020, 1);
    }

    static RegionId region(int number) {
        return new RegionId(String.format("%032x", number));
    }

    static PlannedMove move(RegionId region, ServerId from, ServerId to) {
        return move(region, from, to, Concern.WRITES);
    }

    static PlannedMove move(RegionId region, ServerId from, ServerId to, Concern because) {
        return new PlannedMove(
                region,
                TABLE,
                LoadVector.ZERO,
                from,
                to,
                because,
                new MoveMerit(Map.of(), OptionalLong.empty()),
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
                new CountOutcome(0, 0, 0, 0, 0, 0),
                new HealOutcome(0, 0),
                List.of(),
                Map.of());
    }

    /** These regions on servers a and b, when a plan is done. */
    static PlannedPlacement placement(List<RegionId> onA, List<RegionId> onB, PlannedMove... moves) {
        return PlannedPlacement.of(ClusterSnapshot.of(Map.of(A, states(onA), B, states(onB))), plan(moves));
    }

    private static List<RegionState> states(List<RegionId> regions) {
        return regions.stream()
                .map(region -> new RegionState(region, TABLE, LoadVector.of(0, 1, 0), Pin.FREE))
                .toList();
    }

    static ServerReport report(ServerId server, long timeMs, RegionId... regions) {
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
    static SteeringConfig config(String... keysAndValues) {
        Map<String, String> values = new HashMap<>(Map.of("hearth.balancer.rest.ms", "0"));
        for (int index = 0; index < keysAndValues.length; index += 2) {
            values.put("hearth.balancer." + keysAndValues[index], keysAndValues[index + 1]);
        }
        BalancerConfig config = BalancerConfig.read("test", new MapSettings(values), key -> false);
        if (!config.problems().isEmpty()) {
            throw new IllegalArgumentException("" + config.problems());
        }
        return config.steering();
    }

    /** Moves a region by a plan and lets the target report it a minute later. */
    static void moveAndLand(Steering steering, RegionId region, ServerId from, ServerId to, long nowMs) {
        steering.runStarted(nowMs);
        steering.planned(plan(move(region, from, to)), GROUP, TRIGGERS, UNEVEN, LOADED, nowMs);
        land(steering, region, to, nowMs + MINUTE);
    }

    /** Lets this server report the region. */
    static void land(Steering steering, RegionId region, ServerId on, long nowMs) {
        steering.observed(List.of(report(on, nowMs, region)), UNKNOWN_HEAT, nowMs);
    }

    /** Where each region in flight is going. */
    static Map<RegionId, ServerId> targets(Steering steering, long nowMs) {
        return steering.pinned(nowMs).stream()
                .filter(pinned -> pinned.pin() == Pin.IN_FLIGHT)
                .collect(Collectors.toMap(PinnedRegion::region, PinnedRegion::server));
    }

    static List<String> texts(List<SteeringNews> news) {
        return news.stream().map(SteeringNews::text).toList();
    }
}
