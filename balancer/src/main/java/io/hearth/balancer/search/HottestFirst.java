package io.hearth.balancer.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Puts the moves for heat in the order in which they help most, and cuts what the plan has no room for: each time the server
 * with the largest weighted excess gives the hottest of its regions that are to go. So every beginning of the plan is a plan
 * of its own that keeps the hard rules. Scratch of one search; not thread-safe.
 */
final class HottestFirst {

    /** So many moves that are done may stand before the first that waits. */
    private static final int MOST_DONE = 64;

    private final Workbench bench;
    private final PlanDraft draft;
    private final Map<Integer, List<PlanDraft.Step>> waitingByServer = new HashMap<>();
    private final Map<Integer, List<PlanDraft.Step>> sortedByServer = new HashMap<>();
    private final Map<Integer, PlanDraft.Step> stepOf = new HashMap<>();
    private List<PlanDraft.Step> waiting = new ArrayList<>();

    HottestFirst(Workbench bench) {
        this.bench = bench;
        draft = bench.draft;
    }

    void order() {
        waiting = draft.takeBackHeat();
        for (PlanDraft.Step step : waiting) {
            stepOf.put(step.region(), step);
            waitingByServer
                    .computeIfAbsent(bench.index.home[step.region()], any -> new ArrayList<>())
                    .add(step);
        }
        bench.rankings.orderByExcess(true);
        takeFromHottest();
        boolean goesOn = true;
        while (goesOn) {
            goesOn = takeRest();
        }
    }

    private void takeFromHottest() {
        Rankings rankings = bench.rankings;
        int dimension = rankings.hottestDimension();
        while (dimension >= 0) {
            int server = rankings.hottestServer(dimension);
            if (!takeHottest(server, dimension)) {
                rankings.giveUp(server, dimension);
            }
            dimension = rankings.hottestDimension();
        }
    }

    private boolean takeHottest(int server, int dimension) {
        List<PlanDraft.Step> steps = sorted(server, dimension);
        for (int place = 0; place < steps.size(); place++) {
            PlanDraft.Step step = steps.get(place);
            if (isDone(step)) {
                continue;
            }
            if (bench.index.load(step.region(), dimension) <= 0) {
                return false;
            }
            if (draft.mayRedo(step)) {
                redo(step);
                dropDone(steps, place);
                return true;
            }
        }
        return false;
    }

    /** The waiting moves of this server, the hottest first; the moves in front of them that are done are cut off now and then. */
    private List<PlanDraft.Step> sorted(int server, int dimension) {
        return sortedByServer.computeIfAbsent(server * PlanIndex.DIMENSIONS + dimension, any -> {
            List<PlanDraft.Step> steps = new ArrayList<>(waitingByServer.getOrDefault(server, List.of()));
            steps.sort(Comparator.comparingDouble(step -> -bench.index.load(step.region(), dimension)));
            return steps;
        });
    }

    private void dropDone(List<PlanDraft.Step> steps, int upTo) {
        if (upTo > MOST_DONE) {
            steps.subList(0, upTo).removeIf(this::isDone);
        }
    }

    private boolean isDone(PlanDraft.Step step) {
        return bench.simulation.serverOf[step.region()] != bench.index.home[step.region()];
    }

    private boolean redo(PlanDraft.Step step) {
        double net = draft.net(step);
        draft.redo(step, net);
        if (step.isSwap()) {
            PlanDraft.Step other = stepOf.get(step.with());
            if (other != null && !isDone(other)) {
                draft.redo(other, net);
            }
        }
        return true;
    }

    /** What no hot server asked for: regions that make room, or whose server is cool by now. */
    private boolean takeRest() {
        boolean any = false;
        for (PlanDraft.Step step : waiting) {
            any |= !isDone(step) && draft.mayRedo(step) && redo(step);
        }
        return any;
    }
}
