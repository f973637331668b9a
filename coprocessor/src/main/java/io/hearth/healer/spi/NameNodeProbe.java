// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.spi;

/** Feels how the NameNode is, by calls that are always the same. Called while moves are under way, every few seconds. */
@FunctionalInterface
public interface NameNodeProbe {

    /**
     * What one feeling says.
     *
     * @param micros how long one of the calls took, from here and back
     * @param balancerRuns whether the HDFS Balancer holds its lock
     * @param moverRuns whether the HDFS Mover holds its lock
     */
    record Sample(long micros, boolean balancerRuns, boolean moverRuns) {}

    Observed<Sample> probe();
}
