package io.hearth.balancer.steering;

import io.hearth.balancer.config.BalancerMode;
import io.hearth.balancer.config.SteeringConfig;
import io.hearth.balancer.cost.TableBudgets;
import io.hearth.balancer.ingest.ServerReport;
import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.snapshot.Pin;
import io.hearth.balancer.steering.BulkMoves.HandMove;
import io.hearth.balancer.steering.SteeringBytes.State;
import io.hearth.balancer.steering.SteeringNews.Kind;
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
 * #mostHeatMoves}; after it {@link #measured} with the max/mean that the snapshot has; if {@link #adviseOnly} is empty and the
 * plan is carried out, {@link #planned}. With each round of server reports {@link #observed}. Now and then {@link #takeNews}
 * for the log.
 *
 * <p><b>Clock.</b> Every method takes the time, in milliseconds since 1970. A time before the last one counts as the last one;
 * one that is more than a minute before means that the clock was wrong, and then what is remembered of the future counts as
 * of now.
 *
 * <p>Thread-safe: one lock, held for no longer than a pass over what is remembered; reports are searched outside of it. What
 * is over, and a region that no server has reported for {@value #GONE_MS} ms, is forgotten.
 */
public final class Steering implements HandMoves {

    /** Longer than a table is commonly disabled for maintenance, so that its pins outlive that. */
    static final long GONE_MS = 3_600_000;

    /** Who is named as the cause of what our own plans did. */
    static final String US = "Hearth";

    private static final long CLOCK_WAS_WRONG_MS = 60_000;

    private final Object lock = new Object();
    private final NewsBox news = new NewsBox();
    private final Map<RegionId, Long> lastSeenMs = new HashMap<>();
    private final ToLongFunction<RegionId> shiftedAtMs;
    private SteeringConfig config;
    private State state = State.empty();
    private long lastNowMs = Long.MIN_VALUE;
    private Set<String> servers = Set.of();
    private long serversChangedAtMs = Long.MIN_VALUE;
    private long runAtMs = Long.MIN_VALUE;
    private Optional<String> askedToAdvise = Optional.empty();

    /** Nothing is remembered yet, and no load ever shifts. */
    public Steering(SteeringConfig config) {
        this(config, region -> Long.MIN_VALUE);
    }

    /**
     * Nothing is remembered yet.
     *
     * @param shiftedAtMs when the load of a region last shifted, in milliseconds since 1970; asked under this object's lock
     */
    public Steering(SteeringConfig config, ToLongFunction<RegionId> shiftedAtMs) {
        this.shiftedAtMs = shiftedAtMs;
        this.config = config;
        state.ledger().wrongRuns().resetWord(config.ledgerReset(), 0, news);
    }

    /** Takes a new configuration, which holds at once for all that is remembered. */
    public void configure(SteeringConfig changed, long nowMs) {
        synchronized (lock) {
            long now = now(nowMs);
            config = changed;
            state.ledger().wrongRuns().resetWord(changed.ledgerReset(), now, news);
            Set.copyOf(state.handPins().regions()).stream()
                    .filter(region -> changed.liftedPins().contains(region.encodedName()))
                    .sorted()
                    .forEach(
                            region -> state.handPins().lift(region, "hearth.balancer.pins.lifted names it", now, news));
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
    public Set<RegionId> followed(long nowMs) {
        synchronized (lock) {
            now(nowMs);
            Set<RegionId> followed = new HashSet<>(state.flights().regions());
            followed.addAll(state.trails().regions());
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
    public void assigned(Function<RegionId, Optional<ServerId>> serverByRegion, long nowMs) {
        synchronized (lock) {
            long now = now(nowMs);
            state.trails().assigned(serverByRegion, state.flights().regions(), now, config);
            FlightEnds ends = ends(now);
            state.flights().arrivedRuns(serverByRegion).forEach(ends::seen);
            ends.take(state.flights().assigned(serverByRegion));
        }
    }

    /** Every region that is not to be moved now for a reason that is remembered; where there are several, the strongest. */
    public Map<RegionId, Pin> pins(long nowMs) {
        synchronized (lock) {
            long now = now(nowMs);
            Map<RegionId, Pin> pins = new HashMap<>();
            state.trails().pin(pins, this::restEndedAtMs, now, config);
            state.handPins().pin(pins, now, config);
            state.flights().regions().forEach(region -> pins.put(region, Pin.IN_FLIGHT));
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
     * A plan is handed over to be carried out. Its moves count as under way; the ledger takes the run up with the first of them
     * that is seen to be made, since nobody says whether this is a dry run. A plan
     * without a move for heat promises nothing about it, and is not in the ledger.
     *
     * @param group as for {@link #measured}
     * @param triggers max/mean above which moves are planned, for each dimension in which the plan is to be judged
     * @param placement which server has which region when the plan is done
     * @param look what the regions carry now
     */
    public void planned(
            Plan plan,
            String group,
            Map<LoadDimension, Double> triggers,
            PlannedPlacement placement,
            LoadLook look,
            long nowMs) {
        if (plan.moves().isEmpty()) {
            return;
        }
        synchronized (lock) {
            long now = now(nowMs);
            boolean promises =
                    plan.moves().stream().anyMatch(move -> move.because().isHeat());
            if (promises && !state.ledger().knows(group, runAtMs)) {
                // What is left of a run, now that the master has said who serves what, is on its way.
                state.ledger().unconfirmedRun(group).ifPresent(ends(now)::seen);
                state.ledger().nextRunActs(group, plan.maxOverMeanBefore(), look, isOpenRunUnderWay(group), now);
            }
            for (PlannedMove move : plan.moves()) {
                state.handPins().lift(move.region(), "Hearth moves it", now, news);
                planned(
                        move.region(),
                        move.table(),
                        move.from(),
                        move.to(),
                        true,
                        move.because().isHeat(),
                        now);
            }
            if (promises) {
                state.ledger()
                        .acted(
                                group,
                                runAtMs,
                                plan.moves().size(),
                                placement,
                                plan.maxOverMeanAfter(),
                                triggers,
                                now,
                                config.ledgerFactor());
            }
        }
    }

    /** The stock balancer will move this region: it counts as ours do, but for the ledger and for budgets, which are about heat. */
    public void plannedByStock(RegionId region, TableId table, ServerId from, ServerId to, long nowMs) {
        synchronized (lock) {
            planned(region, table, from, to, false, false, now(nowMs));
        }
    }

    /**
     * A person is about to make these moves of a plan: they count as ours do, but for the ledger unless its run is the one that
     * they come from, and pin nothing.
     */
    public void sentBy(String who, List<Errand> errands, long nowMs) {
        synchronized (lock) {
            long now = now(nowMs);
            runAtMs = Math.max(now, runAtMs + 1);
            errands.stream()
                    .filter(errand -> !state.flights().isOnItsWay(errand.region(), errand.to()))
                    .forEach(errand -> {
                        state.handPins().lift(errand.region(), who + " moves it by a plan", now, news);
                        planned(errand.region(), errand.table(), errand.from(), errand.to(), false, true, now);
                    });
        }
    }

    private void planned(
            RegionId region,
            TableId table,
            ServerId from,
            ServerId to,
            boolean byOurPlan,
            boolean spendsBudget,
            long now) {
        state.flights().planned(region, table, from, to, runAtMs, now, config.flightMs(), byOurPlan, spendsBudget);
        if (spendsBudget) {
            state.budget().planned(table, now);
        }
    }

    private boolean isOpenRunUnderWay(String group) {
        OptionalLong openRun = state.ledger().openRun(group);
        return openRun.isPresent() && state.flights().isAnyOf(openRun.getAsLong());
    }

    /**
     * What max/mean is now, in the same measure as plans use: judges the last run with moves over these servers, if its time
     * has come.
     *
     * @param group the servers that the run is about, by a name that tells them from other groups of servers
     * @param look what the regions carry now
     */
    public void measured(String group, Map<LoadDimension, Double> maxOverMean, LoadLook look, long nowMs) {
        synchronized (lock) {
            long now = now(nowMs);
            state.ledger().measured(group, maxOverMean, look, isOpenRunUnderWay(group), now, config, news);
        }
    }

    /** A round of server reports: ends flights, begins cool-downs, lifts pins, forgets what is over. */
    public void observed(Collection<ServerReport> reports, HeatLook heat, long nowMs) {
        Set<RegionId> watched;
        Set<RegionId> pinnedByHand;
        synchronized (lock) {
            watched = watched();
            pinnedByHand = Set.copyOf(state.handPins().regions());
        }
        Sightings sightings = Sightings.of(reports, watched);
        Map<RegionId, OptionalDouble> heatByRegion = new HashMap<>();
        pinnedByHand.forEach(region -> heatByRegion.put(region, heat.requestsPerSecond(region)));
        Set<String> reporting = reports.stream()
                .map(report -> report.server().host() + ":" + report.server().port())
                .collect(Collectors.toSet());
        synchronized (lock) {
            long now = now(nowMs);
            if (!servers.isEmpty() && !reporting.equals(servers)) {
                serversChangedAtMs = now;
            }
            servers = reporting;
            ends(now).take(state.flights().observed(sightings, now));
            state.handPins().observed(sightings, heatByRegion, now, config, news);
            state.trails().forgetExpired(now, config);
            state.budget().forgetExpired(now);
            forgetGone(sightings, now);
        }
    }

    /** A server that comes or goes makes room, or takes it: what was even is not any more. */
    private long restEndedAtMs(RegionId region) {
        return Math.max(serversChangedAtMs, shiftedAtMs.applyAsLong(region));
    }

    private Set<RegionId> watched() {
        Set<RegionId> watched = new HashSet<>(state.flights().regions());
        watched.addAll(state.trails().regions());
        watched.addAll(state.handPins().regions());
        return watched;
    }

    private FlightEnds ends(long now) {
        return new FlightEnds(state, config, news, now);
    }

    private void forgetGone(Sightings sightings, long now) {
        Set<RegionId> watched = watched();
        lastSeenMs.keySet().retainAll(watched);
        for (RegionId region : watched) {
            long seenMs = sightings.sees(region) ? now : lastSeenMs.getOrDefault(region, now);
            lastSeenMs.put(region, seenMs);
            if (now - seenMs > GONE_MS) {
                state.trails().forget(region);
                state.handPins().forget(region, now, news);
            }
        }
    }

    @Override
    public void movedByHand(
            RegionId region, TableId table, ServerId from, ServerId to, String who, boolean fromDraining, long whenMs) {
        synchronized (lock) {
            if (config.mode() == BalancerMode.OFF) {
                return;
            }
            long now = now(whenMs);
            if (state.flights().isOnItsWay(region, to) || state.trails().hasJustGone(region, from, to, now)) {
                // It was our plan that took it there, whoever made the move.
                return;
            }
            ends(now).take(state.flights().overtaken(region));
            state.handPins().moved(new HandMove(region, from, to, who, now), table, fromDraining, config, news);
        }
    }

    /** Lifts the pin of a region that was moved by hand; says whether it had one. */
    public boolean liftPin(RegionId region, String who, long nowMs) {
        synchronized (lock) {
            long now = now(nowMs);
            return state.handPins().lift(region, who + " lifted it", now, news);
        }
    }

    /** Every region that is not to be moved now for a reason that is remembered, with that reason, sorted by region. */
    public List<PinnedRegion> pinned(long nowMs) {
        Map<RegionId, PinnedRegion> strongest = new HashMap<>();
        synchronized (lock) {
            long now = now(nowMs);
            state.trails().list(pinned -> strongest.put(pinned.region(), pinned), this::restEndedAtMs, now, config);
            state.handPins().list(pinned -> strongest.put(pinned.region(), pinned), now, config);
            state.flights().list(pinned -> strongest.put(pinned.region(), pinned));
        }
        return strongest.values().stream()
                .sorted(Comparator.comparing(PinnedRegion::region))
                .toList();
    }

    /** The last runs with moves, oldest first, with what they predicted and what came of it. */
    public List<LedgerEntry> ledger() {
        synchronized (lock) {
            return state.ledger().entries();
        }
    }

    /** Why plans are not to be carried out now, as the end of a sentence; empty where they may be. */
    public Optional<String> adviseOnly() {
        synchronized (lock) {
            return config.mode() != BalancerMode.ACT
                    ? Optional.of("hearth.balancer.mode is " + config.mode())
                    : askedToAdvise;
        }
    }

    /**
     * How many moves for heat the run that is under way may still make over these servers, since runs before it came out otherwise
     * than predicted; empty where there is no such limit.
     */
    public OptionalInt mostHeatMoves(String group, long nowMs) {
        synchronized (lock) {
            OptionalInt most = state.ledger().wrongRuns().mostMoves(group, now(nowMs));
            return most.isEmpty()
                    ? most
                    : OptionalInt.of(
                            Math.max(0, most.getAsInt() - state.ledger().moves(group, runAtMs)));
        }
    }

    /** How many moves for heat a run over each group of servers may make, where runs before came out otherwise than predicted. */
    public Map<String, Integer> mostHeatMovesByGroup(long nowMs) {
        synchronized (lock) {
            return state.ledger().wrongRuns().mostMovesByGroup(now(nowMs));
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
            return config.mode() != BalancerMode.ACT || askedToAdvise.isPresent();
        }
    }

    /** A person wants plans to be advice only, until {@link #actAgain}. The next master knows nothing of it. */
    public void adviseOnly(String who, long nowMs) {
        synchronized (lock) {
            askedToAdvise = Optional.of(who + " asked for advice only");
            news.add(
                    now(nowMs),
                    Kind.ADVISE_ONLY,
                    who + " asked for advice only: the stock balancer plans and acts alone");
        }
    }

    /**
     * A person wants plans to be carried out again: ends {@link #adviseOnly} and forgives what the ledger holds against plans.
     * Where {@code hearth.balancer.mode} is advise or off, that holds.
     */
    public void actAgain(String who, long nowMs) {
        synchronized (lock) {
            long now = now(nowMs);
            boolean wasAsked = askedToAdvise.isPresent();
            askedToAdvise = Optional.empty();
            if (state.ledger().wrongRuns().forgive(now) || wasAsked) {
                news.add(now, Kind.ACTS_AGAIN, who + " lets Hearth act again");
            }
        }
    }

    /** These servers have been too hot for long, and nothing but regions that rest can help: they rest no longer. */
    public void endRest(Set<ServerId> servers) {
        synchronized (lock) {
            state.trails().endRest(servers);
        }
    }

    /** What has happened since the last call, oldest first. */
    public List<SteeringNews> takeNews() {
        synchronized (lock) {
            return news.take();
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
     * The configuration comes first ({@link #configure}): what it says of lifted pins and of the ledger is held against what is
     * brought back.
     */
    public Restored restore(byte[] bytes, long nowMs) {
        Optional<Restored> problem = SteeringBytes.problem(bytes);
        if (problem.isPresent()) {
            return problem.get();
        }
        synchronized (lock) {
            long now = now(nowMs);
            State older;
            try {
                older = State.of(bytes, now);
            } catch (IOException | RuntimeException unreadable) {
                return Restored.TORN;
            }
            older.ledger().masterChanged(now, news);
            older.ledger().wrongRuns().resetWord(config.ledgerReset(), now, news);
            state.putUnder(older);
            configure(config, now);
            return Restored.YES;
        }
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
            readAgain(encode(nowMs), nowMs);
        }
        lastNowMs = Math.max(lastNowMs, nowMs);
        return lastNowMs;
    }
}
