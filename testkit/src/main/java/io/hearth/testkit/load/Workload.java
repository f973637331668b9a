// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.load;

import io.hearth.testkit.load.LoadProfile.KeyDistribution;
import java.util.EnumMap;
import java.util.Map;

/**
 * YCSB's core workloads (its files workloada to workloadf), but for D, which is B with the distribution {@link KeyDistribution#LATEST} and inserts;
 * and puts alone, which YCSB has not.
 */
public enum Workload {
    /** Half gets, half puts. */
    A,
    /** Gets, and few puts. */
    B,
    /** Gets alone. */
    C,
    /** Short scans, and few inserts. */
    E,
    /** Half gets, half read-modify-writes. */
    F,
    /** Puts alone. */
    W;

    private Map<Operation, Double> shares() {
        return switch (this) {
            case A -> Map.of(Operation.GET, 0.5, Operation.PUT, 0.5);
            case B -> Map.of(Operation.GET, 0.95, Operation.PUT, 0.05);
            case C -> Map.of(Operation.GET, 1.0);
            case E -> Map.of(Operation.SCAN, 0.95, Operation.INSERT, 0.05);
            case W -> Map.of(Operation.PUT, 1.0);
            case F -> Map.of(Operation.GET, 0.5, Operation.READ_MODIFY_WRITE, 0.5);
        };
    }

    /**
     * The share of each kind of request; they sum to 1.
     *
     * @param multigets the share of all gets that are sent as multigets, 0 to 1
     */
    public Map<Operation, Double> shares(double multigets) {
        Map<Operation, Double> all = new EnumMap<>(shares());
        double gets = all.getOrDefault(Operation.GET, 0.0);
        all.put(Operation.GET, gets * (1 - multigets));
        all.put(Operation.MULTIGET, gets * multigets);
        all.values().removeIf(share -> share == 0);
        return all;
    }

    /** A kind of request. */
    public enum Operation {
        GET("gets"),
        MULTIGET("multigets"),
        PUT("puts"),
        INSERT("inserts"),
        SCAN("scans"),
        READ_MODIFY_WRITE("read-modify-writes");

        private final String plural;

        Operation(String plural) {
            this.plural = plural;
        }

        /** What several of them are called. */
        public String plural() {
            return plural;
        }
    }
}
