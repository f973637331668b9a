// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan.exact;

import com.google.ortools.Loader;
import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.CpSolverStatus;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearArgument;
import com.google.ortools.sat.LinearExpr;
import java.util.Arrays;
import java.util.Optional;

/** The optimum of a small cluster, by the CP-SAT solver of Google's OR-tools. Not thread-safe. */
final class ExactSolver {

    /** Strategies that take turns: the solver's default for eight processors. */
    private static final int WORKERS = 8;

    private final SmallInstance instance;
    private final double maxWork;

    /**
     * The best that was found.
     *
     * @param found least load of the fullest server, or fewest moves
     * @param bound what no plan is below; the same as found where that is proven
     * @param serverByRegion the plan
     */
    record Optimum(long found, long bound, int[] serverByRegion) {

        boolean isProven() {
            return found == bound;
        }
    }

    /**
     * @param maxWork after how much work the solver stops, in its own unit of deterministic time: about a second each. The same
     *     work gives the same figures on any machine
     */
    ExactSolver(SmallInstance instance, double maxWork) {
        this.instance = instance;
        this.maxWork = maxWork;
    }

    /** Whether the solver's library is there for this machine. */
    static boolean isHere() {
        try {
            Loader.loadNativeLibraries();
            return true;
        } catch (RuntimeException | LinkageError missing) {
            return false;
        }
    }

    /** The least that the fullest server can have in any dimension. */
    Optimum evenness() {
        Model model = new Model();
        IntVar most = model.cp.newIntVar(SmallInstance.MEAN, instance.most(instance.servers()), "most");
        model.limitLoads(most);
        model.hint(instance.servers());
        model.cp.minimize(most);
        return model.solve(0)
                .orElseThrow(
                        () -> new IllegalStateException("The solver found no plan with " + maxWork + " units of work"));
    }

    /** The fewest moves after which no server has more than this in any dimension, beginning with a plan that is known. */
    Optional<Optimum> fewestMoves(long allowed, int[] known) {
        Model model = new Model();
        model.limitLoads(model.cp.newConstant(allowed));
        model.hint(withFewMoves(known));
        int[] initial = instance.servers();
        LinearArgument[] stays = new LinearArgument[SmallInstance.REGIONS];
        for (int region = 0; region < stays.length; region++) {
            stays[region] = model.isOn[region][initial[region]];
        }
        model.cp.maximize(LinearExpr.sum(stays));
        return model.solve(SmallInstance.REGIONS);
    }

    /** The same plan with the servers' names exchanged, so that many regions are where they were. */
    private int[] withFewMoves(int[] known) {
        int[][] common = new int[SmallInstance.SERVERS][SmallInstance.SERVERS];
        int[] initial = instance.servers();
        for (int region = 0; region < SmallInstance.REGIONS; region++) {
            common[known[region]][initial[region]]++;
        }
        int[] name = new int[SmallInstance.SERVERS];
        Arrays.fill(name, -1);
        boolean[] taken = new boolean[SmallInstance.SERVERS];
        for (int best = SmallInstance.MOST; best >= 0; best--) {
            for (int from = 0; from < name.length; from++) {
                for (int to = 0; to < name.length; to++) {
                    if (name[from] < 0 && !taken[to] && common[from][to] == best) {
                        name[from] = to;
                        taken[to] = true;
                    }
                }
            }
        }
        return Arrays.stream(known).map(server -> name[server]).toArray();
    }

    /** Every region on one server, as many as a server may have. */
    private final class Model {

        private final CpModel cp = new CpModel();
        private final BoolVar[][] isOn = new BoolVar[SmallInstance.REGIONS][SmallInstance.SERVERS];

        Model() {
            for (BoolVar[] ofRegion : isOn) {
                for (int server = 0; server < ofRegion.length; server++) {
                    ofRegion[server] = cp.newBoolVar("");
                }
                cp.addExactlyOne(ofRegion);
            }
        }

        /** A plan to begin with. */
        void hint(int[] serverByRegion) {
            for (int region = 0; region < isOn.length; region++) {
                for (int server = 0; server < SmallInstance.SERVERS; server++) {
                    cp.addHint(isOn[region][server], serverByRegion[region] == server ? 1 : 0);
                }
            }
        }

        void limitLoads(IntVar most) {
            for (int server = 0; server < SmallInstance.SERVERS; server++) {
                LinearArgument[] ofServer = new LinearArgument[SmallInstance.REGIONS];
                for (int region = 0; region < ofServer.length; region++) {
                    ofServer[region] = isOn[region][server];
                }
                cp.addLinearConstraint(LinearExpr.sum(ofServer), SmallInstance.FEWEST, SmallInstance.MOST);
                for (int dimension = 0; dimension < SmallInstance.DIMENSIONS.size(); dimension++) {
                    cp.addLessOrEqual(LinearExpr.weightedSum(ofServer, instance.loads(dimension)), most);
                }
            }
        }

        /** The optimum, or what the objective lacks of this number; empty where nothing was found. */
        Optional<Optimum> solve(long lackOf) {
            CpSolver solver = new CpSolver();
            solver.getParameters()
                    .setMaxDeterministicTime(maxWork)
                    .setNumWorkers(WORKERS)
                    .setInterleaveSearch(true)
                    .setRandomSeed(1);
            CpSolverStatus status = solver.solve(cp);
            if (status != CpSolverStatus.OPTIMAL && status != CpSolverStatus.FEASIBLE) {
                return Optional.empty();
            }
            int[] serverByRegion = new int[isOn.length];
            for (int region = 0; region < isOn.length; region++) {
                for (int server = 0; server < SmallInstance.SERVERS; server++) {
                    serverByRegion[region] =
                            solver.booleanValue(isOn[region][server]) ? server : serverByRegion[region];
                }
            }
            long found = Math.round(solver.objectiveValue());
            // A bound is that of a whole number: what is just above 13 is 14 moves.
            double bound = solver.bestObjectiveBound();
            return Optional.of(
                    lackOf == 0
                            ? new Optimum(found, (long) Math.ceil(bound - 1e-6), serverByRegion)
                            : new Optimum(lackOf - found, lackOf - (long) Math.floor(bound + 1e-6), serverByRegion));
        }
    }
}
