// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.availability;

import java.util.OptionalDouble;

/**
 * The availability of HDFS by faulty DataNodes, as XiaoMi reports it to the owners of its clusters (Xie Gang, HDFS optimization for HBase
 * at XiaoMi, HBaseCon Asia 2018): the chance that a pipeline of new replicas has no faulty DataNode, and that a replica is not on one.
 *
 * <p>With N DataNodes of which k are faulty, the number of faulty ones in a pipeline of r, drawn without putting back, has the
 * hypergeometric distribution: P(i) = C(k, i) C(N - k, r - i) / C(N, r). Hence
 *
 * <ul>
 *   <li>write availability = 1 - the sum of P(1) to P(r) = P(0) = C(N - k, r) / C(N, r), and 0 if N - k is less than r;
 *   <li>read availability = 1 - k / N;
 *   <li>total = the least of the NameNode's, the write and the read availability.
 * </ul>
 *
 * <p>Worked example: N = 100, k = 2, r = 3. Write = (98 / 100) (97 / 99) (96 / 98) = 0.9406; read = 0.98; with a NameNode that answered
 * 0.9995 of its calls the total is 0.9406.
 *
 * <p>It is a model: HDFS neither draws its pipelines evenly nor fails a write for one bad DataNode. What clients saw is the measured
 * availability: good probes / due probes. Immutable.
 *
 * @param dataNodes N, those in service, live or dead; at least 1
 * @param faulty k, those that a probe saw fail or answer too slowly and those that the NameNode calls dead, 0 to N
 * @param replication r, the DataNodes of a pipeline, at least 1
 * @param nameNode the share of calls that the NameNode answered in time, of several the one that did best; empty if unknown
 */
public record SlaAvailability(int dataNodes, int faulty, int replication, OptionalDouble nameNode) {

    /** Checks the ranges. */
    public SlaAvailability {
        if (dataNodes < 1 || faulty < 0 || faulty > dataNodes || replication < 1) {
            throw new IllegalArgumentException(
                    faulty + " of " + dataNodes + " DataNodes faulty, replication " + replication);
        }
    }

    /** The chance that a pipeline has no faulty DataNode; 0 where too few are left for one. */
    public double write() {
        return pipelinesWith(0);
    }

    /** The chance that a replica is on a DataNode that is not faulty. */
    public double read() {
        return (double) (dataNodes - faulty) / dataNodes;
    }

    /** The least of the three; empty if the NameNode's is unknown. */
    public OptionalDouble total() {
        return nameNode.isEmpty()
                ? nameNode
                : OptionalDouble.of(Math.min(nameNode.getAsDouble(), Math.min(write(), read())));
    }

    /**
     * P(i), the chance that exactly so many DataNodes of a pipeline are faulty. A product of ratios between 0 and r: no factorial is
     * made, so that it is right to 14 digits for any N.
     */
    double pipelinesWith(int faultyOnes) {
        int sound = replication - faultyOnes;
        if (faultyOnes > faulty || sound < 0 || sound > dataNodes - faulty) {
            return 0;
        }
        double chance = 1;
        // The drawn ones in one order, first the faulty ones then the sound ones, times C(r, i) orders.
        for (int drawn = 0; drawn < replication; drawn++) {
            int left = drawn < faultyOnes ? faulty - drawn : dataNodes - faulty - (drawn - faultyOnes);
            chance *= (double) left / (dataNodes - drawn);
            if (drawn < faultyOnes) {
                chance *= (double) (replication - drawn) / (drawn + 1);
            }
        }
        return chance;
    }
}
