// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.UnmovedReason;
import io.hearth.balancer.state.ClusterState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Looks at a plan that was made elsewhere (by the stock balancer, for region counts, locality or tables) and finds the moves of
 * it that would make heat uneven: the next run would have to undo them. {@link #replicasThatWouldMeet} finds those that would
 * bring replicas of one region together.
 *
 * <p>A server is made too hot if it ends above the trigger, and hotter than it is by more than {@value #TOLERANCE} of a fair
 * share. Of what comes to it from servers that are cooler than it would be, the hottest region stays first, until it is not. A
 * server to which others then don't give what it should have given is looked at again.
 *
 * <p>It never stands in the way of a plan that brings the cluster nearer to what heat may not override: region replicas that must part,
 * and servers with more or fewer regions than slop allows. What breaks a rule and stays as it is (pinned replicas on one host, more
 * replicas than hosts) is no reason to heat servers. But a server that heat has left with few regions beside a large one is not filled, while the
 * large one stays. A pure function; thread-safe.
 */
public final class StockPlanValidator {

    /** So much of a fair share more is not worth a word. */
    private static final double TOLERANCE = 0.01;

    private static final int ANY = Integer.MAX_VALUE;

    private static final LoadDimension[] DIMENSION = LoadDimension.values();

    private final SearchContext context;
    private final PlanIndex index;
    private final double[] before;
    private final boolean isRepair;
    /** By server, whether it has more regions than slop allows. */
    private final boolean[] hadTooMany;
    /** By server, how many regions heat has left it with; {@link #ANY} where it may be filled. */
    private final int[] mostBesideLarge;

    private final List<List<Integer>> arrivals = new ArrayList<>();
    private final SortedMap<EncodedRegionName, Objection> stay = new TreeMap<>();

    /**
     * Why a move is not to be made.
     *
     * @param why the same with its servers and figures, as the end of a sentence
     */
    public record Objection(UnmovedReason reason, String why) {}

    private StockPlanValidator(SearchContext context, Map<EncodedRegionName, ServerId> serverByRegion) {
        this.context = context;
        index = context.index;
        before = index.share.clone();
        ConstraintRepair repairs = new ConstraintRepair(context);
        ConstraintRepair.Broken broken = repairs.broken();
        hadTooMany = new boolean[index.servers];
        mostBesideLarge = new int[index.servers];
        for (int server = 0; server < index.servers; server++) {
            hadTooMany[server] = context.simulation.hasTooMany(server);
            mostBesideLarge[server] =
                    context.simulation.isFewForHeat(server) ? context.simulation.countByServer[server] : ANY;
        }
        apply(context, serverByRegion);
        isRepair = repairs.broken().isMendedSince(broken);
        for (int server = 0; server < index.servers; server++) {
            arrivals.add(new ArrayList<>());
        }
        for (int region = 0; region < index.regions; region++) {
            if (context.simulation.wasMoved(region)) {
                arrivals.get(context.simulation.serverOf[region]).add(region);
            }
        }
    }

    /**
     * The regions whose moves are not to be made, each with the reason.
     *
     * @param serverByRegion where the plan takes each region that it moves; regions and servers that the snapshot does not
     *     have are passed over
     */
    public static SortedMap<EncodedRegionName, Objection> wouldHeat(
            ClusterState snapshot, PlanGoals goals, Map<EncodedRegionName, ServerId> serverByRegion) {
        return new StockPlanValidator(new SearchContext(snapshot, goals), serverByRegion).stay();
    }

    private SortedMap<EncodedRegionName, Objection> stay() {
        keepServersWithFew();
        if (!isRepair) {
            coolAll();
        }
        return stay;
    }

    private void keepServersWithFew() {
        PlanSimulation simulation = context.simulation;
        for (int server = 0; server < index.servers; server++) {
            Objection objection = new Objection(
                    UnmovedReason.STOCK_MOVE_FILLS,
                    index.snapshot.serverId(server) + " has few regions beside one that is most of its fair share");
            for (int region : List.copyOf(arrivals.get(server))) {
                if (simulation.countByServer[server] > mostBesideLarge[server]
                        && simulation.hasLarge(server)
                        && simulation.isCounted(region)
                        && !mustMoveAway(region)) {
                    keepInPlace(region, server, objection);
                }
            }
        }
    }

    private void keepInPlace(int region, int server, Objection objection) {
        context.simulation.undo(region);
        arrivals.get(server).remove((Integer) region);
        stay.put(index.state[region].region(), objection);
    }

    /** Whether another replica of this region is on the host or the rack from which the plan takes it, or too many regions are there. */
    private boolean mustMoveAway(int region) {
        PlanSimulation simulation = context.simulation;
        int from = index.initialServer[region];
        return hadTooMany[from]
                || simulation.replicas.sharesHost(region, from, index.initialServer)
                || simulation.replicas.sharesRack(region, from, index.initialServer);
    }

    private void coolAll() {
        int known;
        do {
            known = stay.size();
            for (int dimension = 0; dimension < PlanIndex.DIMENSIONS; dimension++) {
                DimensionGoal goal = index.goals.goalByDimension().get(DIMENSION[dimension]);
                for (int server = 0; goal != null && index.counts(dimension) && server < index.servers; server++) {
                    cool(server, dimension, goal.trigger());
                }
            }
        } while (stay.size() > known);
    }

    private void cool(int server, int dimension, double trigger) {
        double was = before[server * PlanIndex.DIMENSIONS + dimension];
        double most = Math.max(trigger, was) + TOLERANCE;
        if (share(server, dimension) <= most) {
            return;
        }
        String why = String.format(
                Locale.ROOT,
                "the plan would take %s from %.2f to %.2f of its fair share of %s, above %.2f",
                index.snapshot.serverId(server),
                was,
                share(server, dimension),
                DIMENSION[dimension].label(),
                trigger);
        List<Integer> hottestFirst = new ArrayList<>(arrivals.get(server));
        hottestFirst.sort(Comparator.comparingDouble(region -> -index.load(region, dimension)));
        for (int region : hottestFirst) {
            if (share(server, dimension) > most && isWorse(region, server, dimension)) {
                keepInPlace(region, server, new Objection(UnmovedReason.STOCK_MOVE_HEATS, why));
            }
        }
    }

    /** Whether this region comes from a server that is cooler than this one would be. */
    private boolean isWorse(int region, int server, int dimension) {
        return index.load(region, dimension) > 0
                && before[index.initialServer[region] * PlanIndex.DIMENSIONS + dimension] < share(server, dimension);
    }

    private double share(int server, int dimension) {
        return context.simulation.shares.share(server, dimension);
    }

    /** Max/mean in every dimension when this plan is done. */
    public static Map<LoadDimension, Double> maxOverMeanAfter(
            ClusterState snapshot, PlanGoals goals, Map<EncodedRegionName, ServerId> serverByRegion) {
        SearchContext context = new SearchContext(snapshot, goals);
        apply(context, serverByRegion);
        Map<LoadDimension, Double> after = new EnumMap<>(LoadDimension.class);
        double[] values = maxOverMean(context);
        for (LoadDimension dimension : LoadDimension.values()) {
            after.put(dimension, values[dimension.ordinal()]);
        }
        return after;
    }

    private static double[] maxOverMean(SearchContext context) {
        double[] all = new double[PlanIndex.DIMENSIONS];
        for (int dimension = 0; dimension < all.length; dimension++) {
            all[dimension] = context.index.overMean(context.simulation.shares.maxOverMean(dimension), dimension);
        }
        return all;
    }

    /** Makes these moves on the simulation's cluster. */
    static void apply(SearchContext context, Map<EncodedRegionName, ServerId> serverByRegion) {
        PlanIndex index = context.index;
        Map<ServerId, Integer> indexByServer = new HashMap<>();
        for (int server = 0; server < index.servers; server++) {
            indexByServer.put(index.snapshot.serverId(server), server);
        }
        for (int region = 0; region < index.regions; region++) {
            ServerId target = serverByRegion.get(index.state[region].region());
            Integer to = target == null ? null : indexByServer.get(target);
            if (to != null && to != index.initialServer[region]) {
                context.simulation.move(region, to);
            }
        }
    }

    /**
     * The regions that these moves, and only these, would bring to the host or (where there are racks enough) the rack of
     * another replica of theirs: {@link UnmovedReason#REPLICA_ON_HOST} or {@link UnmovedReason#REPLICA_ON_RACK}.
     *
     * @param serverByRegion where each region goes that is moved
     */
    public static SortedMap<EncodedRegionName, UnmovedReason> replicasThatWouldMeet(
            ClusterState snapshot, PlanGoals goals, Map<EncodedRegionName, ServerId> serverByRegion) {
        SortedMap<EncodedRegionName, UnmovedReason> meeting = new TreeMap<>();
        SearchContext context = new SearchContext(snapshot, goals);
        PlanSimulation simulation = context.simulation;
        if (simulation.replicas.isEmpty()) {
            return meeting;
        }
        apply(context, serverByRegion);
        for (int region = 0; region < context.index.regions; region++) {
            int server = simulation.serverOf[region];
            EncodedRegionName name = context.index.state[region].region();
            if (server == context.index.initialServer[region]) {
                continue;
            }
            if (simulation.replicas.sharesHost(region, server, simulation.serverOf)) {
                meeting.put(name, UnmovedReason.REPLICA_ON_HOST);
            } else if (simulation.replicas.sharesRack(region, server, simulation.serverOf)) {
                meeting.put(name, UnmovedReason.REPLICA_ON_RACK);
            }
        }
        return meeting;
    }
}
