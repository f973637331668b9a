// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

import io.hearth.balancer.config.BalancerMode;
import io.hearth.balancer.config.MoveTrackerConfig;
import io.hearth.balancer.config.TableBudgets;
import io.hearth.balancer.heat.RegionLoads;
import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.balancer.heat.ingest.ServerReport.ReportBatch;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.tracking.BulkMoveDetector.ManualMove;
import io.hearth.balancer.tracking.ReportedLocationIndex.ReportedLocations;
import io.hearth.balancer.tracking.TrackerEvent.EventBuffer;
import io.hearth.balancer.tracking.TrackerEvent.Kind;
import io.hearth.balancer.tracking.TrackerStateCodec.State;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * What the balancer remembers between runs, and what follows from it for the next one: which regions stay where they are and
 * why, how many moves a table may still make, and whether plans may be carried out at all.
 *
 * <p><b>Use.</b> For each run of the balancer {@link #runStarted}; before each plan {@link #pins}, {@link #movesLeft} and {@link
 * #maxHeatMoves}; after it {@link #measured} with the max/mean that the snapshot has; if {@link #adviseOnly} is empty and the
 * plan is carried out, {@link #planned}. With each round of server reports {@link #observed}. Now and then {@link #takeEvents}
 * for the log.
 *
 * <p><b>Clock.</b> Every method takes the time, in milliseconds since 1970. A time before the last one counts as the last one;
 * one that is more than a minute before means that the clock was wrong, and then what is remembered of the future counts as
 * of now.
 *
 * <p>Thread-safe: one lock, held for no longer than a pass over what is remembered; reports are searched outside of it. What
 * is over, and a region that no server has reported for {@value #GONE_MS} ms, is forgotten.
 */
public final class MoveTracker implements ManualMoveListener {

    /** Longer than a table is commonly disabled for maintenance, so that its pins outlive that. */
    static final long GONE_MS = 3_600_000;

    /** Who is named as the cause of what our own plans did. */
    static final String HEARTH = "Hearth";

    private static final long CLOCK_WAS_WRONG_MS = 60_000;

    /** The moves that the master begins last are seen within this time. */
    private static final long LAST_MOVES_MS = 60_000;

    private final Object lock = new Object();
    private final ReportedLocationIndex reported = new ReportedLocationIndex();
    private final EventBuffer events = new EventBuffer();
    private final Map<EncodedRegionName, Long> lastSeenMs = new HashMap<>();
    private final ToLongFunction<EncodedRegionName> shiftedAtMs;
    private MoveTrackerConfig config;
    private State state = State.empty();
    private long lastNowMs = Long.MIN_VALUE;
    private Set<String> servers = Set.of();
    private long serversChangedAtMs = Long.MIN_VALUE;
    private long runAtMs = Long.MIN_VALUE;
    private Optional<String> adviseRequest = Optional.empty();
    private long masterNeedsMs;
    /** When the first move was planned that the master has not begun with; empty where there is none. */
    private OptionalLong plannedSinceMs = OptionalLong.empty();

    /** Nothing is remembered yet, and no load ever shifts. */
    public MoveTracker(MoveTrackerConfig config) {
        this(config, region -> Long.MIN_VALUE);
    }

    /**
     * Nothing is remembered yet.
     *
     * @param shiftedAtMs when the load of a region last shifted, in milliseconds since 1970; asked under this object's lock
     */
    public MoveTracker(MoveTrackerConfig config, ToLongFunction<EncodedRegionName> shiftedAtMs) {
        this.shiftedAtMs = shiftedAtMs;
        this.config = config;
        state.predictionLog().throttle().resetToken(config.predictionResetToken(), 0, events);
    }

    /** Takes a new configuration, which holds at once for all that is remembered. */
    public void configure(MoveTrackerConfig changed, long nowMs) {
        synchronized (lock) {
            long now = now(nowMs);
            config = changed;
            state.predictionLog().throttle().resetToken(changed.predictionResetToken(), now, events);
            Set.copyOf(state.manualPins().regions()).stream()
                    .filter(region -> changed.manualPinExemptions().contains(region.encodedName()))
                    .sorted()
                    .forEach(region -> state.manualPins()
                            .remove(region, "hearth.balancer.manual.pin.exempt.regions names it", now, events));
        }
    }

    /** Takes for how long the master carries out the moves of a run, in milliseconds: until then a source may still have its region. */
    public void carriedOutWithin(long ms) {
        synchronized (lock) {
            masterNeedsMs = ms + LAST_MOVES_MS;
        }
    }

    /** A run of the balancer begins, for the whole cluster or a group of servers; the plans until the next call are of it. */
    public void runStarted(long nowMs) {
        synchronized (lock) {
            long now = now(nowMs);
            runAtMs = Math.max(now, runAtMs + 1);
        }
    }

    /** The regions that {@link #assigned} asks for: in flight, or moved by us of late. */
    public Set<EncodedRegionName> followed(long nowMs) {
        synchronized (lock) {
            now(nowMs);
            Set<EncodedRegionName> followed =
                    new HashSet<>(state.inFlightMoves().regions());
            followed.addAll(state.histories().regions());
            return followed;
        }
    }

    /**
     * Takes the master's word, when a run begins, on who serves what: it is newer than any report. A planned region that is
     * still on its source was not moved (the master dropped the move, or the run was a dry run), and is free at once; so is a
     * region that is neither there nor where our last move took it, since others have taken it there.
     *
     * @param serverByRegion who serves a region; empty where the master does not say, as of the regions of another group of
     *     servers than the one that this run is about
     */
    public void assigned(Function<EncodedRegionName, Optional<ServerId>> serverByRegion, long nowMs) {
        synchronized (lock) {
            long now = now(nowMs);
            state.histories().assigned(serverByRegion, state.inFlightMoves().regions(), now, config);
            MoveCompletion completion = completion(now);
            state.inFlightMoves().arrivedRuns(serverByRegion).forEach(completion::seen);
            completion.take(state.inFlightMoves().assigned(serverByRegion));
        }
    }

    /** Every region that is not to be moved now for a reason that is remembered; where there are several, the strongest. */
    public Map<EncodedRegionName, Pin> pins(long nowMs) {
        synchronized (lock) {
            long now = now(nowMs);
            Map<EncodedRegionName, Pin> pins = new HashMap<>();
            state.histories().pin(pins, this::restEndedAtMs, now, config);
            state.manualPins().pin(pins, now, config);
            state.inFlightMoves().regions().forEach(region -> pins.put(region, Pin.IN_FLIGHT));
            return pins;
        }
    }

    /** How many moves for heat each table with a budget may still make now; a table that is missing has no limit. */
    public Map<TableId, Integer> movesLeft(TableBudgets budgets, long nowMs) {
        synchronized (lock) {
            long now = now(nowMs);
            return state.budget().left(budgets, now);
        }
    }

    /**
     * A plan is handed over to be carried out. Its moves count as under way; the prediction log takes the run up with the first of them
     * that is seen to be made, since nobody says whether this is a dry run. A plan
     * without a move for heat promises nothing about it, and is not in the prediction log.
     *
     * @param group as for {@link #measured}
     * @param triggers max/mean above which moves are planned, for each dimension in which the plan is to be judged
     * @param placement which server has which region when the plan is done
     * @param currentLoads what the regions carry now, empty where nobody serves one; asked under this object's lock, which it must not need
     */
    public void planned(
            Plan plan,
            String group,
            Map<LoadDimension, Double> triggers,
            PlannedPlacement placement,
            RegionLoads currentLoads,
            long nowMs) {
        if (plan.moves().isEmpty()) {
            return;
        }
        synchronized (lock) {
            long now = now(nowMs);
            boolean promises =
                    plan.moves().stream().anyMatch(move -> move.because().isHeat());
            if (promises && !state.predictionLog().knows(group, runAtMs)) {
                // What is left of a run, now that the master has said who serves what, is on its way.
                state.predictionLog().unconfirmedRun(group).ifPresent(completion(now)::seen);
                state.predictionLog()
                        .nextRunActs(group, plan.maxOverMeanBefore(), currentLoads, isOpenRunUnderWay(group), now);
            }
            for (PlannedMove move : plan.moves()) {
                state.manualPins().remove(move.region(), "Hearth moves it", now, events);
                planned(
                        move.region(),
                        move.table(),
                        move.from(),
                        move.to(),
                        true,
                        move.because().isHeat(),
                        runTimeoutMs(),
                        now);
                plannedSinceMs = OptionalLong.of(plannedSinceMs.orElse(now));
            }
            if (promises) {
                state.predictionLog()
                        .acted(
                                group,
                                runAtMs,
                                plan.moves().size(),
                                placement,
                                plan.maxOverMeanAfter(),
                                triggers,
                                now,
                                config.predictionToleranceFactor());
            }
        }
    }

    /** The stock balancer will move this region: it counts as ours do, but for the prediction log and for budgets, which are about heat. */
    public void plannedByStock(EncodedRegionName region, TableId table, ServerId from, ServerId to, long nowMs) {
        synchronized (lock) {
            long now = now(nowMs);
            planned(region, table, from, to, false, false, runTimeoutMs(), now);
            plannedSinceMs = OptionalLong.of(plannedSinceMs.orElse(now));
        }
    }

    /** How long a move of a run may be on its way. */
    private long runTimeoutMs() {
        return Math.max(config.confirmTimeoutMs(), masterNeedsMs);
    }

    /**
     * All is planned, for all tables and groups of servers, and the master carries it out: what it plans itself in between takes as long as
     * it takes.
     */
    public void runPlanned(long nowMs) {
        synchronized (lock) {
            long now = now(nowMs);
            plannedSinceMs.ifPresent(since -> state.inFlightMoves().beginNow(since, now, runTimeoutMs()));
            plannedSinceMs = OptionalLong.empty();
        }
    }

    /**
     * A person is about to make these moves of a plan: they count as ours do, but for the prediction log unless its run is the one that
     * they come from, and pin nothing.
     */
    public void movedBy(String who, List<RegionMove> regionMoves, long nowMs) {
        synchronized (lock) {
            long now = now(nowMs);
            runAtMs = Math.max(now, runAtMs + 1);
            regionMoves.stream()
                    .filter(regionMove -> !state.inFlightMoves().isOnItsWay(regionMove.region(), regionMove.to()))
                    .forEach(regionMove -> {
                        state.manualPins().remove(regionMove.region(), who + " moves it by a plan", now, events);
                        planned(
                                regionMove.region(),
                                regionMove.table(),
                                regionMove.from(),
                                regionMove.to(),
                                false,
                                true,
                                config.confirmTimeoutMs(),
                                now);
                    });
        }
    }

    private void planned(
            EncodedRegionName region,
            TableId table,
            ServerId from,
            ServerId to,
            boolean byOurPlan,
            boolean spendsBudget,
            long timeoutMs,
            long now) {
        state.inFlightMoves().planned(region, table, from, to, runAtMs, now, timeoutMs, byOurPlan, spendsBudget);
        if (spendsBudget) {
            state.budget().planned(table, now);
        }
    }

    private boolean isOpenRunUnderWay(String group) {
        OptionalLong openRun = state.predictionLog().openRun(group);
        return openRun.isPresent() && state.inFlightMoves().isAnyOf(openRun.getAsLong());
    }

    /**
     * What max/mean is now, in the same measure as plans use: judges the last run with moves over these servers, if its time
     * has come.
     *
     * @param group the servers that the run is about, by a name that tells them from other groups of servers
     * @param currentLoads what the regions carry now, empty where nobody serves one; asked under this object's lock, which it must not need
     */
    public void measured(String group, Map<LoadDimension, Double> maxOverMean, RegionLoads currentLoads, long nowMs) {
        synchronized (lock) {
            long now = now(nowMs);
            state.predictionLog()
                    .measured(group, maxOverMean, currentLoads, isOpenRunUnderWay(group), now, config, events);
        }
    }

    /** A round of server reports: ends moves in flight, begins cool-downs, removes pins, forgets what is over. */
    public void observed(Collection<ServerReport> reports, RegionRequestRates heat, long nowMs) {
        observed(ReportBatch.ofAll(reports), heat, nowMs);
    }

    /** The same of a look that does not read every report again. */
    public void observed(ReportBatch batch, RegionRequestRates heat, long nowMs) {
        Set<EncodedRegionName> watched;
        Set<EncodedRegionName> manuallyPinned;
        synchronized (lock) {
            watched = watched();
            manuallyPinned = Set.copyOf(state.manualPins().regions());
        }
        ReportedLocations reportedLocations = reported.take(batch, watched);
        Map<EncodedRegionName, OptionalDouble> heatByRegion = new HashMap<>();
        manuallyPinned.forEach(region -> heatByRegion.put(region, heat.requestsPerSecond(region)));
        Set<String> reporting = batch.live().stream()
                .map(server -> server.host() + ":" + server.port())
                .collect(Collectors.toSet());
        synchronized (lock) {
            long now = now(nowMs);
            if (!servers.isEmpty() && !reporting.equals(servers)) {
                serversChangedAtMs = now;
            }
            servers = reporting;
            completion(now).take(state.inFlightMoves().observed(reportedLocations, now));
            state.manualPins().observed(reportedLocations, heatByRegion, now, config, events);
            state.histories().forgetExpired(now, config);
            state.budget().forgetExpired(now);
            forgetGone(reportedLocations, now);
        }
    }

    /** A server that comes or goes makes room, or takes it: what was even is not any more. */
    private long restEndedAtMs(EncodedRegionName region) {
        return Math.max(serversChangedAtMs, shiftedAtMs.applyAsLong(region));
    }

    private Set<EncodedRegionName> watched() {
        Set<EncodedRegionName> watched = new HashSet<>(state.inFlightMoves().regions());
        watched.addAll(state.histories().regions());
        watched.addAll(state.manualPins().regions());
        return watched;
    }

    private MoveCompletion completion(long now) {
        return new MoveCompletion(state, config, events, now);
    }

    private void forgetGone(ReportedLocations reportedLocations, long now) {
        Set<EncodedRegionName> watched = watched();
        lastSeenMs.keySet().retainAll(watched);
        for (EncodedRegionName region : watched) {
            long seenMs = reportedLocations.isReported(region) ? now : lastSeenMs.getOrDefault(region, now);
            lastSeenMs.put(region, seenMs);
            if (now - seenMs > GONE_MS) {
                state.histories().forget(region);
                state.manualPins().forget(region, now, events);
            }
        }
    }

    @Override
    public void regionMovedManually(
            EncodedRegionName region,
            TableId table,
            ServerId from,
            ServerId to,
            String who,
            boolean fromDraining,
            long whenMs) {
        synchronized (lock) {
            if (config.mode() == BalancerMode.OFF) {
                return;
            }
            long now = now(whenMs);
            if (state.inFlightMoves().isOnItsWay(region, to)
                    || state.histories().wasJustMoved(region, from, to, now)) {
                // It was our plan that took it there, whoever made the move.
                return;
            }
            completion(now).take(state.inFlightMoves().superseded(region));
            state.manualPins().moved(new ManualMove(region, from, to, who, now), table, fromDraining, config, events);
        }
    }

    /**
     * A region did not open on this server. A move of ours that was to take it there has been made and undone: it stays spent, and the
     * region is frozen, so that the next run does not close it once more for nothing.
     */
    public void openFailed(EncodedRegionName region, ServerId server, long nowMs) {
        synchronized (lock) {
            long now = now(nowMs);
            completion(now).take(state.inFlightMoves().notOpened(region, server));
        }
    }

    /** Removes the pin of a region that was moved manually; says whether it had one. */
    public boolean removePin(EncodedRegionName region, String who, long nowMs) {
        synchronized (lock) {
            long now = now(nowMs);
            return state.manualPins().remove(region, who + " removed it", now, events);
        }
    }

    /** Every region that is not to be moved now for a reason that is remembered, with that reason, sorted by region. */
    public List<PinnedRegion> pinned(long nowMs) {
        Map<EncodedRegionName, PinnedRegion> strongest = new HashMap<>();
        synchronized (lock) {
            long now = now(nowMs);
            state.histories().list(pinned -> strongest.put(pinned.region(), pinned), this::restEndedAtMs, now, config);
            state.manualPins().list(pinned -> strongest.put(pinned.region(), pinned), now, config);
            state.inFlightMoves().list(pinned -> strongest.put(pinned.region(), pinned));
        }
        return strongest.values().stream()
                .sorted(Comparator.comparing(PinnedRegion::region))
                .toList();
    }

    /** The last runs with moves, oldest first, with what they predicted and what came of it. */
    public List<Prediction> predictionLog() {
        synchronized (lock) {
            return state.predictionLog().entries();
        }
    }

    /** Why plans are not to be carried out now, as the end of a sentence; empty where they may be. */
    public Optional<String> adviseOnly() {
        synchronized (lock) {
            return config.mode() != BalancerMode.ACT
                    ? Optional.of("hearth.balancer.mode is " + config.mode())
                    : adviseRequest;
        }
    }

    /**
     * How many moves for heat the run that is under way may still make over these servers, since runs before it came out otherwise
     * than predicted; empty where there is no such limit.
     */
    public OptionalInt maxHeatMoves(String group, long nowMs) {
        synchronized (lock) {
            OptionalInt most = state.predictionLog().throttle().maxMoves(group, now(nowMs));
            return most.isEmpty()
                    ? most
                    : OptionalInt.of(
                            Math.max(0, most.getAsInt() - state.predictionLog().moves(group, runAtMs)));
        }
    }

    /** How many moves for heat a run over each group of servers may make, where runs before came out otherwise than predicted. */
    public Map<String, Integer> maxHeatMovesByGroup(long nowMs) {
        synchronized (lock) {
            return state.predictionLog().throttle().maxMovesByGroup(now(nowMs));
        }
    }

    /** Whether nothing is planned and nothing recorded. */
    public boolean isOff() {
        synchronized (lock) {
            return config.mode() == BalancerMode.OFF;
        }
    }

    /** Whether a person wants the stock balancer to plan and act as without Hearth: by the configuration, or by asking. */
    public boolean stockActsAlone() {
        synchronized (lock) {
            return config.mode() != BalancerMode.ACT || adviseRequest.isPresent();
        }
    }

    /** A person wants plans to be advice only, until {@link #resumeActing}. The next master knows nothing of it. */
    public void adviseOnly(String who, long nowMs) {
        synchronized (lock) {
            adviseRequest = Optional.of(who + " asked for advice only");
            events.add(
                    now(nowMs),
                    Kind.ADVISE_ONLY,
                    who + " asked for advice only: the stock balancer plans and acts alone");
        }
    }

    /**
     * A person wants plans to be carried out again: ends {@link #adviseOnly} and forgives what the prediction log holds against plans.
     * Where {@code hearth.balancer.mode} is advise or off, that holds.
     */
    public void resumeActing(String who, long nowMs) {
        synchronized (lock) {
            long now = now(nowMs);
            boolean wasAsked = adviseRequest.isPresent();
            adviseRequest = Optional.empty();
            if (state.predictionLog().throttle().reset(now) || wasAsked) {
                events.add(now, Kind.ACT_RESUMED, who + " lets Hearth act again");
            }
        }
    }

    /** These servers have been too hot for long, and nothing but regions that rest can help: they rest no longer. */
    public void endRest(Set<ServerId> servers) {
        synchronized (lock) {
            state.histories().endRest(servers);
        }
    }

    /** What has happened since the last call, oldest first. */
    public List<TrackerEvent> takeEvents() {
        synchronized (lock) {
            return events.take();
        }
    }

    /** All that is remembered, for {@link #restore} in another master. */
    public byte[] encode(long nowMs) {
        synchronized (lock) {
            now(nowMs);
            try {
                return state.toBytes();
            } catch (IOException cannotBe) {
                throw new UncheckedIOException("Writing into memory failed.", cannotBe);
            }
        }
    }

    /**
     * Brings back what another master's {@link #encode} wrote, once, under what is remembered by now: a region that was moved or
     * pinned here stays as it is here, and moves that both planned count together. Bytes that can't be read change nothing. A
     * run that was not judged there is not judged at all.
     * The configuration comes first ({@link #configure}): what it says of removed pins and of the prediction log is held against what is
     * brought back.
     */
    public RestoreResult restore(byte[] bytes, long nowMs) {
        Optional<RestoreResult> problem = TrackerStateCodec.problem(bytes);
        if (problem.isPresent()) {
            return problem.get();
        }
        synchronized (lock) {
            long now = now(nowMs);
            State older;
            try {
                older = State.of(bytes, now);
            } catch (IOException | RuntimeException unreadable) {
                return RestoreResult.CORRUPT;
            }
            older.predictionLog().masterChanged(now, events);
            older.predictionLog().throttle().resetToken(config.predictionResetToken(), now, events);
            state.mergeOlder(older);
            configure(config, now);
            return RestoreResult.RESTORED;
        }
    }

    /** Whether a later version of Hearth has written these bytes, which {@link #restore} leaves alone then. */
    public static boolean isNewer(byte[] bytes) {
        return TrackerStateCodec.isNewer(bytes);
    }

    /** Takes every time that lies in the future as now. */
    private void readAgain(byte[] bytes, long now) {
        try {
            state = State.of(bytes, now);
        } catch (IOException | RuntimeException unreadable) {
            // What was there holds, with its times.
            return;
        }
        lastSeenMs.clear();
        configure(config, now);
    }

    /** The time that counts: never before the last one, unless the clock was wrong by far; then the state is another. */
    private long now(long nowMs) {
        if (nowMs < lastNowMs - CLOCK_WAS_WRONG_MS) {
            lastNowMs = nowMs;
            runAtMs = Math.min(runAtMs, nowMs);
            serversChangedAtMs = Math.min(serversChangedAtMs, nowMs);
            readAgain(encode(nowMs), nowMs);
        }
        lastNowMs = Math.max(lastNowMs, nowMs);
        return lastNowMs;
    }
}
