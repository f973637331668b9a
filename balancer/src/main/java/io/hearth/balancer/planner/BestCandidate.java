// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

/** The best move that was offered so far, and the second best. Of equal ones the first stays. Scratch; not thread-safe. */
final class BestCandidate {

    static final int NONE = -1;

    int region = NONE;
    int to = NONE;
    /** The region that goes the other way; {@link #NONE} for a move alone. */
    int taken = NONE;

    double net = Double.NEGATIVE_INFINITY;
    int secondRegion = NONE;
    int secondTo = NONE;
    private double secondNet = Double.NEGATIVE_INFINITY;

    void clear() {
        region = NONE;
        to = NONE;
        taken = NONE;
        net = Double.NEGATIVE_INFINITY;
        secondRegion = NONE;
        secondTo = NONE;
        secondNet = Double.NEGATIVE_INFINITY;
    }

    boolean isEmpty() {
        return region == NONE;
    }

    /** Whether an offer with this net gain would be the best or the second best. */
    boolean wouldKeep(double newNet) {
        return newNet > secondNet;
    }

    void offer(int newRegion, int newTo, double newNet) {
        offerSwap(newRegion, NONE, newTo, newNet);
    }

    void offerSwap(int newRegion, int newTaken, int newTo, double newNet) {
        if (newNet > net) {
            secondRegion = region;
            secondTo = to;
            secondNet = net;
            region = newRegion;
            taken = newTaken;
            to = newTo;
            net = newNet;
        } else if (newNet > secondNet) {
            secondRegion = newRegion;
            secondTo = newTo;
            secondNet = newNet;
        }
    }
}
