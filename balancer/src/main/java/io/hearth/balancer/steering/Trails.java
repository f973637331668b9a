package io.hearth.balancer.steering;

import io.hearth.balancer.config.SteeringConfig;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import io.hearth.balancer.snapshot.Pin;
import io.hearth.balancer.steering.Trail.Hop;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Where our own moves have taken each region of late: the ground for cool-downs, and for the breaker that freezes a region
 * which comes back to a server that it had left. Not thread-safe.
 */
final class Trails {

    private final Map<RegionId, Trail> trailByRegion = new HashMap<>();

    /** A move of ours is done. Says why the region is frozen, if now it is. */
    Optional<String> landed(
            RegionId region,
            TableId table,
            ServerId from,
            ServerId to,
            boolean byOurPlan,
            long nowMs,
            SteeringConfig config) {
        Trail before = trailByRegion.getOrDefault(region, new Trail(table, List.of(), OptionalLong.empty()));
        Optional<Hop> left = before.lastHopFrom(to, nowMs - config.returnWindowMs());
        boolean goesToAndFro = left.isPresent() && config.frozenMs() > 0;
        trailByRegion.put(region, before.with(new Hop(from, to, nowMs, byOurPlan), goesToAndFro));
        return left.filter(hop -> goesToAndFro).map(hop -> why(to, nowMs - hop.landedAtMs()));
    }

    private static String why(ServerId to, long awayMs) {
        return "it came back to " + to + ", which it had left " + Times.span(awayMs) + " before";
    }

    void pin(Map<RegionId, Pin> pins, ToLongFunction<RegionId> shiftedAtMs, long nowMs, SteeringConfig config) {
        trailByRegion.forEach((region, trail) ->
                trail.pin(shiftedAtMs.applyAsLong(region), nowMs, config).ifPresent(pin -> pins.put(region, pin)));
    }

    void list(Consumer<PinnedRegion> list, ToLongFunction<RegionId> shiftedAtMs, long nowMs, SteeringConfig config) {
        trailByRegion.forEach((region, trail) -> trail.pin(shiftedAtMs.applyAsLong(region), nowMs, config)
                .ifPresent(pin -> list.accept(trail.listed(region, pin, config))));
    }

    /**
     * Forgets the regions that others have taken to another server than our last move did, but for frozen ones.
     *
     * @param inFlight the regions that are where they are by a move of ours that is not in their trail yet
     */
    void assigned(
            Function<RegionId, Optional<ServerId>> serverByRegion,
            Set<RegionId> inFlight,
            long nowMs,
            SteeringConfig config) {
        trailByRegion
                .entrySet()
                .removeIf(entry -> !inFlight.contains(entry.getKey())
                        && serverByRegion
                                .apply(entry.getKey())
                                .filter(server -> entry.getValue().isOvertaken(server, nowMs, config))
                                .isPresent());
    }

    /** Whether this move is the last one of ours that the region made, a short while ago. */
    boolean hasJustGone(RegionId region, ServerId from, ServerId to, long nowMs) {
        Trail trail = trailByRegion.get(region);
        return trail != null && trail.hasJustGone(from, to, nowMs);
    }

    /** The regions that our last move took to one of these servers rest no longer. */
    void endRest(Set<ServerId> servers) {
        trailByRegion.replaceAll((region, trail) -> trail.endsOn(servers) ? trail.rested() : trail);
    }

    /** Adds where another master's moves took regions, before what this one did with them. */
    void putUnder(Trails older) {
        older.trailByRegion.forEach(
                (region, trail) -> trailByRegion.merge(region, trail, (here, before) -> before.followedBy(here)));
    }

    void forget(RegionId region) {
        trailByRegion.remove(region);
    }

    void forgetExpired(long nowMs, SteeringConfig config) {
        trailByRegion.values().removeIf(trail -> trail.isOver(nowMs, config));
    }

    Set<RegionId> regions() {
        return trailByRegion.keySet();
    }

    void write(StateOut out) throws IOException {
        out.map(trailByRegion, out::region, trail -> {
            out.table(trail.table());
            out.number(trail.frozenAtMs().orElse(-1));
            out.list(trail.hops(), trail.hops().size(), hop -> {
                out.server(hop.from());
                out.server(hop.to());
                out.number(hop.landedAtMs());
                out.flag(hop.byOurPlan());
            });
        });
    }

    static Trails read(StateIn in) throws IOException {
        Trails trails = new Trails();
        in.map(trails.trailByRegion, in::region, () -> {
            TableId table = in.table();
            long frozenAtMs = in.time();
            List<Hop> hops = new ArrayList<>();
            in.list(hops, () -> new Hop(in.server(), in.server(), in.time(), in.flagSinceLimits()));
            if (hops.isEmpty()) {
                throw new IOException("a trail without a hop");
            }
            return new Trail(table, hops, frozenAtMs < 0 ? OptionalLong.empty() : OptionalLong.of(frozenAtMs));
        });
        return trails;
    }
}
