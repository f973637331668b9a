// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan.exact;

import io.hearth.bench.plan.exact.ExactSolver.Optimum;
import java.util.Optional;

/**
 * Prints {@code small-clusters.tsv} anew: the optima of small clusters, which takes the solver minutes of processor time. Not run by
 * any test. Arguments: the first and the last seed, the work allowed for each of the two questions, the solver's version.
 */
final class ExactFiguresMain {

    /** Of the optimum: the evenness for which the fewest moves are looked for. */
    static final double OVER_OPTIMUM = 1.03;

    private ExactFiguresMain() {}

    public static void main(String[] arguments) {
        long first = Long.parseLong(arguments[0]);
        long last = Long.parseLong(arguments[1]);
        double work = Double.parseDouble(arguments[2]);
        if (!ExactSolver.isHere()) {
            throw new IllegalStateException("The library of OR-tools for this machine is not on the class path.");
        }
        System.out.println(
                "# OR-tools " + arguments[3] + " (CP-SAT, at most " + work
                        + " units of deterministic time each): load of the fullest server in ten-thousandths of a mean one's, and moves to 1.03 x that.");
        System.out.println("seed\tevenness\tevenness_bound\tmoves\tmoves_bound\teven_plan\tplan");
        for (long seed = first; seed <= last; seed++) {
            ExactSolver solver = new ExactSolver(new SmallInstance(seed), work);
            Optimum even = solver.evenness();
            Optional<Optimum> moves = solver.fewestMoves(allowed(even.found()), even.serverByRegion());
            System.out.println(seed + "\t" + even.found() + "\t" + even.bound() + "\t"
                    + moves.map(optimum -> optimum.found() + "\t" + optimum.bound() + "\t"
                                    + letters(even.serverByRegion()) + "\t" + letters(optimum.serverByRegion()))
                            .orElseThrow(() -> new IllegalStateException("The solver found no plan for seed")));
        }
    }

    private static String letters(int[] serverByRegion) {
        StringBuilder letters = new StringBuilder();
        for (int server : serverByRegion) {
            letters.append((char) ('a' + server));
        }
        return letters.toString();
    }

    /** The load that a server may have, where the optimum is this. */
    static long allowed(long optimum) {
        return (long) Math.floor(optimum * OVER_OPTIMUM);
    }
}
