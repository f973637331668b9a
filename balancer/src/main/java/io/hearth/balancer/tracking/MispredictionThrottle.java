// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

import io.hearth.balancer.tracking.TrackerEvent.EventBuffer;
import io.hearth.balancer.tracking.TrackerEvent.Kind;
import java.io.IOException;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * How many moves for heat a run over each group of servers may make, after runs that came out otherwise than their plans said:
 * multiplicative decrease and increase. A wrong run halves what it had itself, down to {@value #MIN_MOVES}; each right run of the
 * group, and each hour without a wrong one, doubles that, until it is what the first wrong run had: then there is no limit
 * again. So nothing stops for good, and no group answers for another. Not thread-safe.
 */
final class MispredictionThrottle {

    /** Two regions that change places are two moves. */
    private static final int MIN_MOVES = 2;

    private static final long CALM_MS = 3_600_000;

    private final Map<String, Limit> limitByGroup = new TreeMap<>();
    private String resetToken = "";

    /**
     * The limit of one group.
     *
     * @param moves as many a run may make from then on
     * @param full as many are no limit any more
     * @param sinceMs when this was last changed, in milliseconds since 1970
     */
    private record Limit(int moves, int full, long sinceMs) {

        /** The same at this time: doubled for each hour of calm. */
        Limit at(long nowMs) {
            long hours = Math.max(0, nowMs - sinceMs) / CALM_MS;
            long grown = hours >= Integer.SIZE ? full : Math.min(full, (long) moves << hours);
            return new Limit((int) grown, full, sinceMs + hours * CALM_MS);
        }

        boolean isOver() {
            return moves >= full;
        }
    }

    /** A run of this group came out as predicted. */
    void asPredicted(String group, long nowMs, EventBuffer events) {
        forgetExpired(nowMs, events);
        limitByGroup.computeIfPresent(
                group,
                (name, limit) -> new Limit((int) Math.min(limit.full(), 2L * limit.moves()), limit.full(), nowMs));
        forgetExpired(nowMs, events);
    }

    /** A run did not. */
    void mispredicted(Prediction entry, long nowMs, EventBuffer events) {
        forgetExpired(nowMs, events);
        Limit before = limitByGroup.get(entry.group());
        int had = before == null ? entry.moves() : Math.min(before.moves(), entry.moves());
        int full = Math.max(MIN_MOVES + 1, before == null ? entry.moves() : Math.max(before.full(), entry.moves()));
        Limit halved = new Limit(Math.max(MIN_MOVES, had / 2), full, nowMs);
        limitByGroup.put(entry.group(), halved);
        events.add(
                nowMs,
                Kind.RUN_MISPREDICTED,
                "A run of " + entry.moves() + " moves came out otherwise: " + entry.deviations()
                        + ". The next one over the servers of " + entry.group() + " makes at most " + halved.moves()
                        + " for heat; each right run, and each hour without a wrong one, doubles that");
    }

    /** The most moves for heat that a run over this group may make now; empty where there is no limit. */
    OptionalInt maxMoves(String group, long nowMs) {
        Limit limit = limitByGroup.get(group);
        if (limit == null || limit.at(nowMs).isOver()) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(limit.at(nowMs).moves());
    }

    /** The most moves for heat of a run over each group that has a limit now, by the name of the group. */
    Map<String, Integer> maxMovesByGroup(long nowMs) {
        Map<String, Integer> most = new TreeMap<>();
        limitByGroup.keySet().forEach(group -> maxMoves(group, nowMs).ifPresent(moves -> most.put(group, moves)));
        return most;
    }

    private void forgetExpired(long nowMs, EventBuffer events) {
        limitByGroup.replaceAll((group, limit) -> limit.at(nowMs));
        limitByGroup.entrySet().removeIf(entry -> {
            if (entry.getValue().isOver()) {
                events.add(
                        nowMs,
                        Kind.ACT_RESUMED,
                        "Runs over the servers of " + entry.getKey() + " may make as many moves as before");
            }
            return entry.getValue().isOver();
        });
    }

    /** The word that the configuration has now; where it is another than before, what was wrong is forgiven. */
    void resetToken(String word, long nowMs, EventBuffer events) {
        boolean isNew = !word.equals(resetToken);
        if (isNew && reset(nowMs)) {
            events.add(
                    nowMs,
                    Kind.ACT_RESUMED,
                    "hearth.balancer.prediction.reset.token is '" + word
                            + "' now: every run may make as many moves as before");
        }
        resetToken = word;
    }

    /** Forgets what was wrong; says whether that had limited anything. */
    boolean reset(long nowMs) {
        boolean wasLimited = !maxMovesByGroup(nowMs).isEmpty();
        limitByGroup.clear();
        return wasLimited;
    }

    /** Adds another master's limits; of a group that both limit, the fewer moves hold, since the last change of this one. */
    void mergeOlder(MispredictionThrottle older) {
        older.limitByGroup.forEach((group, before) -> limitByGroup.merge(
                group,
                before,
                (here, there) -> new Limit(
                        Math.min(here.moves(), there.at(here.sinceMs()).moves()),
                        Math.max(here.full(), there.full()),
                        here.sinceMs())));
    }

    void write(StateWriter out) throws IOException {
        out.map(limitByGroup, out::name, limit -> {
            out.count(limit.moves());
            out.count(limit.full());
            out.number(limit.sinceMs());
        });
        out.name(resetToken);
    }

    static MispredictionThrottle read(StateReader in) throws IOException {
        MispredictionThrottle runs = new MispredictionThrottle();
        if (in.version() == TrackerStateCodec.WITHOUT_LIMITS) {
            // It counted wrong runs, and stopped for good after two: nobody is held to that any more.
            in.map(new TreeMap<>(), in::name, in::count);
        } else {
            in.map(runs.limitByGroup, in::name, () -> new Limit(in.count(), in.count(), in.time()));
        }
        runs.resetToken = in.name();
        return runs;
    }
}
