// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

import io.hearth.balancer.config.MoveTrackerConfig;
import io.hearth.balancer.state.Pin;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The last moves of ours that one region made. Immutable.
 *
 * @param moves oldest first, at most {@value #MAX_MOVES}; never empty once it is kept
 * @param oscillatedAtMs when it last came back to a server that it had left, in milliseconds since 1970; empty where it has not
 */
record RegionMoveHistory(TableId table, List<CompletedMove> moves, OptionalLong oscillatedAtMs) {

    /** A region that makes more hops than this in one window comes back somewhere in any but the largest cluster. */
    private static final int MAX_MOVES = 8;

    /** A server's report can speak of a region long before the master's procedure has ended and its hooks are called. */
    private static final long LATE_HOOK_MS = 300_000;

    /** One move of ours that is done, with when a report confirmed it and whether it was of a plan for heat. */
    record CompletedMove(ServerId from, ServerId to, long completedAtMs, boolean byOurPlan) {}

    RegionMoveHistory {
        moves = List.copyOf(moves);
    }

    /** The last time it left this server since then. */
    Optional<CompletedMove> lastMoveFrom(ServerId server, long sinceMs) {
        return moves.stream()
                .filter(move -> move.from().equals(server) && move.completedAtMs() >= sinceMs)
                .reduce((earlier, later) -> later);
    }

    RegionMoveHistory with(CompletedMove move, boolean oscillates) {
        return followedBy(new RegionMoveHistory(
                table, List.of(move), oscillates ? OptionalLong.of(move.completedAtMs()) : OptionalLong.empty()));
    }

    /** This one and then the later one, of which only the last hops are kept. */
    RegionMoveHistory followedBy(RegionMoveHistory later) {
        List<CompletedMove> all = new ArrayList<>(moves);
        all.addAll(later.moves);
        return new RegionMoveHistory(
                later.table,
                all.subList(Math.max(0, all.size() - MAX_MOVES), all.size()),
                later.oscillatedAtMs.isPresent() ? later.oscillatedAtMs : oscillatedAtMs);
    }

    /** @param shiftedAtMs when the region's load last shifted */
    Optional<Pin> pin(long shiftedAtMs, long nowMs, MoveTrackerConfig config) {
        if (isOscillating(nowMs, config)) {
            return Optional.of(Pin.OSCILLATING);
        }
        if (nowMs < last().completedAtMs() + config.coolDownMs()) {
            return Optional.of(Pin.COOL_DOWN);
        }
        return isResting(nowMs, config) && shiftedAtMs <= last().completedAtMs()
                ? Optional.of(Pin.RESTING)
                : Optional.empty();
    }

    boolean endsOn(Set<ServerId> servers) {
        return servers.contains(last().to());
    }

    /** The same without a rest. */
    RegionMoveHistory rested() {
        List<CompletedMove> all = new ArrayList<>(moves);
        all.set(all.size() - 1, new CompletedMove(last().from(), last().to(), last().completedAtMs(), false));
        return new RegionMoveHistory(table, all, oscillatedAtMs);
    }

    private boolean isOscillating(long nowMs, MoveTrackerConfig config) {
        return oscillatedAtMs.isPresent() && nowMs < oscillatedAtMs.getAsLong() + config.oscillationFreezeMs();
    }

    private boolean isResting(long nowMs, MoveTrackerConfig config) {
        return last().byOurPlan() && nowMs < last().completedAtMs() + config.restMs();
    }

    /** Whether a region that is on this server now was taken there by others, and none of this says anything of it any more. */
    boolean isSuperseded(ServerId byTheMaster, long nowMs, MoveTrackerConfig config) {
        return !byTheMaster.equals(last().to()) && !isOscillating(nowMs, config);
    }

    boolean isOver(long nowMs, MoveTrackerConfig config) {
        return !isOscillating(nowMs, config)
                && !isResting(nowMs, config)
                && nowMs > last().completedAtMs() + Math.max(config.coolDownMs(), config.oscillationWindowMs());
    }

    PinnedRegion listed(EncodedRegionName region, Pin pin, MoveTrackerConfig config) {
        long sinceMs = pin == Pin.OSCILLATING ? oscillatedAtMs.orElseThrow() : last().completedAtMs();
        long forMs = pin == Pin.OSCILLATING
                ? config.oscillationFreezeMs()
                : pin == Pin.RESTING ? config.restMs() : config.coolDownMs();
        return new PinnedRegion(
                region,
                table,
                last().to(),
                pin,
                MoveTracker.HEARTH,
                pin.reason() + ": from " + last().from() + " to " + last().to(),
                sinceMs,
                sinceMs + forMs);
    }

    /** Whether its last move of ours is this one, done no longer ago than HBase takes to say that a move is done. */
    boolean wasJustMoved(ServerId from, ServerId to, long nowMs) {
        return last().from().equals(from) && last().to().equals(to) && nowMs < last().completedAtMs() + LATE_HOOK_MS;
    }

    private CompletedMove last() {
        return moves.get(moves.size() - 1);
    }
}
