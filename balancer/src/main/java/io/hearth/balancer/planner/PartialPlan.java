// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.plan.Objective;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.plan.PlannedMove.MoveScore;
import io.hearth.balancer.plan.PlannedMove.RunnerUp;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/** The moves chosen so far, applied to the simulation and the rankings as they are added. Scratch; not thread-safe. */
final class PartialPlan {

    private final PlanIndex index;
    private final PlanSimulation simulation;
    private final ServerRankings rankings;
    private final MoveScorer scorer;
    private final List<Step> steps = new ArrayList<>();
    /** By region where its move is in the order, or after that: moves before it may have been dropped since. */
    private final int[] latestPosition;

    private int movesForHeat;
    /** The moves that mend a hard rule, as they were chosen, and their regions. */
    private List<Step> repairs = List.of();

    private final BitSet repaired = new BitSet();

    /**
     * One move of the draft; {@code with} is the region that goes the other way, {@link BestCandidate#NONE} for a move alone;
     * {@code net} is the net gain of the choice when it was applied.
     */
    record Step(int region, int to, int with, double net, PlannedMove move) {

        boolean isSwap() {
            return with != BestCandidate.NONE;
        }

        boolean isForHeat() {
            return move.because().isHeat();
        }
    }

    PartialPlan(PlanSimulation simulation, ServerRankings rankings, MoveScorer scorer) {
        this.simulation = simulation;
        this.rankings = rankings;
        this.scorer = scorer;
        index = simulation.index;
        latestPosition = new int[index.regions];
    }

    List<Step> steps() {
        return steps;
    }

    /** What all moves cost, in the unit of {@link io.hearth.balancer.plan.PlanGoals.MoveCosts}. */
    double cost() {
        return steps.stream().mapToDouble(step -> step.move.score().cost()).sum();
    }

    /** Whether so many more moves are allowed. */
    boolean hasRoomFor(int moves) {
        return steps.size() + moves <= index.goals.limits().maxMoves();
    }

    /** Whether so many more moves for heat are allowed. */
    boolean hasRoomForHeat(int moves) {
        int most = index.goals.limits().maxHeatMoves();
        return most == Integer.MAX_VALUE || movesForHeat + moves <= most;
    }

    /** Takes this choice: one move, or two for an exchange. */
    void take(BestCandidate candidate, Objective because) {
        int from = simulation.serverOf[candidate.region];
        MoveScore score = scorer.score(candidate.region, from, candidate.to);
        Optional<RunnerUp> second = runnerUp(candidate, score);
        apply(candidate.region, candidate.to, candidate.taken, candidate.net, because, score, second);
        if (candidate.taken != BestCandidate.NONE) {
            apply(candidate.taken, from, candidate.region, candidate.net, because);
        }
    }

    /** Takes note that the moves so far mend hard rules: they come first in the plan's order. */
    void endRepairs() {
        repairs = List.copyOf(steps);
        steps.forEach(step -> repaired.set(step.region));
    }

    boolean isRepair(Step step) {
        return repaired.get(step.region);
    }

    /**
     * Brings a region to another server, from wherever the plan has it: a region that moves already gets another target, and one
     * that goes back to where it is in the snapshot does not move at all.
     *
     * @param with the region that goes the other way in an exchange; {@link BestCandidate#NONE} for a region alone
     */
    void relocate(int region, int to, int with, double net, Objective because) {
        Objective reason = because;
        if (simulation.wasMoved(region)) {
            int position = positionOf(region);
            reason = steps.get(position).move.because();
            drop(position);
        }
        if (to != index.initialServer[region]) {
            apply(region, to, with, net, reason);
        }
    }

    /** Takes a move of another plan, as it was chosen there but for itself; of a repair that is made already it changes the target. */
    void adopt(int region, Step of) {
        if (simulation.wasMoved(region)) {
            relocate(region, of.to, BestCandidate.NONE, of.net, of.move.because());
        } else {
            add(new Step(region, of.to, BestCandidate.NONE, of.net, withoutSwap(of.move)));
        }
    }

    /** Where in the order this region's move is; it has one. */
    int positionOf(int region) {
        int position = Math.min(latestPosition[region], steps.size() - 1);
        while (steps.get(position).region != region) {
            position--;
        }
        latestPosition[region] = position;
        return position;
    }

    private Optional<RunnerUp> runnerUp(BestCandidate candidate, MoveScore chosen) {
        if (candidate.secondRegion == BestCandidate.NONE) {
            return Optional.empty();
        }
        int second = candidate.secondRegion;
        MoveScore lost = scorer.score(second, simulation.serverOf[second], candidate.secondTo);
        return Optional.of(new RunnerUp(
                index.state[second].region(),
                server(simulation.serverOf[second]),
                server(candidate.secondTo),
                lost,
                chosen.objectiveMostAhead(lost)));
    }

    private void apply(int region, int to, int with, double net, Objective because) {
        MoveScore score = scorer.score(region, simulation.serverOf[region], to);
        apply(region, to, with, net, because, score, Optional.empty());
    }

    private void apply(
            int region, int to, int with, double net, Objective because, MoveScore score, Optional<RunnerUp> runnerUp) {
        int from = simulation.serverOf[region];
        RegionState state = index.state[region];
        Optional<EncodedRegionName> swappedFor =
                with == BestCandidate.NONE ? Optional.empty() : Optional.of(index.state[with].region());
        PlannedMove move = new PlannedMove(
                state.region(),
                state.table(),
                state.plannedLoad(),
                server(from),
                server(to),
                because,
                score,
                runnerUp,
                swappedFor);
        add(new Step(region, to, with, net, move));
    }

    private void add(Step step) {
        simulation.move(step.region, step.to);
        if (step.isForHeat()) {
            simulation.tables.spend(step.region);
            movesForHeat++;
        }
        rankings.moved(step.region, index.initialServer[step.region], step.to);
        latestPosition[step.region] = steps.size();
        steps.add(step);
    }

    /** Takes back the move at this position. */
    void drop(int position) {
        Step dropped = steps.remove(position);
        takeBack(dropped);
        if (dropped.isSwap()) {
            partFrom(dropped);
        }
    }

    private void takeBack(Step step) {
        simulation.undo(step.region);
        if (step.isForHeat()) {
            simulation.tables.giveBack(step.region);
            movesForHeat--;
        }
        rankings.moved(step.region, step.to, index.initialServer[step.region]);
    }

    /** Takes back every move, and gives them in their order. */
    List<Step> takeBackAll() {
        List<Step> all = List.copyOf(steps);
        for (int position = all.size() - 1; position >= 0; position--) {
            takeBack(all.get(position));
        }
        steps.clear();
        return all;
    }

    /** Takes back every move but those that mend a hard rule, which are as they were chosen. */
    void takeBackAllButRepairs() {
        takeBackAll();
        repairs.forEach(step -> redo(step, step.net()));
    }

    /** What this move, with the one that belongs to it, would gain now. */
    double net(Step step) {
        int from = index.initialServer[step.region];
        return step.isSwap()
                ? scorer.netOfSwap(step.region, step.with, from, step.to)
                : scorer.net(step.region, from, step.to);
    }

    /** Makes a move that was taken back. */
    void redo(Step step, double net) {
        add(new Step(step.region, step.to, step.with, net, step.move));
    }

    /** The same for one half of an exchange whose other half is not made with it: a move alone. */
    void redoAlone(Step step) {
        Step alone = alone(step);
        redo(alone, net(alone));
    }

    private static Step alone(Step step) {
        return new Step(step.region, step.to, BestCandidate.NONE, step.net, withoutSwap(step.move));
    }

    /** The region that went the other way is a move alone now. */
    private void partFrom(Step dropped) {
        if (!simulation.wasMoved(dropped.with)) {
            return;
        }
        int position = positionOf(dropped.with);
        Step other = steps.get(position);
        if (other.with == dropped.region) {
            steps.set(position, alone(other));
        }
    }

    private static PlannedMove withoutSwap(PlannedMove move) {
        return new PlannedMove(
                move.region(),
                move.table(),
                move.load(),
                move.from(),
                move.to(),
                move.because(),
                move.score(),
                move.runnerUp(),
                Optional.empty());
    }

    private ServerId server(int server) {
        return index.snapshot.serverId(server);
    }
}
