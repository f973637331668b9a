package io.hearth.balancer.search;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Puts the moves for heat in the order in which they help most, and cuts what the plan has no room for: each time the server
 * with the largest weighted excess gives the hottest of its regions that are to go. So every beginning of the plan is a plan
 * of its own that keeps the hard rules. Scratch of one search; not thread-safe.
 */
final class HottestFirst {

    private final Workbench bench;
    private final PlanDraft draft;
    private final Map<Integer, List<PlanDraft.Step>> waitingByServer = new HashMap<>();
    private List<PlanDraft.Step> waiting = new ArrayList<>();

    HottestFirst(Workbench bench) {
        this.bench = bench;
        draft = bench.draft;
    }

    void order() {
        waiting = draft.takeBackHeat();
        for (PlanDraft.Step step : waiting) {
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
            if (!takeHottest(waitingByServer.getOrDefault(server, List.of()), dimension)) {
                rankings.giveUp(server, dimension);
            }
            dimension = rankings.hottestDimension();
        }
    }

    private boolean takeHottest(List<PlanDraft.Step> steps, int dimension) {
        int hottest = -1;
        double most = 0;
        for (int position = 0; position < steps.size(); position++) {
            double load = bench.index.load(steps.get(position).region(), dimension);
            if (load > most && draft.mayRedo(steps.get(position))) {
                hottest = position;
                most = load;
            }
        }
        return hottest >= 0 && redo(steps.get(hottest));
    }

    private boolean redo(PlanDraft.Step step) {
        double net = draft.net(step);
        redo(step, net);
        if (step.isSwap()) {
            for (PlanDraft.Step other : List.copyOf(waitingByServer.getOrDefault(step.to(), List.of()))) {
                if (other.region() == step.with()) {
                    redo(other, net);
                }
            }
        }
        return true;
    }

    private void redo(PlanDraft.Step step, double net) {
        draft.redo(step, net);
        waitingByServer.getOrDefault(bench.index.home[step.region()], List.of()).remove(step);
    }

    /** What no hot server asked for: regions that make room, or whose server is cool by now. */
    private boolean takeRest() {
        boolean any = false;
        for (PlanDraft.Step step : waiting) {
            boolean waits = bench.simulation.serverOf[step.region()] == bench.index.home[step.region()];
            any |= waits && draft.mayRedo(step) && redo(step);
        }
        return any;
    }
}
