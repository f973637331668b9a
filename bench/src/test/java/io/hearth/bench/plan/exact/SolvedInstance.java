// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.plan.exact;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * What an exact solver found for one small cluster, once: {@code ExactFiguresMain} computes it. Where it was not proven in the time
 * that the solver had, what it found stands for the optimum.
 *
 * @param evenness the least that the fullest server can have in any dimension
 * @param evennessBound what no plan is below; the same where it is proven
 * @param moves the fewest moves after which no server has more than {@link #allowed}
 * @param movesBound fewer than this are not enough; the same where it is proven
 * @param evenPlan the server of each region in a plan of that evenness
 * @param plan the server of each region in a plan of so many moves
 */
record SolvedInstance(
        long seed, long evenness, long evennessBound, int moves, int movesBound, int[] evenPlan, int[] plan) {

    private static final double OVER_OPTIMUM = 1.03;

    /** All of them, by seed. */
    static List<SolvedInstance> all() {
        try (InputStream stream =
                        Objects.requireNonNull(SolvedInstance.class.getResourceAsStream("small-clusters.tsv"));
                BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            return reader.lines()
                    .filter(line -> !line.startsWith("#") && !line.startsWith("seed"))
                    .map(SolvedInstance::read)
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static SolvedInstance read(String line) {
        String[] columns = line.split("\t");
        return new SolvedInstance(
                Long.parseLong(columns[0]),
                Long.parseLong(columns[1]),
                Long.parseLong(columns[2]),
                Integer.parseInt(columns[3]),
                Integer.parseInt(columns[4]),
                plan(columns[5]),
                plan(columns[6]));
    }

    private static int[] plan(String letters) {
        return letters.chars().map(letter -> letter - 'a').toArray();
    }

    /** The load that a server may have where 3 % above the optimum is asked for. */
    long allowed() {
        return (long) Math.floor(evenness * OVER_OPTIMUM);
    }
}
