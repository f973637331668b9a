package io.hearth.balancer.steering;

import io.hearth.balancer.config.SteeringConfig;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import io.hearth.balancer.snapshot.Pin;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The last moves of ours that one region made. Immutable.
 *
 * @param hops oldest first, at most {@value #MOST_HOPS}; never empty once it is kept
 * @param frozenAtMs when it last came back to a server that it had left, in milliseconds since 1970; empty where it has not
 */
record Trail(TableId table, List<Hop> hops, OptionalLong frozenAtMs) {

    /** A region that makes more hops than this in one window comes back somewhere in any but the largest cluster. */
    private static final int MOST_HOPS = 8;

    /** A server's report can speak of a region long before the master's procedure has ended and its hooks are called. */
    private static final long SAID_LATE_MS = 300_000;

    /** One move of ours that is done, with when a report confirmed it and whether it was of a plan for heat. */
    record Hop(ServerId from, ServerId to, long landedAtMs, boolean byOurPlan) {}

    Trail {
        hops = List.copyOf(hops);
    }

    /** The last time it left this server since then. */
    Optional<Hop> lastHopFrom(ServerId server, long sinceMs) {
        return hops.stream()
                .filter(hop -> hop.from().equals(server) && hop.landedAtMs() >= sinceMs)
                .reduce((earlier, later) -> later);
    }

    Trail with(Hop hop, boolean goesToAndFro) {
        return followedBy(new Trail(
                table, List.of(hop), goesToAndFro ? OptionalLong.of(hop.landedAtMs()) : OptionalLong.empty()));
    }

    /** This one and then the later one, of which only the last hops are kept. */
    Trail followedBy(Trail later) {
        List<Hop> all = new ArrayList<>(hops);
        all.addAll(later.hops);
        return new Trail(
                later.table,
                all.subList(Math.max(0, all.size() - MOST_HOPS), all.size()),
                later.frozenAtMs.isPresent() ? later.frozenAtMs : frozenAtMs);
    }

    /** @param shiftedAtMs when the region's load last shifted */
    Optional<Pin> pin(long shiftedAtMs, long nowMs, SteeringConfig config) {
        if (isFrozen(nowMs, config)) {
            return Optional.of(Pin.FROZEN);
        }
        if (nowMs < last().landedAtMs() + config.coolDownMs()) {
            return Optional.of(Pin.COOLING);
        }
        return isResting(nowMs, config) && shiftedAtMs <= last().landedAtMs()
                ? Optional.of(Pin.RESTING)
                : Optional.empty();
    }

    boolean endsOn(Set<ServerId> servers) {
        return servers.contains(last().to());
    }

    /** The same without a rest. */
    Trail rested() {
        List<Hop> all = new ArrayList<>(hops);
        all.set(all.size() - 1, new Hop(last().from(), last().to(), last().landedAtMs(), false));
        return new Trail(table, all, frozenAtMs);
    }

    private boolean isFrozen(long nowMs, SteeringConfig config) {
        return frozenAtMs.isPresent() && nowMs < frozenAtMs.getAsLong() + config.frozenMs();
    }

    private boolean isResting(long nowMs, SteeringConfig config) {
        return last().byOurPlan() && nowMs < last().landedAtMs() + config.restMs();
    }

    /** Whether a region that is on this server now was taken there by others, and none of this says anything of it any more. */
    boolean isOvertaken(ServerId byTheMaster, long nowMs, SteeringConfig config) {
        return !byTheMaster.equals(last().to()) && !isFrozen(nowMs, config);
    }

    boolean isOver(long nowMs, SteeringConfig config) {
        return !isFrozen(nowMs, config)
                && !isResting(nowMs, config)
                && nowMs > last().landedAtMs() + Math.max(config.coolDownMs(), config.returnWindowMs());
    }

    PinnedRegion listed(RegionId region, Pin pin, SteeringConfig config) {
        long sinceMs = pin == Pin.FROZEN ? frozenAtMs.orElseThrow() : last().landedAtMs();
        long forMs = pin == Pin.FROZEN ? config.frozenMs() : pin == Pin.RESTING ? config.restMs() : config.coolDownMs();
        return new PinnedRegion(
                region,
                table,
                last().to(),
                pin,
                Steering.US,
                pin.reason() + ": from " + last().from() + " to " + last().to(),
                sinceMs,
                sinceMs + forMs);
    }

    /** Whether its last move of ours is this one, done no longer ago than HBase takes to say that a move is done. */
    boolean hasJustGone(ServerId from, ServerId to, long nowMs) {
        return last().from().equals(from) && last().to().equals(to) && nowMs < last().landedAtMs() + SAID_LATE_MS;
    }

    private Hop last() {
        return hops.get(hops.size() - 1);
    }
}
